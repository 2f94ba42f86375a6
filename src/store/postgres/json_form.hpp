// What jsonb makes of a JSON text before it is sent: it keeps what every number is, but not every text of it.
#pragma once

#include <string>
#include <string_view>

namespace lido::store_detail {

struct json_form {
    /// Why jsonb cannot keep it, or would keep something else; empty where it can. What is no JSON at all is left to the server.
    std::string refused;
    /// It has a -0, which jsonb makes 0: the text itself is kept beside it.
    bool needs_text = false;
};

[[nodiscard]] json_form json_form_of(std::string_view text);

}  // namespace lido::store_detail
