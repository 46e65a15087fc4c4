#pragma once
// Hooks: pointers that a lower layer declares and calls, and a header of a higher one defines. Including that header, or linking a library
// that was compiled with it, is all that it takes; a program that does without is spared the code. Where that library is linked the header
// defines none, so that what hangs from it is compiled there alone. Deliberately no registration at run time.

/// Declares a hook. In header-only programs it may be missing, which is_there tells; where jacquard::compiled is linked it is asked of the
/// linker, who takes it out of that library.
#ifdef JACQUARD_COMPILED
#define JACQUARD_HOOK extern constinit
#else
#define JACQUARD_HOOK [[gnu::weak]] extern constinit
#endif

namespace jacquard::detail {

/// Whether the program has a definition of the hook at this address. A function, as a compiler knows the answer of some hooks and remarks on
/// the question.
inline bool is_there(const void* hook) { return hook != nullptr; }

}  // namespace jacquard::detail
