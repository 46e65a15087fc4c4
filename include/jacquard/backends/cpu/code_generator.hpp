#pragma once
// Machine code of kernels: each text's module is made once in a process, or taken from where it was kept, and loaded. The library that makes it is loaded
// when there is something to make: what it would say of itself and of the processor is kept beside the code. Deliberately without a backend: that a
// program runs on tiles until its code is there is for native_backend.

#include <vector>

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/llvm_library.hpp"
#include "jacquard/backends/cpu/loaded_object.hpp"
#include "jacquard/backends/cpu/object_cache.hpp"
#include "jacquard/backends/cpu/processor_identity.hpp"
#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/work_queue.hpp"
#include "jacquard/core/ref.hpp"

namespace jacquard::cpu {

/// The name of kernel `number` in the text of a module.
inline std::string kernel_name(std::size_t number) { return "jq." + std::to_string(number); }

/// Machine code of one module; gives its memory back when it goes.
class native_module : public counted {
 public:
  native_module(std::string name, std::string_view object) : name_(std::move(name)), code_(object) {}
  /// The address of a phase of kernel `number` of the module. Errors: value_error if there is none.
  void* function(std::size_t number, std::size_t phase = 0) const {
    const std::string wanted = phase_name(kernel_name(number), phase);
    void* const there = code_.find(wanted);
    if (!there) raise(error_kind::value, "cpu: machine code of a program has no function ", std::string_view(wanted), "; remove the file that it was kept in");
    return there;
  }
  /// What tells modules apart.
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
  const loaded_object code_;
};

/// There is no code, and nothing that makes it: whoever wanted it runs on tiles.
class no_code : public value_error {
 public:
  using value_error::value_error;
};

/// Makes machine code of LLVM IR for this processor. One per process; may be used by many threads, one at a time.
class code_generator {
 public:
  /// The generator, or null where no libLLVM was found.
  static code_generator* get() {
    static code_generator* const g = make();
    return g;
  }
  /// The same while it makes code: while the process exits, the library destroys what it needs for that, and code that was made runs on. Nor does it
  /// once the library, of which was known that it is there, turned out to be gone.
  static code_generator* working() { return ended.load() ? nullptr : get(); }
  const vector_target& target() const { return target_; }
  /// The processor, the library and its passes: what code depends on besides its text.
  std::string machine() const {
    return about_.name + "\n" + about_.triple + "\n" + about_.cpu + "\n" + about_.features + "\n" + llvm_library::passes + llvm_library::loop_passes + "\n" + form;
  }
  /// Whether `code` was made for this processor, by this library.
  bool runs(const machine_code& code) const { return code.machine == machine(); }
  /// The module of a text whose functions are called kernel_name(0), ...: one that is there, or in `known`, or kept in a file, or new.
  /// Errors: value_error with LLVM's message, which means a fault of the text; no_code.
  ref<native_module> compile(const std::string& text, const machine_code* known = nullptr) {
    const std::string key = machine() + text, name = jacquard::detail::digest(key);
    const jacquard::detail::scoped_lock lock(mutex_);
    for (const ref<native_module>& m : modules_)
      if (m->name() == name) return m;
    const ref<native_module> r = make_ref<native_module>(name, object_for(text, key, name, known));
    modules_.push_back(r);
    forget_one();
    return r;
  }
  /// The code of a text's module, to be given to `compile` as known.
  machine_code::module code_of(const std::string& text) {
    const std::string key = machine() + text, name = jacquard::detail::digest(key);
    const jacquard::detail::scoped_lock lock(mutex_);
    return {name, object_for(text, key, name, nullptr)};
  }

 private:
  static constexpr std::size_t most_modules = 64;
  static constexpr const char* form = "form 2\n";          ///< of the code: what its functions are called
  static constexpr const char* described = "libLLVM, 1\n";  ///< of descriptions: another number, where llvm_library chooses processors, features or options otherwise

  explicit code_generator(llvm_description about) : about_(std::move(about)), target_(about_.target()) {
    jacquard::detail::forks::hold(mutex_);  // the library knows nothing of forks
  }
  /// Lives as long as the process: code may run until its very end.
  static code_generator* make() {
    const char* const file = llvm_library::named();
    if (file && std::string_view(file) == "none") return nullptr;
    if (const llvm_description about = remembered(); about.is_still_there()) return new code_generator(about);
    llvm_library* const library = outlived(llvm_library::load());
    if (!library) return nullptr;
    code_generator* const g = new code_generator(library->description());
    g->library_ = library;
    g->remember();
    return g;
  }

  /// A library that was loaded, if one was; from here on threads that use it are joined before it destroys what it needs.
  static llvm_library* outlived(llvm_library* library) {
    if (library) jacquard::detail::work_queue::join_before_exit();
    return library;
  }

  /// Under what the library's description is kept: it says the same as long as the processor and the user's choice are the same. Empty: the processor is not known.
  static std::string key_of_description() {
    const char* const file = llvm_library::named();
    const std::string processor = processor_identity();
    return processor.empty() ? processor : described + std::string(file ? file : "") + "\n" + processor;
  }
  static llvm_description remembered() {
    const object_cache& files = object_cache::get();
    if (files.directory().empty()) return {};
    const std::string key = key_of_description();
    return key.empty() ? llvm_description() : llvm_description::of_lines(files.find(key, object_cache::library));
  }
  /// Keeps what the library says beside the code.
  void remember() {
    const object_cache& files = object_cache::get();
    std::string now = files.directory();
    if (now == remembered_in_) return;
    remembered_in_ = std::move(now);
    if (const std::string key = key_of_description(); !key.empty()) files.keep(key, about_.lines(), object_cache::library);
  }

  std::string object_for(const std::string& text, const std::string& key, const std::string& name, const machine_code* known) {
    if (known)
      for (const machine_code::module& m : known->modules)
        if (m.name == name) return m.code;
    const object_cache& files = object_cache::get();
    std::string code = files.find(key);
    if (!code.empty()) return code;
    files.keep(key, code = made_of(text));
    remember();
    return code;
  }
  std::string made_of(const std::string& text) {
    if (ended.load()) throw no_code("cpu: no machine code is made any more");
    if (!library_) library_ = outlived(llvm_library::load(about_));
    if (!library_) {
      ended.store(true);
      std::fprintf(stderr, "jacquard: %s, which was there when code was kept in %s, cannot be loaded: kernels run on tiles\n", about_.path.c_str(), object_cache::get().directory().c_str());
      throw no_code("cpu: libLLVM cannot be loaded any more");
    }
    std::string code = library_->object_of(text);
    static const int ending = std::atexit(&end);  // now that the library has made what it destroys at the end
    (void)ending;
    return code;
  }
  /// Called as the process exits: no code is made from here on.
  static void end() {
    const jacquard::detail::scoped_lock lock(get()->mutex_);
    ended.store(true);
  }
  /// Drops the oldest module that nobody uses, where there are many.
  void forget_one() {
    for (std::size_t i = 0; modules_.size() > most_modules && i < modules_.size(); ++i)
      if (!modules_[i].is_shared()) {
        const ref<native_module> unused = std::move(modules_[i]);
        modules_.erase(modules_.begin() + std::ptrdiff_t(i));
        return;
      }
  }

  static inline constinit jacquard::detail::atomic<bool> ended{false};
  const llvm_description about_;
  const vector_target target_;
  jacquard::detail::recursive_mutex mutex_;
  llvm_library* library_ = nullptr;  ///< once there was something to make
  std::string remembered_in_;        ///< the directory
  std::vector<ref<native_module>> modules_;  ///< all that are in use, and some that were
};

}  // namespace jacquard::cpu
