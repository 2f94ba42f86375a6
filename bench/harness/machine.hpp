// What a figure depends on beside the code.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Name and value: processor, cores, caches, governor, huge pages, load, kernel, compiler, flags, versions of the peers.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace bench
