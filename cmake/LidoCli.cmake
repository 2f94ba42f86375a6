# The program `lido` (tools/cli): `lido store …` looks into a store, copies it and repairs it.
if(NOT TARGET lido_store)
  message(FATAL_ERROR "the program lido needs lido::store; configure with -DLIDO_BUILD_STORE=ON, or with -DLIDO_BUILD_CLI=OFF to leave it out")
endif()
if(NOT LIDO_NLOHMANN_INCLUDE)
  message(FATAL_ERROR "the program lido needs nlohmann-json (nlohmann/json.hpp): install nlohmann-json3-dev, or configure with "
                      "-DLIDO_BUILD_CLI=OFF to leave it out")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# All but main(): tests and fuzzers call its parts.
file(GLOB_RECURSE lido_cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/cli/*.cpp")
list(FILTER lido_cli_sources EXCLUDE REGEX "/tools/cli/main\\.cpp$")
add_library(lido_cli_parts STATIC ${lido_cli_sources})
target_link_libraries(lido_cli_parts PUBLIC lido_store Threads::Threads)
target_include_directories(lido_cli_parts SYSTEM PRIVATE "${LIDO_NLOHMANN_INCLUDE}")
# postgres://… is understood where lido::store_postgres is built.
if(TARGET lido_store_postgres)
  target_link_libraries(lido_cli_parts PUBLIC lido_store_postgres)
  target_compile_definitions(lido_cli_parts PUBLIC LIDO_CLI_POSTGRES=1)
endif()
add_executable(lido_cli "${PROJECT_SOURCE_DIR}/tools/cli/main.cpp")
# The package's interface target is named lido, so the program's target is not.
set_target_properties(lido_cli PROPERTIES OUTPUT_NAME lido RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
target_link_libraries(lido_cli PRIVATE lido_cli_parts)
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_cli_parts lido_cli PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
if(TARGET lido_development)
  target_link_libraries(lido_cli_parts PRIVATE lido_development)
  target_link_libraries(lido_cli PRIVATE lido_development)
endif()
