# lido::settings: a world's settings from a TOML file. The one part of lido that is compiled, so that users' files never
# include toml++.

# The headers alone (CMakeLists.txt looks for them), without find_package(tomlplusplus): Debian's package file would link
# libtomlplusplus.so, which the machine that runs the program might not have.
if(NOT LIDO_TOMLPLUSPLUS_INCLUDE)
  message(FATAL_ERROR "toml++ (toml++/toml.h) was not found: install libtomlplusplus-dev, or configure with "
                      "-DLIDO_BUILD_SETTINGS=OFF to leave lido::settings out")
endif()

add_library(lido_settings STATIC src/world/settings_file.cpp src/world/settings_text.cpp)
add_library(lido::settings ALIAS lido_settings)
# Beside a user's sources it is compiled only if something links it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_settings PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# Position independent, so that it can be part of a plug-in.
set_target_properties(lido_settings PROPERTIES EXPORT_NAME settings POSITION_INDEPENDENT_CODE ON)
target_link_libraries(lido_settings PUBLIC lido_world)
target_include_directories(lido_settings SYSTEM PRIVATE "${LIDO_TOMLPLUSPLUS_INCLUDE}")
# Warnings and sanitizers as its tests have them. In the build tree only: an installed lido::settings does not name that target.
if(TARGET lido_development)
  target_link_libraries(lido_settings PRIVATE $<BUILD_INTERFACE:lido_development>)
endif()
