// What is known of a broken precondition when the program stops: the pool, and the line of the user's code.
//
//   lido: a pool iterator was used past the end; pool "bullets", from homing.cpp:17
//   lido: a refused acquire was used as an object: test it first; pool "bullets" refused at weapons.cpp:88: full; used at homing.cpp:17
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <cstdio>

namespace lido::detail {

/// "pool "bullets" refused at weapons.cpp:88 tick 3990: full".
LIDO_COLD inline void add_refusal(text_line& to, const refused_call& last) noexcept {
    to.add("pool \"%s\" refused at ", last.pool);
    add_place(to, last.at);
    add_tick(to, last.tick);
    to.add(": %s", last.why);
}

/// The latest get() of a null handle on this thread.
struct null_lookup {
    char pool[48];
    source_place at;
    bool after_refusal;  ///< last_refusal is of this pool
};
LIDO_SHARED inline constinit thread_local null_lookup last_null_lookup{};

LIDO_COLD inline void add_null_lookup(text_line& to) noexcept {
    to.add("pool \"%s\", looked up at ", last_null_lookup.pool);
    add_place(to, last_null_lookup.at);
    if (last_null_lookup.after_refusal) {
        to.add("; ");
        add_refusal(to, last_refusal);
    } else {
        to.add("; it was never set, or its acquire was refused long ago");
    }
}

LIDO_COLD inline bool tell_who_broke(const broken_promise& broken) noexcept {
    const source_place caller = broken.caller != nullptr
                                    ? (blamed_place ? blamed_place : source_place::returning_to(broken.caller))
                                    : (current_call != nullptr ? current_call->at : source_place{});
    const char* const pool = broken.pool == nullptr && broken.caller == nullptr && current_call != nullptr
                                 ? current_call->pool
                                 : broken.pool;
    if (!caller && pool == nullptr) return false;
    text_line text;
    if (broken.of == used_null::looked_up && last_null_lookup.pool[0] != '\0') {
        text.add("; ");
        add_null_lookup(text);
        text.add("; used at ");
    } else if (broken.of == used_null::refused && last_refusal.why != nullptr) {
        text.add("; ");
        add_refusal(text, last_refusal);
        text.add("; used at ");
    } else if (pool != nullptr) {
        text.add("; pool \"%s\"%s", pool, caller ? ", from " : "");
    } else {
        text.add("; from ");
    }
    if (caller) add_place(text, caller);
    std::fputs(text.text(), stderr);
    return true;
}

}  // namespace lido::detail
