// Fuzzes the reading and checking of requests: bytes from strangers are refused with a status and a plain sentence, or are a request
// that keeps every rule.
//
// Input: the first byte chooses the policy, the rest is what came over the wire. tests/fuzz/corpus/inspector_request is written by
// hand, one idea a file.
#include "http_request.hpp"
#include "request_check.hpp"
#include "stage_api.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace lido::test {
namespace {

using namespace inspect;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "inspector_request_fuzz: %s\n", what);
    std::abort();
}

void check_refusal(const refusal_of_request& r) {
    expect(r.status >= 400 && r.status <= 431, "a status that is no refusal");
    expect(!r.why.empty() && r.why.size() < 200, "a sentence that is not there or too long");
    for (const char c : r.why)
        expect(c == '\xe2' || c == '\x80' || c == '\xa6' || (c >= 0x20 && c < 0x7f), "what came is told back");
}

/// What is asked of a stage is a look within its bounds, or refused in a plain sentence.
void check_stage_wish(const checked_request& asked) {
    constexpr std::string_view first = "/api/v1/stages/0";
    if (!asked.path.starts_with(first)) return;
    const stage_wish w = read_stage_wish(std::string_view(asked.path).substr(first.size()), asked);
    expect((w.status == 200) == (w.job != nullptr), "a refusal with a job, or none without");
    if (w.job != nullptr) return;
    expect(w.status == 400 || w.status == 404, "a status of a stage that is no refusal");
    check_refusal({w.status, w.why});
}

void check_good(const http_request& r, const checked_request& asked, const access_policy& policy) {
    const std::string* const host = r.header("host");
    expect(host != nullptr && is_own_host(*host, policy), "answered under another name");
    const std::string* const origin = r.header("origin");
    expect(origin == nullptr || *origin == "http://" + *host || is_own_origin(*origin, *host), "another origin");
    expect(r.method == "GET" || r.method == "HEAD" || r.method == "POST", "another method");
    expect((r.method == "POST") == (asked.path == control_path), "a POST elsewhere");
    expect(r.body.size() <= http_limits::body && r.target.size() <= http_limits::target, "too long");
    expect(asked.path.starts_with("/") && asked.path.find("..") == std::string::npos &&
               asked.path.find('\0') == std::string::npos,
           "a path that leads elsewhere");
    // A command always carries the token in its header; so does everything of a remote reader, here or in a place of its own.
    bool anywhere = false;
    for (const auto& [name, value] : r.headers) anywhere = anywhere || value.find(policy.token) != std::string::npos;
    if (r.method == "POST") expect(anywhere, "a command without the token");
    for (const auto& [name, value] : asked.query) anywhere = anywhere || value == policy.token;
    // The page's own files are the same for everybody, and need none.
    const bool page = asked.path == "/" || asked.path == "/index.html" || asked.path.starts_with("/app/");
    if (policy.remote && !page) expect(anywhere, "a remote reader without the token");
    check_stage_wish(asked);
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido::test;
    if (size == 0) return 0;
    access_policy policy;
    policy.port = 7777;
    policy.token = "0123456789abcdef";
    policy.remote = (data[0] & 1) != 0;
    if ((data[0] & 2) != 0) policy.hosts = {"game.example"};
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    // A few of the requests that come together.
    for (int i = 0; i < 4; ++i) {
        const http_parse p = parse_request(bytes);
        if (p.is == http_parse::result::refused) {
            check_refusal(p.wrong);
            return 0;
        }
        if (p.is == http_parse::result::incomplete) {
            expect(bytes.size() < http_limits::head + http_limits::body, "more is waited for than is kept");
            return 0;
        }
        expect(p.used > 0 && p.used <= bytes.size(), "used");
        // The same bytes in two pieces are the same request.
        expect(parse_request(bytes.substr(0, p.used)).is == http_parse::result::complete, "the request alone");
        expect(parse_request(bytes.substr(0, p.used - 1)).is != http_parse::result::complete, "complete too early");
        checked_request asked;
        if (const refusal_of_request wrong = check_request(p.request, policy, asked))
            check_refusal(wrong);
        else
            check_good(p.request, asked, policy);
        bytes.remove_prefix(p.used);
    }
    return 0;
}
