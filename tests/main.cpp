// The one main() of the test executables. Test files only write TEST_CASEs.
// The precompiled header has already declared doctest, so that both macros are needed to get its definitions here.

#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
