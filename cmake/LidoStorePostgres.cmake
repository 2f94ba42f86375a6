# lido::store_postgres: a store's database on a PostgreSQL server. A library of its own beside lido::store, so that a program that only uses
# SQLite neither links libpq nor needs it on the machine.
if(NOT LIDO_LIBPQ_INCLUDE OR NOT LIDO_LIBPQ_LIBRARY)
  message(FATAL_ERROR "libpq (libpq-fe.h and its library) was not found: install libpq-dev, or configure with "
                      "-DLIDO_BUILD_POSTGRES=OFF to leave lido::store_postgres out")
endif()

file(GLOB lido_store_postgres_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/store/postgres/*.cpp")
add_library(lido_store_postgres STATIC ${lido_store_postgres_sources})
add_library(lido::store_postgres ALIAS lido_store_postgres)
# Beside a user's sources it is compiled only if something links it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_store_postgres PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# Position independent, so that it can be part of a plug-in.
set_target_properties(lido_store_postgres PROPERTIES EXPORT_NAME store_postgres POSITION_INDEPENDENT_CODE ON)
# By its name and not by its path here: an installed one is linked on another machine.
target_link_libraries(lido_store_postgres PUBLIC lido_store PRIVATE Threads::Threads "$<BUILD_INTERFACE:${LIDO_LIBPQ_LIBRARY}>"
                                                                     "$<INSTALL_INTERFACE:pq>")
target_include_directories(lido_store_postgres SYSTEM PRIVATE "${LIDO_LIBPQ_INCLUDE}")
# For programs that take either: whoever links it may offer it.
target_compile_definitions(lido_store_postgres INTERFACE LIDO_STORE_POSTGRES=1)
# Warnings and sanitizers as its tests have them. In the build tree only: an installed one does not name that target.
if(TARGET lido_development)
  target_link_libraries(lido_store_postgres PRIVATE $<BUILD_INTERFACE:lido_development>)
endif()
