// What a saved game asks of a world while it is read, and what it learns: it is older than the program that reads it.
#pragma once

#include <lido/core/rewind/image.hpp>

#include <string>
#include <vector>

namespace lido::owning {

struct lasting_notes : image_notes {
    /// Classes that this world does not have are left out; else the image is refused.
    bool leave_out_classes = false;

    std::vector<std::string> left_out;  ///< in the image, and not here
    std::vector<std::string> dropped;   ///< their objects have other fields here: they are read as T{}, and must end
    std::vector<std::string> fresh;     ///< here, and not in the image: they must be built

    /// Another read begins.
    void forget() noexcept {
        left_out.clear();
        dropped.clear();
        fresh.clear();
    }
};

}  // namespace lido::owning
