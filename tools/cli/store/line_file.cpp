#include "line_file.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "../base/interrupt.hpp"
#include "../base/text.hpp"

namespace lido::cli {

line_file::~line_file() {
    if (file_ != nullptr) std::fclose(file_);
}

std::string line_file::open(const std::string& path) {
    if (path != "-") {
        name_ = printable(path);
        struct stat about {};
        if (::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode))
            return name_ + ": it is a folder; give the path of an export";
        file_ = std::fopen(path.c_str(), "rbe");
        return file_ != nullptr ? std::string() : name_ + ": it cannot be read (" + std::strerror(errno) + ")";
    }
    name_ = "standard input";
    file_ = std::tmpfile();
    if (file_ == nullptr)
        return std::string("standard input cannot be kept in a file meanwhile (") + std::strerror(errno) + ")";
    std::array<char, 65536> piece{};
    std::size_t got = 0;
    while ((got = std::fread(piece.data(), 1, piece.size(), stdin)) != 0) {
        if (interrupted()) return "interrupted";
        if (std::fwrite(piece.data(), 1, got, file_) != got)
            return std::string("standard input cannot be kept in a file meanwhile (") + std::strerror(errno) + ")";
    }
    if (std::ferror(stdin) != 0) return "standard input cannot be read";
    rewind();
    return {};
}

void line_file::rewind() {
    std::rewind(file_);
    number_ = 0;
    wrong_.clear();
}

bool line_file::next(std::string_view& line) {
    line_.clear();
    std::array<char, 65536> piece{};
    ++number_;
    // With fgets the length of a piece with a NUL in it is not known; it is found by what was there before.
    for (;;) {
        piece.fill('\n');
        if (std::fgets(piece.data(), static_cast<int>(piece.size()), file_) == nullptr) {
            if (std::ferror(file_) != 0) wrong_ = place() + "it cannot be read (" + std::strerror(errno) + ")";
            break;
        }
        std::size_t length = piece.size();
        while (length != 0 && piece[length - 1] == '\n') --length;
        // What fgets wrote ends with a NUL, and before it the end of the line where that was read.
        if (length != 0) --length;
        const bool whole = length != 0 && piece[length - 1] == '\n';
        line_.append(piece.data(), length);
        if (whole) break;
        if (line_.size() > longest) {
            wrong_ = place() + "the line is longer than any row";
            return false;
        }
    }
    if (!wrong_.empty() || line_.empty()) return false;
    if (line_.back() == '\n') line_.pop_back();
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    line = line_;
    // As editors of another system begin a file.
    if (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    return true;
}

}  // namespace lido::cli
