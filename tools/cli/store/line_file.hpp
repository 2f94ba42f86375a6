// A file of lines that can be read twice: standard input is kept in a file without a name meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace lido::cli {

class line_file {
public:
    /// No line of an export is longer: 64 MiB of data, each of its bytes an escape, would be no row that anybody wrote.
    static constexpr std::size_t longest = std::size_t{80} << 20;

    line_file() = default;
    line_file(const line_file&) = delete;
    line_file& operator=(const line_file&) = delete;
    ~line_file();

    /// "-" is standard input. An empty text, or why not.
    [[nodiscard]] std::string open(const std::string& path);
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// The next line without its end; false at the end of the file, or where it cannot be read: then wrong() says why.
    bool next(std::string_view& line);
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
    [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
    /// "saves.jsonl:17: "
    [[nodiscard]] std::string place() const { return name_ + ":" + std::to_string(number_) + ": "; }
    void rewind();

private:
    std::string name_;
    std::FILE* file_ = nullptr;
    std::string piece_;   ///< what was read of it
    std::size_t at_ = 0;  ///< of that is taken
    std::string line_;
    std::string wrong_;
    std::uint64_t number_ = 0;
};

}  // namespace lido::cli
