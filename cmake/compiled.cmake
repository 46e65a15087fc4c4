# jacquard::compiled: linked instead of the library, it has the primitives, transforms of programs, the interpreter and the native backend
# compiled once for a program, instead of in each of its files. A static library that is built only where it is linked, with the flags of the project that links it.
# Read by the project itself and by those that find it installed, whose sources lie beside the package.

add_library(jacquard_compiled STATIC EXCLUDE_FROM_ALL)
add_library(jacquard::compiled ALIAS jacquard_compiled)
foreach(source IN ITEMS control cpu engine interpreter partitioner primitives_a_to_e primitives_f_to_o primitives_p_to_z)
  target_sources(jacquard_compiled PRIVATE ${jacquard_sources}/${source}.cpp)
endforeach()
target_link_libraries(jacquard_compiled PUBLIC jacquard::jacquard)
target_compile_definitions(jacquard_compiled INTERFACE JACQUARD_COMPILED)
set_target_properties(jacquard_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
