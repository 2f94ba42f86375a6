# cmake -DMODE=source|installed -DPROJECT= -DWORK= -DCOMPILER= -DGENERATOR= -DLIDO_SOURCE= -DLIDO_BINARY= -DHAS_PACKAGES= -P ...
# Configures, builds and runs a user's project, from nothing each time.
function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message("${output}")
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "failed (output above): ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(options -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Debug)
if(MODE STREQUAL "installed")
  # Installed in one place and used from another: the package must not remember where it was made.
  step("${CMAKE_COMMAND}" --install "${LIDO_BINARY}" --prefix "${WORK}/first")
  file(RENAME "${WORK}/first" "${WORK}/prefix")
  # The program comes with the package where it is built.
  if(EXISTS "${WORK}/prefix/bin/lido")
    step("${WORK}/prefix/bin/lido" store --help)
  endif()
  list(APPEND options "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
       "-DLIDO_EXPECTED_PREFIX=${WORK}/prefix")
else()
  list(APPEND options "-DLIDO_SOURCE=${LIDO_SOURCE}" "-DLIDO_HAS_PACKAGES=${HAS_PACKAGES}")
endif()
step("${CMAKE_COMMAND}" -S "${PROJECT}" -B "${WORK}/build" ${options})
step("${CMAKE_COMMAND}" --build "${WORK}/build")
step("${WORK}/build/consumer")
