// What PostgreSQL's error codes mean to a store.
#pragma once

#include <lido/store/db_answer.hpp>

#include <string_view>

namespace lido::store_detail {

struct postgres_meaning {
    store::db_fault fault;
    const char* what;
};

/// Of an SQLSTATE, five characters.
[[nodiscard]] postgres_meaning postgres_meaning_of(std::string_view state) noexcept;

}  // namespace lido::store_detail
