#pragma once
// LLVM IR of kernels that run together: a function that goes through blocks of rows and calls, for each of them, the functions of its kernels
// one after another, and one that calls what follows the last block. Deliberately knows nothing of loops and values: those are the kernels'
// own, see backends/cpu/llvm_text.

#include "jacquard/backends/cpu/llvm_text.hpp"

namespace jacquard::cpu {

namespace detail {

class blocks_writer {
 public:
  blocks_writer(const loop_kernel& k, const vector_target& t, const std::string& name, const std::vector<char>& claimed) : name_(name) {
    const std::int64_t rows = k.loops[std::size_t(row_loop_of(k))].extent;
    each_ = k.block;
    blocks_ = (rows + each_ - 1) / each_;
    std::size_t outputs = 0;
    for_each_joined(k, [&](const loop_kernel& m) {
      members_.push_back(emit_kernel(m, t, member_name(members_.size()), claimed));
      for (memory_conflict c : members_.back().conflicts) {
        c.output += outputs;
        all_.conflicts.push_back(c);
      }
      outputs += m.outputs.size();
    });
  }
  kernel_text write() {
    std::vector<range_plan> plans;
    for (const kernel_text& m : members_) {
      all_.functions += m.functions;
      all_.declarations.insert(m.declarations.begin(), m.declarations.end());
      for (atom a : m.places)
        if (std::find(all_.places.begin(), all_.places.end(), a) == all_.places.end()) all_.places.push_back(a);
      plans.push_back(m.ranges);
    }
    all_.ranges = range_plan(plans, blocks_);
    all_.functions += function(0, of_block());
    if (all_.ranges.units().size() > 1) all_.functions += function(1, at_end());
    return std::move(all_);
  }

 private:
  std::string member_name(std::size_t n) const { return concat({name_, ".rows", std::to_string(n)}); }
  /// How many phases of a kernel run for each block.
  static std::size_t phases_of_block(const kernel_text& m) { return m.ranges.units().size() - (m.ranges.splits_stages() && m.ranges.units().back() == 1); }
  static std::string call(const std::string& function, std::size_t member, const std::string& begin, const std::string& end) {
    return concat({"  call void @", function, "(ptr %table", std::to_string(member), ", i64 ", begin, ", i64 ", end, ", ptr %self)\n"});
  }
  std::string of_block() const {
    std::string code = "  br label %head\nhead:\n  %block = phi i64 [ %begin, %entry ], [ %next, %head ]\n  %next = add nuw nsw i64 %block, 1\n";
    code += concat({"  %last = icmp eq i64 %next, ", std::to_string(blocks_), "\n"});
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const range_plan& r = members_[i].ranges;
      std::string begin = "%block", end = "%next";
      if (!r.splits_stages()) {
        const std::string n = std::to_string(i), units = std::to_string(each_ / r.length());
        code += concat({"  %from", n, " = mul nuw nsw i64 %block, ", units, "\n  %whole", n, " = add nuw nsw i64 %from", n, ", ", units, "\n"});
        code += concat({"  %to", n, " = select i1 %last, i64 ", std::to_string(r.units()[0]), ", i64 %whole", n, "\n"});
        begin = concat({"%from", n}), end = concat({"%to", n});
      }
      for (std::size_t phase = 0; phase < phases_of_block(members_[i]); ++phase) code += call(phase_name(member_name(i), phase), i, begin, end);
    }
    return concat({code, "  %more = icmp slt i64 %next, %end\n  br i1 %more, label %head, label %done\ndone:\n"});
  }
  std::string at_end() const {
    std::string code;
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (std::size_t phase = phases_of_block(members_[i]); phase < members_[i].ranges.units().size(); ++phase)
        code += call(phase_name(member_name(i), phase), i, "0", "1");
    return code;
  }
  /// A function that gives each kernel a table of its own places.
  std::string function(std::size_t phase, const std::string& code) const {
    std::string r = concat({"define void @", phase_name(name_, phase), "(ptr %places, i64 %begin, i64 %end, ptr %self) #0 {\nentry:\n"});
    int registers = 0;
    const auto set = [&](std::initializer_list<std::string_view> instruction) {
      r += concat({"  %r", std::to_string(registers), " = ", concat(instruction), "\n"});
      return concat({"%r", std::to_string(registers++)});
    };
    const auto place = [&](std::size_t n) { return set({"load ptr, ptr ", set({"getelementptr ptr, ptr %places, i64 ", std::to_string(n)})}); };
    std::int64_t partials = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::string table = concat({"%table", std::to_string(i)});
      std::vector<std::string> own;
      for (atom a : members_[i].places) own.push_back(place(std::size_t(std::find(all_.places.begin(), all_.places.end(), a) - all_.places.begin())));
      if (const std::int64_t bytes = members_[i].ranges.partial_bytes(); bytes != 0) {
        own.push_back(set({"getelementptr i8, ptr ", place(all_.places.size()), ", i64 ", std::to_string(partials)}));
        partials += bytes;
      }
      r += concat({"  ", table, " = alloca [", std::to_string(own.size()), " x ptr], align 8\n"});
      for (std::size_t n = 0; n < own.size(); ++n) r += concat({"  store ptr ", own[n], ", ptr ", set({"getelementptr ptr, ptr ", table, ", i64 ", std::to_string(n)}), "\n"});
    }
    return concat({r, code, "  ret void\n}\n"});
  }

  std::string name_;
  std::int64_t each_ = 0, blocks_ = 0;  ///< rows of a block; blocks
  std::vector<kernel_text> members_;
  kernel_text all_;
};

}  // namespace detail

/// The code of a kernel and of those that run along with it; `claimed` as of emit_kernel.
inline kernel_text emit_blocks(const loop_kernel& k, const vector_target& t, const std::string& name, const std::vector<char>& claimed = {}) {
  return detail::blocks_writer(k, t, name, claimed).write();
}

}  // namespace jacquard::cpu
