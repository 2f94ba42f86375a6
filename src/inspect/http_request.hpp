// A request as it came over the wire, from bytes that may be anything. Pure functions: no sockets here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::inspect {

/// What is wrong with a request: a status and one plain sentence. Status 0: nothing.
struct refusal_of_request {
    int status = 0;
    std::string why;
    [[nodiscard]] explicit operator bool() const noexcept { return status != 0; }
};

struct http_request {
    std::string method;
    std::string target;  ///< as sent: path and query
    bool keep_alive = true;
    bool expects_continue = false;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
    std::string body;

    /// Null when it is not there.
    [[nodiscard]] const std::string* header(std::string_view lower_name) const noexcept;
};

struct http_limits {
    static constexpr std::size_t target = 2048;       ///< bytes; else 414
    static constexpr std::size_t head = 16 * 1024;    ///< bytes of request line and headers; else 431
    static constexpr std::size_t header_lines = 100;  ///< else 431
    static constexpr std::size_t body = 4096;         ///< bytes; else 413
};

/// How far the bytes at the start of a connection's input have got.
struct http_parse {
    enum class result { incomplete, complete, refused };
    result is = result::incomplete;
    refusal_of_request wrong;    ///< when refused: the connection is of no use afterwards
    http_request request;        ///< when complete
    std::size_t used = 0;        ///< when complete: bytes of this request
    bool head_complete = false;  ///< only the body is missing
};

/// Complexity: O(bytes); at most http_limits::head and body of them are looked at.
[[nodiscard]] http_parse parse_request(std::string_view bytes);

}  // namespace lido::inspect
