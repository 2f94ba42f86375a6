#include "request_check.hpp"

#include "text.hpp"

#include <algorithm>
#include <cstddef>

namespace lido::inspect {

namespace {

/// Splits "name:port" and "[::1]:port". The port is empty when it is not there.
[[nodiscard]] bool split_host(std::string_view host, std::string_view& name, std::string_view& port) {
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    if (bracket == std::string_view::npos) return false;
    const std::size_t colon = host.find(':', bracket);
    name = host.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view{} : host.substr(colon + 1);
    return !name.empty() && (colon == std::string_view::npos || !port.empty());
}

[[nodiscard]] refusal_of_request read_target(std::string_view target, checked_request& out) {
    const std::size_t mark = target.find('?');
    const std::string_view path = target.substr(0, mark);
    if (!decode_percent(path, out.path)) return {400, "the path has characters that no path of this server has"};
    if (out.path.find("..") != std::string::npos || out.path.find('\\') != std::string::npos ||
        out.path.find("//") != std::string::npos || out.path.find('#') != std::string::npos)
        return {400, "the path has parts that no path of this server has"};
    if (mark == std::string_view::npos) return {};
    std::string_view query = target.substr(mark + 1);
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        std::string name;
        std::string value;
        if (!decode_percent(part.substr(0, equals), name)) return {400, "the query cannot be read"};
        if (equals != std::string_view::npos && !decode_percent(part.substr(equals + 1), value))
            return {400, "the query cannot be read"};
        if (out.value(name) != nullptr) return {400, "the query says something twice"};
        if (!name.empty()) out.query.emplace_back(std::move(name), std::move(value));
        if (out.query.size() > 16) return {400, "the query has too many parts"};
    }
    return {};
}

/// The token in "Authorization: Bearer …"; empty when there is none.
[[nodiscard]] std::string_view bearer(const http_request& request) {
    const std::string* const given = request.header("authorization");
    if (given == nullptr || given->size() < 7 || lower(std::string_view(*given).substr(0, 7)) != "bearer ") return {};
    return std::string_view(*given).substr(7);
}

/// Where a token may be in the address: what a browser asks for without a way to add a header.
[[nodiscard]] bool takes_token_in_query(std::string_view path) {
    return path == "/api/v1/stream" || path.starts_with("/api/v1/views/");
}

/// The page and its files, which are the same for everybody and say nothing of the program. Only with them can a browser keep the token
/// to itself: it follows a # in the address of the page, and no browser sends that.
[[nodiscard]] bool is_page(std::string_view path) {
    return path == "/" || path == "/index.html" || path.starts_with("/app/");
}

[[nodiscard]] refusal_of_request check_token(const http_request& request, const access_policy& policy,
                                             const checked_request& asked) {
    const bool command = request.method == "POST";
    if (!command && (!policy.remote || is_page(asked.path))) return {};
    if (same_secret(bearer(request), policy.token)) return {};
    if (!command) {
        const std::string* const in_query = asked.value("token");
        if (in_query != nullptr && takes_token_in_query(asked.path) && same_secret(*in_query, policy.token)) return {};
    }
    return {401, command ? "commands need the token: Authorization: Bearer …"
                         : "the token is needed: the program prints it as it starts"};
}

}  // namespace

const std::string* checked_request::value(std::string_view name) const noexcept {
    for (const auto& [n, v] : query) {
        if (n == name) return &v;
    }
    return nullptr;
}

bool same_secret(std::string_view a, std::string_view b) noexcept {
    if (b.empty() || a.size() != b.size()) return false;
    unsigned char differs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        differs =
            static_cast<unsigned char>(differs | (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
    return differs == 0;
}

bool is_address(std::string_view host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        const std::string_view inside = host.substr(1, host.size() - 2);
        return inside.find(':') != std::string_view::npos && std::all_of(inside.begin(), inside.end(), [](char c) {
                   return c == ':' || c == '.' || hex_digit(c) >= 0;
               });
    }
    int parts = 0;
    while (true) {
        const std::string_view part = host.substr(0, host.find('.'));
        std::uint64_t n = 0;
        if (!read_number(part, n) || part.size() > 3 || n > 255) return false;
        ++parts;
        if (part.size() == host.size()) return parts == 4;
        host.remove_prefix(part.size() + 1);
    }
}

bool is_own_host(std::string_view host, const access_policy& policy) {
    std::string_view name;
    std::string_view port;
    if (!split_host(host, name, port)) return false;
    const std::string plain = lower(name);
    // A name of its own may stand for a proxy, whose port is its own affair.
    if (std::find(policy.hosts.begin(), policy.hosts.end(), plain) != policy.hosts.end()) {
        std::uint64_t n = 0;
        return port.empty() || read_number(port, n);
    }
    std::uint64_t number = 80;
    if (!port.empty() && !read_number(port, number)) return false;
    if (number != policy.port) return false;
    if (plain == "localhost" || plain == "127.0.0.1" || plain == "[::1]" || plain == policy.loopback) return true;
    // What is no name cannot be rebound.
    return policy.remote && is_address(plain);
}

bool is_own_origin(std::string_view origin, std::string_view host) {
    constexpr std::string_view scheme = "http://";
    const std::string plain = lower(origin);
    return plain.starts_with(scheme) && plain.substr(scheme.size()) == lower(host);
}

refusal_of_request check_request(const http_request& request, const access_policy& policy, checked_request& out) {
    const std::string* const host = request.header("host");
    if (host == nullptr) return {400, "the header Host is missing"};
    if (!is_own_host(*host, policy)) return {403, "this server does not go by that name: open it by its own address"};
    if (const std::string* const origin = request.header("origin"); origin != nullptr && !is_own_origin(*origin, *host))
        return {403, "requests from pages of other sites are refused"};
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
        return {405, "only GET and HEAD are answered, and POST to " + std::string(control_path)};
    if (refusal_of_request wrong = read_target(request.target, out)) return wrong;
    if ((request.method == "POST") != (out.path == control_path))
        return {405, request.method == "POST" ? "POST is only for " + std::string(control_path)
                                              : std::string(control_path) + " is only for POST"};
    if (refusal_of_request wrong = check_token(request, policy, out)) return wrong;
    if (request.method == "POST") {
        const std::string* const type = request.header("content-type");
        const std::string plain = type != nullptr ? lower(*type) : std::string{};
        if (plain != "application/json" && !plain.starts_with("application/json;"))
            return {400, "a command is sent as Content-Type: application/json"};
    } else if (!request.body.empty()) {
        return {400, "a request of this method has no body"};
    }
    out.body_wanted = request.method != "HEAD";
    return {};
}

}  // namespace lido::inspect
