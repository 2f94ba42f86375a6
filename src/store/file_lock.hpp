// One program has a database at a time: a lock on a file beside it, which goes with the program, however that ends.
#pragma once

#include <lido/store/db_answer.hpp>

#include <string>

namespace lido::store_detail {

class file_lock {
public:
    file_lock() noexcept = default;
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;
    ~file_lock() { release(); }

    /// `again` where another program, or another store of this one, has it: the sentence says who.
    store::db_answer take(const std::string& database);
    void release() noexcept;

private:
    int file_ = -1;
};

}  // namespace lido::store_detail
