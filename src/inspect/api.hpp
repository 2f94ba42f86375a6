// What each address answers: docs/protocol/inspector.md. On the server's thread, from the board.
#pragma once

#include "board.hpp"
#include "http_server.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace lido::inspect {

/// The text of the latest sample: written once, for all streams.
class sample_text {
public:
    explicit sample_text(const board& from) : from_(from) {}

    [[nodiscard]] std::uint64_t number() const noexcept { return from_.number(); }
    [[nodiscard]] const std::string& latest();

private:
    const board& from_;
    std::uint64_t number_ = 0;
    std::string text_;
};

class api final : public http_handler {
public:
    api(board& shared, std::string program, std::uint64_t started_ms, std::chrono::steady_clock::time_point started)
        : board_(shared), program_(std::move(program)), started_ms_(started_ms), started_(started), sample_(shared) {}

    [[nodiscard]] http_result handle(const http_request& request, const checked_request& asked) override;
    [[nodiscard]] std::string goodbye() override;

private:
    [[nodiscard]] http_result hello() const;
    [[nodiscard]] http_result pool(std::uint32_t id);
    [[nodiscard]] http_result map(std::uint32_t id, const checked_request& asked);
    [[nodiscard]] http_result pools(const checked_request& asked);
    [[nodiscard]] http_result events(const checked_request& asked) const;
    [[nodiscard]] http_result view(std::string_view name);
    [[nodiscard]] http_result control(const http_request& request);
    [[nodiscard]] static http_result file(const checked_request& asked);
    [[nodiscard]] std::uint64_t now_ms() const noexcept;

    board& board_;
    std::string program_;
    std::uint64_t started_ms_;
    std::chrono::steady_clock::time_point started_;
    sample_text sample_;
};

}  // namespace lido::inspect
