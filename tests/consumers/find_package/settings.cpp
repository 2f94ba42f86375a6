// A user's file that reads settings. Before main(), so that the same main.cpp does with and without it.
#include <lido/world/settings_file.hpp>

#include <cstdlib>

#ifdef TOML_LIB_MAJOR
#error a user of lido sees toml++
#endif

static const bool settings_were_read = [] {
    const lido::settings_result r = lido::parse_settings("[class.spark]\nprewarm = 8\n", "pools.toml");
    if (!r || r.table.classes.size() != 1 || r.table.classes[0].settings.prewarm != 8) std::exit(4);
    return true;
}();
