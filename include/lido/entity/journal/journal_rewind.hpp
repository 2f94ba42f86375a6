// A journal as a part of a save: its position, 48 bytes however much is in it. A restore cuts it.
//
// It has no image: what a file keeps of a journal is journal_state, and loading it is a reset().
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/entity/journal/journal.hpp>

#include <cstddef>
#include <cstring>

namespace lido {

struct journal_rewind {
    template <class Journal>
    struct staged {
        journal_position position;
    };

    [[nodiscard]] static bool save(const journal& j, section& to) noexcept {
        std::byte* const data = to.begin(sizeof(journal_position), alignof(journal_position));
        if (data == nullptr) return false;
        const journal_position position = j.position();
        std::memcpy(data, &position, sizeof position);
        to.seal(&section_kind<journal>);
        return true;
    }

    [[nodiscard]] static restore_result stage(const journal& j, const section& from, staged<journal>& out) noexcept {
        if (from.kind() != &section_kind<journal>)
            return {restore_error::other_parts, "the snapshot has something else where the journal should be"};
        std::memcpy(&out.position, from.data(), sizeof out.position);
        const journal_answer can = j.can_cut(out.position);
        if (can) return {};
        const bool inside = can.refusal == journal_refusal::reading || can.refusal == journal_refusal::writing;
        const bool other = can.refusal == journal_refusal::other_journal;
        return {inside  ? restore_error::reentrant
                : other ? restore_error::other_parts
                        : restore_error::not_kept,
                can.why()};
    }

    static void commit(journal& j, staged<journal>& from) noexcept {
        // Nothing was confirmed or cut since it was staged, unless another part did it in its own commit; then the journal stays.
        static_cast<void>(j.cut(from.position));
    }

    static void hash(const journal& j, hasher& into) { j.hash(into); }
};

}  // namespace lido
