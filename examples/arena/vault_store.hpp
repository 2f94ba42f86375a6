// Vaults and purses in a file, by lido::store: arena --store FILE.
#pragma once

#include "keeper.hpp"

#include <memory>
#include <string>

namespace arena {

/// Says on stdout what it has found and what it leaves. Null where this build has no store.
[[nodiscard]] std::shared_ptr<keeper> make_vault_store(const std::string& file);

}  // namespace arena
