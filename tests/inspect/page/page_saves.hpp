// A store for the tests of the inspector's page, without a database: its figures are what a test asks for.
#pragma once

#include <lido/inspect/inspector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace page_test {

class saves {
public:
    struct position {
        std::uint64_t tick = 0;
        std::uint64_t commit = 0;
    };
    struct figures {
        std::size_t entities = 12;
        std::size_t pending = 0;
        std::size_t loading = 0;
        std::size_t bytes_held = 4096;
        position durable{121, 55};
        position confirmed{121, 55};
        std::uint64_t saves = 40;
        std::uint64_t coalesced = 7;
        std::uint64_t superseded = 0;
        std::uint64_t failed = 0;
        std::uint64_t loads = 9;
        std::uint64_t loads_refused = 0;
        std::uint64_t transactions = 31;
        std::uint64_t retries = 0;
        std::uint64_t bytes_written = 2222;
        std::uint64_t snapshots = 0;
        std::uint64_t creations_refused = 0;
    };

    void offer(lido::inspector& look) {
        look.watch("saves", *this);
        look.command({.name = "disk full", .kind = lido::command_kind::toggle, .label = "The disk is full"},
                     [this](const lido::command_value& v) {
                         trouble_ = v.on() ? "the disk of <b>world.db</b> is full" : "";
                         figures_.pending = v.on() ? 3 : 0;
                         figures_.retries = v.on() ? 5 : figures_.retries;
                         figures_.durable.tick = v.on() ? 118 : 121;
                         return std::string(v.on() ? "full" : "room again");
                     });
        look.command({.name = "lose store", .label = "Another program takes the database"},
                     [this](const lido::command_value&) {
                         trouble_ = "another program has it";
                         ready_ = false;
                         figures_.failed = 3;
                         return std::string("lost");
                     });
    }

    [[nodiscard]] figures stats() const noexcept { return figures_; }
    [[nodiscard]] const std::string& describe() const noexcept { return describe_; }
    [[nodiscard]] std::string trouble() const { return trouble_; }
    [[nodiscard]] std::uint64_t run() const noexcept { return 4; }
    [[nodiscard]] explicit operator bool() const noexcept { return ready_; }

private:
    figures figures_;
    std::string describe_ = "SQLite 3.40.1, world.db";
    std::string trouble_;
    bool ready_ = true;
};

}  // namespace page_test
