// "export: 12,000 of 50,000 rows" on a terminal, in one line that is wiped at the end. Into a pipe or a file nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lido::cli {

class progress {
public:
    /// `what` is done to `of` many `units`; 0: nobody knows how many.
    progress(std::string_view what, std::uint64_t of, std::string_view units);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { wipe(); }

    /// The first time at once, then ten times a second.
    void at(std::uint64_t done) { at(done, of_); }
    void at(std::uint64_t done, std::uint64_t of);
    void wipe() noexcept;

private:
    std::string what_;
    std::string units_;
    std::uint64_t of_;
    std::int64_t next_ = 0;
    bool terminal_;
    bool there_ = false;
};

}  // namespace lido::cli
