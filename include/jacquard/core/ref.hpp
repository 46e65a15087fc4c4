#pragma once
// Shared ownership of objects that count their owners themselves. Deliberately not std::shared_ptr, whose header brings the
// whole of the stream library along: it would be a tenth of what including Jacquard costs.

#include <cstddef>
#include <utility>

namespace jacquard {

/// Base of objects held by ref. Counting is atomic.
class counted {
 public:
  counted() = default;
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  virtual ~counted() = default;

 private:
  template <class T>
  friend class ref;
  int owners_ = 0;
};

/// A share in the ownership of a T, or nothing. T derives from `counted`; the last ref deletes it.
template <class T>
class ref {
 public:
  constexpr ref() = default;
  constexpr ref(std::nullptr_t) {}
  /// Takes part in the ownership of `object`.
  explicit ref(T* object) : object_(object) { retain(); }
  constexpr ref(const ref& o) : object_(o.object_) { retain(); }
  constexpr ref(ref&& o) noexcept : object_(std::exchange(o.object_, nullptr)) {}
  template <class U>
    requires requires(U* u, T*& t) { t = u; }
  ref(const ref<U>& o) : object_(o.get()) {
    retain();
  }
  constexpr ref& operator=(ref o) noexcept {
    std::swap(object_, o.object_);
    return *this;
  }
  constexpr ~ref() {
    if (object_ && __atomic_sub_fetch(&base().owners_, 1, __ATOMIC_ACQ_REL) == 0) delete object_;
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  /// Whether others have a share, too.
  bool is_shared() const { return object_ && __atomic_load_n(&base().owners_, __ATOMIC_ACQUIRE) > 1; }
  friend bool operator==(const ref& a, const ref& b) { return a.object_ == b.object_; }

 private:
  counted& base() const { return *object_; }
  constexpr void retain() const {
    if (object_) __atomic_fetch_add(&base().owners_, 1, __ATOMIC_RELAXED);
  }
  T* object_ = nullptr;
};

/// A new T.
template <class T, class... A>
ref<T> make_ref(A&&... args) {
  return ref<T>(new T(std::forward<A>(args)...));
}

}  // namespace jacquard
