// Where a server is, as a person writes it: taken apart once, so that the password is in no text that is shown.
#pragma once

#include <lido/store/db_answer.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::store_detail {

/// Names and values as libpq takes them.
using postgres_settings = std::vector<std::pair<std::string, std::string>>;

struct postgres_address {
    /// One for each host, to be tried in this order: each gets its own time, so that a host that hangs does not hide the next one.
    std::vector<postgres_settings> hosts;
    /// "db.example:5432/game": no user, and no password.
    std::string shown = "PostgreSQL";

    [[nodiscard]] const std::string* find(std::string_view name) const noexcept {
        if (hosts.empty()) return nullptr;
        for (const auto& [key, value] : hosts.front()) {
            if (key == name) return &value;
        }
        return nullptr;
    }
};

/// `unusable` where it is no address; the sentence repeats nothing of it.
store::db_answer read_address(const std::string& text, postgres_address& to);

}  // namespace lido::store_detail
