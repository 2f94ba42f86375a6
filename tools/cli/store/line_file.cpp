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
    piece_.clear();
    at_ = 0;
    number_ = 0;
    wrong_.clear();
}

bool line_file::next(std::string_view& line) {
    line_.clear();
    ++number_;
    bool ends = false;
    while (!ends) {
        if (at_ == piece_.size()) {
            piece_.resize(65536);
            piece_.resize(std::fread(piece_.data(), 1, piece_.size(), file_));
            at_ = 0;
            if (piece_.empty()) {
                if (std::ferror(file_) != 0) wrong_ = place() + "it cannot be read (" + std::strerror(errno) + ")";
                break;
            }
        }
        const std::size_t end = piece_.find('\n', at_);
        ends = end != std::string::npos;
        line_.append(piece_, at_, (ends ? end : piece_.size()) - at_);
        at_ = ends ? end + 1 : piece_.size();
        if (line_.size() > longest) wrong_ = place() + "the line is longer than any row";
        if (!wrong_.empty()) return false;
    }
    if (!wrong_.empty() || (!ends && line_.empty())) return false;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    line = line_;
    // As editors of another system begin a file.
    if (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    return true;
}

}  // namespace lido::cli
