#pragma once
// libLLVM, found when it is first needed and loaded with dlopen: no header of it, no link dependency, versions 14 and later. Only
// what turns a text into machine code in this process. Set JACQUARD_LLVM to a file to use that one, or to "none". Deliberately silent where there
// is no such library, unless one was named: callers ask.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/llvm_instructions.hpp"
#include "jacquard/backends/cpu/object_cache.hpp"
#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/work_queue.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/core/ref.hpp"

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
  F(void, LLVMSetDataLayout, (handle, const char*))                                                   \
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
  F(void, LLVMDisposeErrorMessage, (char*))                                                           \
  F(handle, LLVMOrcCreateLLJITBuilder, (void))                                                        \
  F(void, LLVMOrcLLJITBuilderSetJITTargetMachineBuilder, (handle, handle))                            \
  F(handle, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine, (handle))                          \
  F(handle, LLVMOrcCreateLLJIT, (handle*, handle))                                                    \
  F(handle, LLVMOrcLLJITGetMainJITDylib, (handle))                                                    \
  F(const char*, LLVMOrcLLJITGetDataLayoutStr, (handle))                                              \
  F(char, LLVMOrcLLJITGetGlobalPrefix, (handle))                                                      \
  F(handle, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess, (handle*, char, handle, handle))    \
  F(void, LLVMOrcJITDylibAddGenerator, (handle, handle))                                              \
  F(handle, LLVMOrcJITDylibCreateResourceTracker, (handle))                                           \
  F(handle, LLVMOrcResourceTrackerRemove, (handle))                                                   \
  F(void, LLVMOrcReleaseResourceTracker, (handle))                                                    \
  F(handle, LLVMOrcLLJITAddObjectFileWithRT, (handle, handle, handle))                                \
  F(handle, LLVMOrcLLJITLookup, (handle, std::uint64_t*, const char*))
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

inline bool process_has(const char* name) { return dlsym(RTLD_DEFAULT, name) != nullptr; }

}  // namespace detail

/// Machine code of one module; gives its memory back when it goes.
class native_module : public counted {
 public:
  ~native_module() override;
  /// The address of a phase of kernel `number` of the module. Errors: value_error if there is none.
  void* function(std::size_t number, std::size_t phase = 0) const;

 private:
  friend class code_generator;
  std::string name_;
  void* tracker_ = nullptr;
};

/// The name of kernel `number` in the text of a module.
inline std::string kernel_name(std::size_t number) { return "jq." + std::to_string(number); }

/// Makes machine code of LLVM IR for this processor. One per process; may be used by many threads, one at a time.
class code_generator {
 public:
  /// The generator, or null where no libLLVM was found.
  static code_generator* get() {
    static code_generator* const g = make();
    return g;
  }
  /// The same while it makes code: while the process exits, the library destroys what it needs for that, and code that was made runs on.
  static code_generator* working() { return ended.load() ? nullptr : get(); }
  const vector_target& target() const { return target_; }
  /// The processor, the library and its passes: what code depends on besides its text.
  std::string machine() const { return machine_name_ + passes + loop_passes + "\n"; }
  /// Whether `code` was made for this processor, by this library.
  bool runs(const machine_code& code) const { return code.machine == machine(); }
  /// The module of a text whose functions are called kernel_name(0), ...: one that is there, or in `known`, or kept in a file, or new.
  /// Errors: value_error with LLVM's message, which means a fault of the text.
  ref<native_module> compile(const std::string& text, const machine_code* known = nullptr) {
    const std::string key = machine() + text, name = jacquard::detail::digest(key);
    const jacquard::detail::scoped_lock lock(mutex_);
    for (const ref<native_module>& m : modules_)
      if (m->name_ == name) return m;
    const std::string code = object_for(text, key, name, known);
    const ref<native_module> r = make_ref<native_module>();
    r->name_ = name;
    r->tracker_ = f_.LLVMOrcJITDylibCreateResourceTracker(f_.LLVMOrcLLJITGetMainJITDylib(jit_));
    check(f_.LLVMOrcLLJITAddObjectFileWithRT(jit_, r->tracker_, f_.LLVMCreateMemoryBufferWithMemoryRangeCopy(code.data(), code.size(), "kernel")));
    modules_.push_back(r);
    forget_one();
    static const int ending = std::atexit(&end);  // now that the library has made what it destroys at the end
    (void)ending;
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
  static constexpr const char* passes = "always-inline,function(sroa,instcombine,early-cse,loop-mssa(licm))";
  /// What follows where loops ask for it, which few do.
  static constexpr const char* loop_passes = "function(loop(loop-unroll-and-jam),early-cse,instcombine)";

  /// Functions of different modules have different names.
  static std::string with_names(const std::string& text, const std::string& module) {
    std::string r;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find("@jq.", from)) != std::string::npos; from = at + 4) r += text.substr(from, at + 4 - from) + module + ".";
    return r + text.substr(from);
  }
  std::string object_for(const std::string& text, const std::string& key, const std::string& name, const machine_code* known) {
    if (known)
      for (const machine_code::module& m : known->modules)
        if (m.name == name) return m.code;
    std::string code = object_cache::get().find(key);
    if (code.empty()) object_cache::get().keep(key, code = object_of(with_names(text, name)));
    return code;
  }
  std::string object_of(const std::string& text) {
    char* message = nullptr;
    void* const context = f_.LLVMContextCreate();
    void* module = nullptr;
    if (f_.LLVMParseIRInContext(context, f_.LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "kernel"), &module, &message))
      fail(message);
    f_.LLVMSetTarget(module, triple_.c_str());
    f_.LLVMSetDataLayout(module, f_.LLVMOrcLLJITGetDataLayoutStr(jit_));
    void* const options = f_.LLVMCreatePassBuilderOptions();
    check(f_.LLVMRunPasses(module, passes, machine_, options));
    if (text.find("!llvm.loop") != std::string::npos) check(f_.LLVMRunPasses(module, loop_passes, machine_, options));
    f_.LLVMDisposePassBuilderOptions(options);
    void* object = nullptr;
    if (f_.LLVMTargetMachineEmitToMemoryBuffer(machine_, module, 1, &message, &object)) fail(message);
    f_.LLVMDisposeModule(module);
    f_.LLVMContextDispose(context);
    std::string r(f_.LLVMGetBufferStart(object), f_.LLVMGetBufferSize(object));
    f_.LLVMDisposeMemoryBuffer(object);
    return r;
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

  friend class native_module;
  static code_generator* make() {
    const char* const file = std::getenv("JACQUARD_LLVM");
    if (file && std::string_view(file) == "none") return nullptr;
    code_generator* g = new code_generator;  // lives as long as the process: code may run until its very end
    try {
      if (file) {
        if (g->begin(file)) return g;
        std::fprintf(stderr, "jacquard: JACQUARD_LLVM names '%s', which is no libLLVM from 14 on: kernels run on tiles\n", file);
      } else
        for (const std::string& name : names())
          if (g->begin(name.c_str())) return g;
    } catch (const error& e) {
      std::fprintf(stderr, "jacquard: libLLVM makes no code here: %s; kernels run on tiles\n", e.what());
    }
    delete g;
    return nullptr;
  }
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
    machine_name_ = std::string(file) + " " + f_.version() + "\n";
    start();
    jacquard::detail::forks::hold(mutex_);  // the library knows nothing of forks
    return true;
  }
  void start() {
    if (f_.is_14()) {
      // What shortens loops' addresses takes an offset in bytes for the same number of elements, where the text has that one and pointers no types.
      const char* const arguments[] = {"jacquard", "-opaque-pointers", "-disable-lsr"};
      f_.LLVMParseCommandLineOptions(3, arguments, "");
      machine_name_ += "-disable-lsr\n";
    }
    triple_ = taken(f_.LLVMGetDefaultTargetTriple());
    target_.features = taken(f_.LLVMGetHostCPUFeatures());
    target_.cpu = detail::scheduled_for(taken(f_.LLVMGetHostCPUName()), target_.features, detail::runs_on_amd(), f_.version().empty());
    target_.features += ",-avx512fp16";  // f16 is computed in f32; LLVM 14 ends the process where it takes elements out of converted vectors
    machine_name_ += triple_ + "\n" + target_.cpu + "\n" + target_.features + "\n";
    const auto has = [&](const char* feature) { return target_.features.find(feature) != std::string::npos; };
    if (has("+avx512f") && has("+avx512vl") && has("+avx512dq") && has("+avx512bw")) target_.bytes = 64, target_.isa = 'e';
    else if (has("+avx2") && has("+fma")) target_.bytes = 32, target_.isa = 'd';
    dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
    target_.has_function = &detail::process_has;
    void* target = nullptr;
    char* message = nullptr;
    if (f_.LLVMGetTargetFromTriple(triple_.c_str(), &target, &message)) fail(message);
    // Optimisation 3, position-independent code, small code model.
    const auto machine = [&] { return f_.LLVMCreateTargetMachine(target, triple_.c_str(), target_.cpu.c_str(), target_.features.c_str(), 3, 2, 3); };
    machine_ = machine();
    void* const builder = f_.LLVMOrcCreateLLJITBuilder();
    f_.LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, f_.LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine()));
    check(f_.LLVMOrcCreateLLJIT(&jit_, builder));
    void* generator = nullptr;
    check(f_.LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, f_.LLVMOrcLLJITGetGlobalPrefix(jit_), nullptr, nullptr));
    f_.LLVMOrcJITDylibAddGenerator(f_.LLVMOrcLLJITGetMainJITDylib(jit_), generator);
  }
  std::string taken(char* s) {
    std::string r(s);
    f_.LLVMDisposeMessage(s);
    return r;
  }
  void check(void* error) {
    if (error) fail(f_.LLVMGetErrorMessage(error));
  }
  [[noreturn]] void fail(const char* message) {
    raise(error_kind::value, "cpu: LLVM did not accept a kernel: ", std::string_view(message), "; this is a fault of the library, run the "
          "function with jq::backend(\"interpreter\") until it is mended");
  }

  static inline constinit jacquard::detail::atomic<bool> ended{false};
  detail::llvm_functions f_;
  jacquard::detail::recursive_mutex mutex_;
  vector_target target_;
  std::string triple_;
  void* machine_ = nullptr;
  void* jit_ = nullptr;
  std::string machine_name_;  ///< what code depends on besides its text
  std::vector<ref<native_module>> modules_;  ///< all that are in use, since no two may have one name, and some that were
};

inline native_module::~native_module() {
  code_generator& g = *code_generator::get();
  const jacquard::detail::scoped_lock lock(g.mutex_);
  if (g.ended.load()) return;
  g.f_.LLVMOrcResourceTrackerRemove(tracker_);
  g.f_.LLVMOrcReleaseResourceTracker(tracker_);
}
inline void* native_module::function(std::size_t number, std::size_t phase) const {
  code_generator& g = *code_generator::get();
  const jacquard::detail::scoped_lock lock(g.mutex_);
  std::uint64_t address = 0;
  g.check(g.f_.LLVMOrcLLJITLookup(g.jit_, &address, phase_name("jq." + name_ + "." + std::to_string(number), phase).c_str()));
  return reinterpret_cast<void*>(address);
}

}  // namespace jacquard::cpu
