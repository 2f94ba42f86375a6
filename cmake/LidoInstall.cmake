# Install rules and the package that find_package(lido CONFIG) reads. Nothing in it is absolute, so that an installed
# tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(lido_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/lido")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/lido" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(TARGETS lido_core lido_world lido_entity lido EXPORT lidoTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET lido_symbols)
  install(TARGETS lido_symbols EXPORT lidoTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(TARGET lido_settings)
  install(TARGETS lido_settings EXPORT lidoTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(TARGET lido_inspect)
  install(TARGETS lido_inspect EXPORT lidoTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(TARGET lido_store)
  install(TARGETS lido_store EXPORT lidoTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(TARGET lido_store_postgres)
  install(TARGETS lido_store_postgres EXPORT lidoTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(TARGET lido_cli)
  install(TARGETS lido_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(EXPORT lidoTargets NAMESPACE lido:: DESTINATION "${lido_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/lido")

# Debugger views. Visual Studio takes a natvis file from the sources of a target; gdb is told where its file is.
install(FILES "${PROJECT_SOURCE_DIR}/tools/debugger/lido_gdb.py" DESTINATION "${CMAKE_INSTALL_DATADIR}/lido/gdb")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/debugger/gdb/lido_views" DESTINATION "${CMAKE_INSTALL_DATADIR}/lido/gdb"
        FILES_MATCHING PATTERN "*.py")
install(FILES "${PROJECT_SOURCE_DIR}/tools/debugger/lido.natvis" DESTINATION "${CMAKE_INSTALL_DATADIR}/lido/natvis")
if(MSVC)
  target_sources(
    lido_core
    INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/tools/debugger/lido.natvis>"
              "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_DATADIR}/lido/natvis/lido.natvis>")
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/lidoConfig.cmake.in" "${PROJECT_BINARY_DIR}/lidoConfig.cmake"
  INSTALL_DESTINATION "${lido_package_dir}"
  NO_SET_AND_CHECK_MACRO)
# Headers fit every architecture, a compiled library fits one.
set(lido_fits ARCH_INDEPENDENT)
if(TARGET lido_symbols OR TARGET lido_settings OR TARGET lido_inspect OR TARGET lido_store)
  set(lido_fits)
endif()
# Before 1.0 a minor version may break callers.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lidoConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion
  ${lido_fits})
install(FILES "${PROJECT_BINARY_DIR}/lidoConfig.cmake" "${PROJECT_BINARY_DIR}/lidoConfigVersion.cmake"
        DESTINATION "${lido_package_dir}")
