// SQLite's VFS on a faulty_disk. Only faulty_disk.cpp needs it.
#pragma once

#include <sqlite3.h>

#include <string>

#include "store/faulty_disk.hpp"

namespace store_tests {

struct faulty_vfs {
    explicit faulty_vfs(faulty_disk& on);
    faulty_vfs(const faulty_vfs&) = delete;
    faulty_vfs& operator=(const faulty_vfs&) = delete;
    ~faulty_vfs();

    std::string name;
    sqlite3_vfs vfs{};
};

}  // namespace store_tests
