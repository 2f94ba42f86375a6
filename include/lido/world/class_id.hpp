// The identity of a class by its name: the same on every machine and in every order of add(), so that images, stores and messages can
// name a class by it. Numbers of classes are only the same where the same classes were added in the same order.
#pragma once

#include <cstdint>
#include <string_view>

namespace lido {

using class_id = std::uint64_t;

/// FNV-1a and a final avalanche, never 0. Written into files and messages: it does not change from version to version.
[[nodiscard]] constexpr class_id class_id_of(std::string_view name) noexcept {
    class_id id = 0xcbf29ce484222325u;
    for (const char c : name) id = (id ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    id = (id ^ (id >> 32)) * 0x9e3779b97f4a7c15u;
    id ^= id >> 29;
    return id == 0 ? 1 : id;
}

}  // namespace lido
