#pragma once
// libLLVM, found when it is first needed and loaded with dlopen: no header of it, no link dependency, versions 14 and later. Only what turns a text into
// an object file for the processor at hand. Set JACQUARD_LLVM to a file to use that one, or to "none". Deliberately silent where there is no such library,
// unless one was named: callers ask.

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "jacquard/backends/cpu/llvm_calls.hpp"
#include "jacquard/core/error.hpp"

namespace jacquard::cpu {

namespace detail {

/// The functions of the C interface that are used, by their names.
struct llvm_functions {
  using handle = void*;
#define JACQUARD_LLVM_FUNCTIONS(F)                                                                    \
  F(handle, LLVMContextCreate, (void))                                                                \
  F(void, LLVMContextDispose, (handle))                                                               \
  F(handle, LLVMCreateMemoryBufferWithMemoryRangeCopy, (const char*, std::size_t, const char*))       \
  F(void, LLVMDisposeMemoryBuffer, (handle))                                                          \
  F(const char*, LLVMGetBufferStart, (handle))                                                        \
  F(std::size_t, LLVMGetBufferSize, (handle))                                                         \
  F(int, LLVMParseIRInContext, (handle, handle, handle*, char**))                                     \
  F(void, LLVMDisposeModule, (handle))                                                                \
  F(void, LLVMDisposeMessage, (char*))                                                                \
  F(void, LLVMSetTarget, (handle, const char*))                                                       \
  F(handle, LLVMCreateTargetDataLayout, (handle))                                                     \
  F(void, LLVMSetModuleDataLayout, (handle, handle))                                                  \
  F(void, LLVMParseCommandLineOptions, (int, const char* const*, const char*))                        \
  F(char*, LLVMGetDefaultTargetTriple, (void))                                                        \
  F(char*, LLVMGetHostCPUName, (void))                                                                \
  F(char*, LLVMGetHostCPUFeatures, (void))                                                            \
  F(int, LLVMGetTargetFromTriple, (const char*, handle*, char**))                                     \
  F(handle, LLVMCreateTargetMachine, (handle, const char*, const char*, const char*, int, int, int))  \
  F(handle, LLVMCreatePassBuilderOptions, (void))                                                     \
  F(void, LLVMDisposePassBuilderOptions, (handle))                                                    \
  F(handle, LLVMRunPasses, (handle, const char*, handle, handle))                                     \
  F(int, LLVMTargetMachineEmitToMemoryBuffer, (handle, handle, int, char**, handle*))                 \
  F(char*, LLVMGetErrorMessage, (handle))                                                             \
  F(void, LLVMDisposeErrorMessage, (char*))
#define JACQUARD_DECLARE(result, function, parameters) result(*function) parameters = nullptr;
  JACQUARD_LLVM_FUNCTIONS(JACQUARD_DECLARE)
#undef JACQUARD_DECLARE
  handle library = nullptr;

  bool load(const char* file) {
    library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return false;
    bool complete = true;
#define JACQUARD_FIND(result, function, parameters)                                      \
  function = reinterpret_cast<result(*) parameters>(dlsym(library, #function));          \
  complete = complete && function;
    JACQUARD_LLVM_FUNCTIONS(JACQUARD_FIND)
#undef JACQUARD_FIND
#undef JACQUARD_LLVM_FUNCTIONS
    for (const char* part : {"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target", "LLVMInitializeX86TargetMC", "LLVMInitializeX86AsmPrinter"}) {
      const auto initialize = reinterpret_cast<void (*)()>(dlsym(library, part));
      if (initialize && complete) initialize();
      complete = complete && initialize;
    }
    if (complete) return true;
    dlclose(library);
    return false;
  }
  /// "16.0.6"; nothing before 16, which do not tell.
  std::string version() const {
    unsigned parts[3] = {};
    if (const auto tell = reinterpret_cast<void (*)(unsigned*, unsigned*, unsigned*)>(dlsym(library, "LLVMGetVersion"))) tell(parts, parts + 1, parts + 2);
    else return {};
    return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
  }
  /// Whether pointers have types unless it is told otherwise. 15 came with a function for that, which 17 dropped; 16 tells its version.
  bool is_14() const { return !dlsym(library, "LLVMGetVersion") && !dlsym(library, "LLVMContextSetOpaquePointers"); }
};

/// What code is scheduled for. LLVM calls a processor of AMD that is newer than it "generic", and schedules for one of 2011; the last
/// that it knows of these has the same units: 16 knows those of 2022, with vectors of 64 bytes.
inline std::string scheduled_for(std::string name, std::string_view features, bool is_amd, bool before_16) {
  const auto has = [&](std::string_view feature) { return features.find(feature) != features.npos; };
  if (name != "generic" || !is_amd || !has("+avx2") || !has("+fma")) return name;
  return has("+avx512f") && !before_16 ? "znver4" : "znver3";
}
inline bool runs_on_amd() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amd");
#else
  return false;
#endif
}

/// Whether the process has a function, after it was given those of vectors that the C library may bring.
inline bool process_has(const char* name) {
  static void* const vector_functions = dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
  (void)vector_functions;
  return dlsym(RTLD_DEFAULT, name) != nullptr;
}

}  // namespace detail

/// Which library it is, and what it makes code for here.
struct llvm_description {
  std::string path;  ///< of the file, and what that was like
  std::string stamp;
  std::string name;  ///< of the file and its version, and options that code depends on
  std::string triple, cpu, features;

  /// The registers and instructions that texts may use.
  vector_target target() const {
    vector_target t;
    t.cpu = cpu, t.features = features;
    const auto has = [&](const char* feature) { return features.find(feature) != std::string::npos; };
    if (has("+avx512f") && has("+avx512vl") && has("+avx512dq") && has("+avx512bw")) t.bytes = 64, t.isa = 'e';
    else if (has("+avx2") && has("+fma")) t.bytes = 32, t.isa = 'd';
    t.has_function = &detail::process_has;
    return t;
  }
  /// One line for each.
  std::string lines() const { return path + "\n" + stamp + "\n" + name + "\n" + triple + "\n" + cpu + "\n" + features + "\n"; }
  /// What lines() gave; nothing in it where it is something else.
  static llvm_description of_lines(std::string_view lines) {
    llvm_description d;
    for (std::string* line : {&d.path, &d.stamp, &d.name, &d.triple, &d.cpu, &d.features}) {
      const std::size_t end = lines.find('\n');
      if (end == lines.npos) return {};
      *line = std::string(lines.substr(0, end));
      lines.remove_prefix(end + 1);
    }
    return lines.empty() ? d : llvm_description();
  }
  /// Whether the file is as it was.
  bool is_still_there() const { return !path.empty() && stamp == stamp_of(path); }
  /// The size of a file and when it was changed; nothing where there is none.
  static std::string stamp_of(const std::string& path) {
    struct stat s {};
    if (stat(path.c_str(), &s) != 0) return {};
    return std::to_string(s.st_size) + " " + std::to_string(s.st_mtim.tv_sec) + "." + std::to_string(s.st_mtim.tv_nsec);
  }
};

/// A library that was loaded; for good, as it does not like to go. By one thread at a time.
class llvm_library {
 public:
  /// Which file the user asks for, or null; "none".
  static const char* named() { return std::getenv("JACQUARD_LLVM"); }
  /// The one that was named, or else the newest that is found. Null: there is none that makes code here.
  static llvm_library* load() {
    llvm_library* const l = new llvm_library;
    try {
      if (const char* const file = named()) {
        if (l->begin(file)) return l;
        std::fprintf(stderr, "jacquard: JACQUARD_LLVM names '%s', which is no libLLVM from 14 on: kernels run on tiles\n", file);
      } else
        for (const std::string& name : names())
          if (l->begin(name.c_str())) return l;
    } catch (const error& e) {
      std::fprintf(stderr, "jacquard: libLLVM makes no code here: %s; kernels run on tiles\n", e.what());
    }
    delete l;
    return nullptr;
  }
  /// That one, if it is as it was described. Null: it is not, or cannot be loaded any more.
  static llvm_library* load(const llvm_description& known) {
    llvm_library* const l = new llvm_library;
    try {
      if (l->begin(known.path.c_str()) && l->about_.lines() == known.lines()) return l;
    } catch (const error&) {
    }
    delete l;
    return nullptr;
  }
  const llvm_description& description() const { return about_; }
  static constexpr const char* passes = "always-inline,function(sroa,instcombine,early-cse,loop-mssa(licm))";
  /// What follows where loops ask for it, which few do.
  static constexpr const char* loop_passes = "function(loop(loop-unroll-and-jam),early-cse,instcombine)";

  /// The object file of a text. Errors: value_error with LLVM's message, which means a fault of the text.
  std::string object_of(const std::string& text) {
    char* message = nullptr;
    const held context(f_.LLVMContextCreate(), f_.LLVMContextDispose);
    void* parsed = nullptr;
    if (f_.LLVMParseIRInContext(context.get(), f_.LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "kernel"), &parsed, &message))
      fail(taken(message));
    const held module(parsed, f_.LLVMDisposeModule);
    f_.LLVMSetTarget(parsed, about_.triple.c_str());
    f_.LLVMSetModuleDataLayout(parsed, layout_);
    const held options(f_.LLVMCreatePassBuilderOptions(), f_.LLVMDisposePassBuilderOptions);
    check(f_.LLVMRunPasses(parsed, passes, machine_, options.get()));
    if (text.find("!llvm.loop") != std::string::npos) check(f_.LLVMRunPasses(parsed, loop_passes, machine_, options.get()));
    void* made = nullptr;
    if (f_.LLVMTargetMachineEmitToMemoryBuffer(machine_, parsed, 1, &message, &made)) fail(taken(message));
    const held object(made, f_.LLVMDisposeMemoryBuffer);
    return std::string(f_.LLVMGetBufferStart(made), f_.LLVMGetBufferSize(made));
  }

 private:
  /// A thing of the library that goes with the scope.
  using held = std::unique_ptr<void, void (*)(void*)>;
  /// What the library is called, newest first: from 18 on by LLVM itself, before by Debian and by others.
  static list<std::string> names() {
    list<std::string> r;
    for (int v = 24; v >= 18; --v) r.push_back("libLLVM.so." + std::to_string(v) + ".1");
    for (int v = 17; v >= 14; --v) r.push_back("libLLVM-" + std::to_string(v) + ".so.1"), r.push_back("libLLVM-" + std::to_string(v) + ".so");
    r.push_back("libLLVM.so");
    return r;
  }
  /// Loads a library; false if it is not there, or is another one.
  bool begin(const char* file) {
    if (!f_.load(file)) return false;
    Dl_info where{};
    if (dladdr(reinterpret_cast<void*>(f_.LLVMContextCreate), &where) != 0 && where.dli_fname) about_.path = where.dli_fname, about_.stamp = about_.stamp_of(about_.path);
    about_.name = about_.path.substr(about_.path.rfind('/') + 1) + " " + f_.version();
    if (f_.is_14()) {
      // What shortens loops' addresses takes an offset in bytes for the same number of elements, where the text has that one and pointers no types.
      const char* const arguments[] = {"jacquard", "-opaque-pointers", "-disable-lsr"};
      f_.LLVMParseCommandLineOptions(3, arguments, "");
      about_.name += " -disable-lsr";
    }
    about_.triple = taken(f_.LLVMGetDefaultTargetTriple());
    about_.features = taken(f_.LLVMGetHostCPUFeatures());
    about_.cpu = detail::scheduled_for(taken(f_.LLVMGetHostCPUName()), about_.features, detail::runs_on_amd(), f_.version().empty());
    about_.features += ",-avx512fp16";  // f16 is computed in f32; LLVM 14 ends the process where it takes elements out of converted vectors
    void* target = nullptr;
    char* message = nullptr;
    if (f_.LLVMGetTargetFromTriple(about_.triple.c_str(), &target, &message)) fail(taken(message));
    // Optimisation 3, position-independent code, small code model.
    machine_ = f_.LLVMCreateTargetMachine(target, about_.triple.c_str(), about_.cpu.c_str(), about_.features.c_str(), 3, 2, 3);
    layout_ = f_.LLVMCreateTargetDataLayout(machine_);
    return true;
  }
  std::string taken(char* s) {
    std::string r(s);
    f_.LLVMDisposeMessage(s);
    return r;
  }
  void check(void* error) {
    if (!error) return;
    char* const message = f_.LLVMGetErrorMessage(error);
    const std::string kept(message);
    f_.LLVMDisposeErrorMessage(message);
    fail(kept);
  }
  [[noreturn]] static void fail(std::string_view message) {
    raise(error_kind::value, "cpu: LLVM did not accept a kernel: ", message, "; this is a fault of the library, run the "
          "function with jq::backend(\"interpreter\") until it is mended");
  }

  detail::llvm_functions f_;
  llvm_description about_;
  void* machine_ = nullptr;
  void* layout_ = nullptr;
};

}  // namespace jacquard::cpu
