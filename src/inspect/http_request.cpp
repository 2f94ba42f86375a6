#include "http_request.hpp"

#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lido::inspect {

namespace {

[[nodiscard]] http_parse refused(int status, std::string_view why) {
    http_parse p;
    p.is = http_parse::result::refused;
    p.wrong = {status, std::string(why)};
    return p;
}

/// The characters of a token: RFC 9110, 5.6.2.
[[nodiscard]] bool is_token(std::string_view s) noexcept {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

/// No control characters; bytes from 0x80 on are opaque.
[[nodiscard]] bool is_field_value(std::string_view s) noexcept {
    return std::all_of(s.begin(), s.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return u == '\t' || (u >= 0x20 && u != 0x7f);
    });
}

[[nodiscard]] std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

/// Takes "METHOD target HTTP/1.x" apart.
[[nodiscard]] refusal_of_request read_first_line(std::string_view line, http_request& out) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return {400, "this is no HTTP request"};
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method) || method.size() > 32) return {400, "the method is not one of HTTP"};
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return {400, "only HTTP/1.1 and HTTP/1.0 are spoken here"};
    if (target.size() > http_limits::target) return {414, "the address is too long"};
    const bool plain = std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (!plain || target.empty() || target.front() != '/') return {400, "the address must be a path"};
    out.method = method;
    out.target = target;
    out.keep_alive = version == "HTTP/1.1";
    return {};
}

/// Headers that mean something else when they come twice.
constexpr std::array<std::string_view, 5> single = {"host", "origin", "content-length", "authorization",
                                                    "content-type"};

[[nodiscard]] refusal_of_request read_header(std::string_view line, http_request& out) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
        return {400, "a header line is not \"name: value\""};
    std::string name = lower(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!is_field_value(value)) return {400, "a header has control characters"};
    if (std::find(single.begin(), single.end(), name) != single.end() && out.header(name) != nullptr)
        return {400, "the header " + name + " is there twice"};
    out.headers.emplace_back(std::move(name), std::string(value));
    return {};
}

}  // namespace

const std::string* http_request::header(std::string_view lower_name) const noexcept {
    for (const auto& [name, value] : headers) {
        if (name == lower_name) return &value;
    }
    return nullptr;
}

http_parse parse_request(std::string_view bytes) {
    http_parse p;
    const std::string_view head = bytes.substr(0, http_limits::head);
    const std::size_t end = head.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        // Said as early as it can be known, so that nobody can make us keep what will be refused.
        const std::size_t line = head.find("\r\n");
        if (line == std::string_view::npos && head.size() > http_limits::target + 64) {
            return refused(414, "the address is too long");
        }
        if (bytes.size() >= http_limits::head) return refused(431, "the headers are too long");
        if (line != std::string_view::npos) {
            if (refusal_of_request wrong = read_first_line(head.substr(0, line), p.request))
                return refused(wrong.status, wrong.why);
            const auto lines = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n'));
            if (lines > http_limits::header_lines + 1) return refused(431, "there are too many headers");
            p.request = {};
        }
        return p;
    }
    std::string_view rest = head.substr(0, end + 2);
    std::size_t lines = 0;
    while (!rest.empty()) {
        const std::size_t stop = rest.find("\r\n");
        const std::string_view line = rest.substr(0, stop);
        rest.remove_prefix(stop + 2);
        const refusal_of_request wrong = lines == 0 ? read_first_line(line, p.request) : read_header(line, p.request);
        if (wrong) return refused(wrong.status, wrong.why);
        if (++lines > http_limits::header_lines + 1) return refused(431, "there are too many headers");
    }
    if (p.request.header("transfer-encoding") != nullptr)
        return refused(400, "a body must come with Content-Length and without Transfer-Encoding");
    if (const std::string* const connection = p.request.header("connection")) {
        const std::string says = lower(*connection);
        if (says.find("close") != std::string::npos) p.request.keep_alive = false;
        if (says.find("keep-alive") != std::string::npos) p.request.keep_alive = true;
    }
    std::uint64_t size = 0;
    if (const std::string* const length = p.request.header("content-length")) {
        if (!read_number(*length, size)) return refused(400, "Content-Length is not a number");
        if (size > http_limits::body) return refused(413, "the body is longer than 4096 bytes");
    }
    if (const std::string* const expect = p.request.header("expect")) {
        if (lower(*expect) != "100-continue") return refused(400, "the header expect asks for something unknown");
        p.request.expects_continue = true;
    }
    p.head_complete = true;
    const std::size_t from = end + 4;
    if (bytes.size() - from < size) return p;
    p.request.body = bytes.substr(from, size);
    p.used = from + size;
    p.is = http_parse::result::complete;
    return p;
}

}  // namespace lido::inspect
