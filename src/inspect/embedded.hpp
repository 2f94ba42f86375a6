// The page's files, in the library: web/inspector/* as a generated source (cmake/EmbedFiles.cmake).
#pragma once

#include <span>
#include <string_view>

namespace lido::inspect {

struct embedded_file {
    std::string_view path;  ///< "/", "/app/main.js"
    std::string_view type;  ///< the Content-Type
    std::string_view bytes;
};

[[nodiscard]] std::span<const embedded_file> embedded_files() noexcept;

}  // namespace lido::inspect
