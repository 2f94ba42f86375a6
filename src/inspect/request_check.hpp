// Whether a request is one to answer: who it says it is for, where it comes from, what it may ask. Pure functions of text; fuzzed.
//
// A page of any site can make a browser send requests to this machine's loopback. What keeps it out:
//   Host     names this server, so that a name of the attacker's that resolves to 127.0.0.1 (DNS rebinding) is refused
//   Origin   when there, is this server itself
//   token    for every command; and for everything but the page itself, when other machines may connect
#pragma once

#include "http_request.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::inspect {

struct access_policy {
    std::uint16_t port = 0;
    std::string token;
    bool remote = false;             ///< other machines may connect
    std::string loopback;            ///< the address that was bound, when others may not connect
    std::vector<std::string> hosts;  ///< names that are good beside localhost, in lower case
};

/// What is asked for, once it may be.
struct checked_request {
    std::string path;  ///< decoded, without query
    std::vector<std::pair<std::string, std::string>> query;
    bool body_wanted = true;  ///< not for HEAD

    /// Null when it is not there.
    [[nodiscard]] const std::string* value(std::string_view name) const noexcept;
};

[[nodiscard]] refusal_of_request check_request(const http_request& request, const access_policy& policy,
                                               checked_request& out);

inline constexpr std::string_view control_path = "/api/v1/control";

// The parts, for tests.
[[nodiscard]] bool is_own_host(std::string_view host, const access_policy& policy);
[[nodiscard]] bool is_own_origin(std::string_view origin, std::string_view host);
[[nodiscard]] bool is_address(std::string_view host);  ///< an IPv4 address, or an IPv6 one in brackets
[[nodiscard]] bool same_secret(std::string_view a,
                               std::string_view b) noexcept;  ///< in a time that does not tell where they differ

}  // namespace lido::inspect
