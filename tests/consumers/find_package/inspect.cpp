// A user's file with an inspector. Before main(), so that the same main.cpp does with and without it.
#include <lido/core.hpp>
#include <lido/inspect/inspector.hpp>

#include <cstdlib>

#if defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(AF_INET)
#error a user of lido sees what the inspector is made of
#endif

static const bool looked = [] {
    lido::slot_pool<int> pool{4};
    lido::inspector look;
    const lido::watched shown = look.watch_scoped("pool", pool);
    look.sample(1);
    if (!look.running() && look.error().empty()) std::exit(5);
    return true;
}();
