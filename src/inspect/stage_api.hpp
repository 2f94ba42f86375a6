// What the addresses below /api/v1/stages return. The part of a request that names a look at a stage is read here, by a pure function.
#pragma once

#include "board.hpp"
#include "http_server.hpp"
#include "request_check.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lido::inspect {

inline constexpr std::string_view stages_path = "/api/v1/stages";

/// What a request asks of a stage: a job, or a status and one plain sentence. `path` is what follows stages_path and the id.
struct stage_wish {
    int status = 200;
    std::string why;
    std::shared_ptr<stage_job> job;
};
[[nodiscard]] stage_wish read_stage_wish(std::string_view path, const checked_request& asked);

[[nodiscard]] http_result stages_answer(board& shared, const checked_request& asked);

}  // namespace lido::inspect
