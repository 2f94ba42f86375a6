# lido::inspect: the pools and entities of a running program in a browser. Compiled, so that users' files include neither sockets nor
# nlohmann-json.
if(WIN32)
  message(FATAL_ERROR "lido::inspect uses POSIX sockets; configure with -DLIDO_BUILD_INSPECT=OFF to leave it out")
endif()
if(NOT LIDO_NLOHMANN_INCLUDE)
  message(FATAL_ERROR "nlohmann-json (nlohmann/json.hpp) was not found: install nlohmann-json3-dev, or configure with "
                      "-DLIDO_BUILD_INSPECT=OFF to leave lido::inspect out")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# The page's files become a part of the library; a change of one, and a new one, builds it again.
set(lido_page_folder "${PROJECT_SOURCE_DIR}/web/inspector")
file(GLOB_RECURSE lido_page_files CONFIGURE_DEPENDS RELATIVE "${lido_page_folder}" "${lido_page_folder}/*")
list(FILTER lido_page_files INCLUDE REGEX "\\.(html|js|mjs|css|json|svg|png|ico|woff2|txt)$")
list(FILTER lido_page_files EXCLUDE REGEX "(^|/)(tests?|node_modules)/")
list(TRANSFORM lido_page_files PREPEND "${lido_page_folder}/" OUTPUT_VARIABLE lido_page_paths)
string(REPLACE ";" "," lido_page_list "${lido_page_files}")
set(lido_page_source "${PROJECT_BINARY_DIR}/generated/inspect/embedded.cpp")
add_custom_command(
  OUTPUT "${lido_page_source}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${lido_page_source}" "-DFOLDER=${lido_page_folder}" "-DFILES=${lido_page_list}" -P
          "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake"
  DEPENDS ${lido_page_paths} "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake"
  COMMENT "The inspector's page as a source"
  VERBATIM)

add_custom_target(lido_inspect_page DEPENDS "${lido_page_source}")
add_library(
  lido_inspect STATIC
  src/inspect/api.cpp
  src/inspect/board.cpp
  src/inspect/collector.cpp
  src/inspect/control_parser.cpp
  src/inspect/event_log.cpp
  src/inspect/http_request.cpp
  src/inspect/http_server.cpp
  src/inspect/inspector.cpp
  src/inspect/json_writer.cpp
  src/inspect/metrics_writer.cpp
  src/inspect/misuse_tap.cpp
  src/inspect/request_check.cpp
  src/inspect/slot_watch.cpp
  src/inspect/sockets.cpp
  src/inspect/stage_api.cpp
  src/inspect/stage_collector.cpp
  src/inspect/stage_jobs.cpp
  src/inspect/stage_writer.cpp
  src/inspect/store_collector.cpp
  src/inspect/store_writer.cpp
  "${lido_page_source}")
add_library(lido::inspect ALIAS lido_inspect)
# Beside a user's sources it is compiled only if something links it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_inspect PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# Position independent, so that it can be part of a plug-in.
set_target_properties(lido_inspect PROPERTIES EXPORT_NAME inspect POSITION_INDEPENDENT_CODE ON)
target_link_libraries(lido_inspect PUBLIC lido_entity PRIVATE Threads::Threads)
target_include_directories(lido_inspect PRIVATE "${PROJECT_SOURCE_DIR}/src/inspect")
target_include_directories(lido_inspect SYSTEM PRIVATE "${LIDO_NLOHMANN_INCLUDE}")
# Warnings and sanitizers as its tests have them. In the build tree only: an installed lido::inspect does not name that target.
if(TARGET lido_development)
  target_link_libraries(lido_inspect PRIVATE $<BUILD_INTERFACE:lido_development>)
endif()
