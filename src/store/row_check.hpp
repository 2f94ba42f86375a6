// What no database of a store writes, whatever it is: said once, so that all say the same.
#pragma once

#include <lido/store/db_answer.hpp>
#include <lido/store/row.hpp>

#include <string>
#include <string_view>

#include "row_text.hpp"

namespace lido::store_detail {

/// The most that one row's data may have.
inline constexpr std::size_t largest_data = std::size_t{64} << 20;

[[nodiscard]] inline store::db_answer check_name(std::string_view of_class, std::string_view key) {
    if (const char* wrong = wrong_name(of_class))
        return {store::db_fault::row, std::string("the name of the class ") + wrong + ", so it has no rows"};
    if (const char* wrong = wrong_name(key))
        return {store::db_fault::row, std::string("the key ") + wrong +
                                          ": a key is 1 to 255 bytes of UTF-8 without "
                                          "control characters"};
    return {};
}

[[nodiscard]] inline store::db_answer check_write(const store::row_write& w) {
    if (store::db_answer bad = check_name(w.of_class, w.key); !bad) return bad;
    if (!is_countable(w.epoch) || !is_countable(w.generation) || !is_countable(w.version) || !is_countable(w.birth))
        return {store::db_fault::row, "an epoch, generation or version of 2^63 or more cannot be stored"};
    if (w.erased != w.data.empty()) return {store::db_fault::row, "a row has data, and a tombstone has none"};
    if (w.data.size() > largest_data)
        return {store::db_fault::row, "the data has " + std::to_string(w.data.size()) +
                                          " bytes; a row holds 64 MiB: keep less in one entity"};
    if (!is_text(w.data)) return {store::db_fault::row, "the data is not valid UTF-8, or has a NUL in it"};
    return {};
}

}  // namespace lido::store_detail
