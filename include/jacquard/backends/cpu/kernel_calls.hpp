#pragma once
// Calls from machine code to equations with kernels of their own: the code stores operands into a frame of memory, calls the record of the
// equation that lies there, and loads the results. The code knows places in the frame and no addresses, so that it may be kept in files; what is
// the same in each call is filled in once per run. Errors go around the code, which has no tables to be unwound by. Deliberately for few
// elements, whose frames fit on the stack.

#include <exception>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard::cpu {

/// The calls of a function, and where in its frame their records, operands and results lie.
class kernel_calls {
 public:
  struct call {
    const primitive* op;
    param_view params;
    std::size_t operands;
    std::vector<aval> types;           ///< of operands, then of results
    std::vector<std::int64_t> places;  ///< of the same
    std::int64_t record;
  };
  static constexpr std::int64_t most_bytes = 8192;

  /// Adds one of an equation; its number.
  std::size_t add(const jaxpr& p, const equation& e) {
    call c{e.op, p.params(e), p.inputs(e).size(), {}, {}, 0};
    const auto place = [&](const aval& t) {
      c.types.push_back(t);
      c.places.push_back(bytes_);
      bytes_ += jacquard::detail::whole_lines(t.bytes());
    };
    for (atom a : p.inputs(e)) place(p.type_of(a));
    for (variable v : p.outputs(e)) place(p.avals[v]);
    c.record = bytes_;
    bytes_ += jacquard::detail::whole_lines(std::int64_t(sizeof(record) + c.types.size() * sizeof(tensor_ref)));
    calls_.push_back(std::move(c));
    return calls_.size() - 1;
  }
  const call& operator[](std::size_t i) const { return calls_[i]; }
  bool empty() const { return calls_.empty(); }
  std::int64_t bytes() const { return bytes_; }

  /// Fills in a frame.
  void prepare(char* frame, std::exception_ptr* problem) const {
    for (const call& c : calls_) {
      const auto refs = reinterpret_cast<tensor_ref*>(frame + c.record + sizeof(record));
      for (std::size_t i = 0; i < c.types.size(); ++i) refs[i] = {frame + c.places[i], &c.types[i]};
      new (frame + c.record) record{&record::run, c.op->kernel, {{refs, c.operands}, {refs + c.operands, c.types.size() - c.operands}, c.params}, problem};
    }
  }

 private:
  /// What the code calls, with the record's address: it goes on only if that gives 0.
  struct record {
    int (*entry)(const record&);
    void (*kernel)(const kernel_call&);
    kernel_call call;
    std::exception_ptr* problem;
    static int run(const record& r) {
      try {
        r.kernel(r.call);
        return 0;
      } catch (...) {
        *r.problem = std::current_exception();
        return 1;
      }
    }
  };
  std::vector<call> calls_;
  std::int64_t bytes_ = 0;
};

/// A function that makes such calls, in the form of a kernel's phase: `run` with the address of this.
class calling_function {
 public:
  using code = decltype(kernel_phase::entry);
  calling_function(code c, kernel_calls calls, const jacquard::detail::kernel_libraries* libraries) : code_(c), calls_(std::move(calls)), libraries_(libraries) {}
  kernel_phase phase() const { return {&run, 1, this}; }

 private:
  static void run(void** pointers, std::int64_t begin, std::int64_t end, const void* self) {
    const calling_function& f = *static_cast<const calling_function*>(self);
    const jacquard::detail::library_scope scope(f.libraries_);
    alignas(jacquard::detail::buffer_alignment) char frame[kernel_calls::most_bytes];
    std::exception_ptr problem;
    f.calls_.prepare(frame, &problem);
    f.code_(pointers, begin, end, frame);
    if (problem) std::rethrow_exception(std::move(problem));
  }

  code code_;
  kernel_calls calls_;
  const jacquard::detail::kernel_libraries* libraries_;
};

}  // namespace jacquard::cpu
