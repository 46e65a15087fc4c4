#pragma once
// A native program on memory that its caller keeps: its frame is laid out and its pointers are filled in once, so that a run is the calls of
// its functions and nothing else. Deliberately only for programs whose plan of pointers fits; the others run on arrays.

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/native_program.hpp"
#include "jacquard/backends/thread_pool.hpp"

namespace jacquard::cpu {

class bound_native final : public bound_program {
 public:
  /// `keeper` holds what `program` refers to, the constants among it.
  bound_native(ref<executable> keeper, ref<native_program> program, view<const array> constants, view<void* const> arguments, view<void* const> results, bool flushes)
      : keeper_(std::move(keeper)), program_(std::move(program)), plan_(program_->plan()), libraries_(program_->libraries()),
        results_(results.begin(), results.end()), frame_(make_buffer({u8, {plan_.frame_bytes()}})), scalars_(constants.size()), flushes_(flushes) {
    std::vector<void*> in;
    watched_.buffers.reserve(constants.size());
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (buffer* b = constants[i].as_buffer()) {
        b->check_alive();
        if (!b->watch()) b->throw_deleted({});
        watched_.buffers.push_back(b);  // who donates it elsewhere works on a copy
        in.push_back(b->data);
        continue;
      }
      constants[i].as_literal().store_to(scalars_[i].bytes);
      in.push_back(scalars_[i].bytes);
    }
    in.insert(in.end(), arguments.begin(), arguments.end());
    plan_.prepare(frame());
    plan_.attach(frame(), in.data(), results_.data());
    if (!flushes_) only_ = plan_.only_function(frame(), pointers_);
  }
  tier runs_on() const { return program_->runs_on(); }
  void run(bool observed) override {
    if (only_.entry && !observed) [[likely]] return only_.run(pointers_, 0, only_.units);
    const jacquard::detail::library_scope scope(libraries_);
    if (flushes_) {
      const jacquard::detail::flushing_scope here;
      run_steps(observed);
    } else run_steps(observed);
  }

 private:
  void run_steps(bool observed) {
    if (observed) plan_.run_attached<true>(frame(), results_.data());
    else plan_.run_attached<false>(frame(), results_.data());
  }
  char* frame() const { return static_cast<char*>(frame_.as_buffer()->data); }

  struct watched_buffers {
    std::vector<buffer*> buffers{};
    ~watched_buffers() {
      for (buffer* b : buffers) b->unwatch();
    }
  };

  ref<executable> keeper_;
  ref<native_program> program_;
  const pointer_plan& plan_;
  const jacquard::detail::kernel_libraries* libraries_;
  std::vector<void*> results_;
  array frame_;
  std::vector<pointer_plan::scalar_memory> scalars_;  ///< constants that are literals
  watched_buffers watched_;                           ///< the others
  bool flushes_;
  kernel_phase only_{};  ///< all that there is to run, if it is one function
  void** pointers_ = nullptr;
};

}  // namespace jacquard::cpu
