# lido::store: entities that outlive the program, in SQLite. Compiled, so that users' files never include SQLite.
if(WIN32)
  message(FATAL_ERROR "lido::store locks and syncs files as POSIX has it; configure with -DLIDO_BUILD_STORE=OFF to leave it out")
endif()
if(NOT LIDO_SQLITE_INCLUDE OR NOT LIDO_SQLITE_LIBRARY)
  message(FATAL_ERROR "SQLite (sqlite3.h and its library) was not found: install libsqlite3-dev, or configure with "
                      "-DLIDO_BUILD_STORE=OFF to leave lido::store out")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

file(GLOB_RECURSE lido_store_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/store/*.cpp")
list(FILTER lido_store_sources EXCLUDE REGEX "/src/store/postgres/")
add_library(lido_store STATIC ${lido_store_sources})
add_library(lido::store ALIAS lido_store)
# Beside a user's sources it is compiled only if something links it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_store PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# Position independent, so that it can be part of a plug-in.
set_target_properties(lido_store PROPERTIES EXPORT_NAME store POSITION_INDEPENDENT_CODE ON)
# By its name and not by its path here: an installed lido::store is linked on another machine.
target_link_libraries(lido_store PUBLIC lido_entity PRIVATE Threads::Threads "$<BUILD_INTERFACE:${LIDO_SQLITE_LIBRARY}>"
                                                            "$<INSTALL_INTERFACE:sqlite3>")
target_include_directories(lido_store SYSTEM PRIVATE "${LIDO_SQLITE_INCLUDE}")
# Warnings and sanitizers as its tests have them. In the build tree only: an installed lido::store does not name that target.
if(TARGET lido_development)
  target_link_libraries(lido_store PRIVATE $<BUILD_INTERFACE:lido_development>)
endif()
