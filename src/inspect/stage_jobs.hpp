// What can be asked of a stage: a page of its entities, one of them, the end of its journal. The look is the program's thread's, into memory
// that the server's took; the writing is the server's.
//
// Values are printed while they are looked at, because a link's name is the stage's to say. All text of a job lies in one room of fixed
// size: what does not fit is cut off, and says so.
#pragma once

#include "board.hpp"

#include <lido/entity/journal/entry.hpp>
#include <lido/entity/stage/entity_look.hpp>
#include <lido/inspect/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lido {
struct field_schema;
}  // namespace lido

namespace lido::inspect {

/// Text in a text_room.
struct text_piece {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
    bool cut = false;
};

class text_room {
public:
    static constexpr std::size_t most_value = 400;  ///< bytes of one value
    explicit text_room(std::size_t bytes) : bytes_(bytes, '\0') {}

    [[nodiscard]] text_piece add(std::string_view text) noexcept;
    /// Of a value of that field, which may lie anywhere.
    [[nodiscard]] text_piece add_value(const field_schema& field, const void* value, const link_names* links) noexcept;
    [[nodiscard]] text_piece add_spelling(const field_schema& field) noexcept;
    [[nodiscard]] bool full() const noexcept { return used_ == bytes_.size(); }

    [[nodiscard]] std::string_view of(text_piece p) const noexcept {
        return std::string_view(bytes_).substr(p.at, p.size);
    }

private:
    template <class Write>
    [[nodiscard]] text_piece write(const link_names* links, Write&& write) noexcept;

    std::string bytes_;
    std::size_t used_ = 0;
};

struct field_change {
    text_piece field;
    text_piece from;
    text_piece to;
};

struct entity_row {
    std::uint32_t of = 0;  ///< number of its class
    entity_info info;
    bool loading = false;
};

/// A page of entities: of those from a place on, as many as are wanted and fit what is asked.
class list_job final : public stage_job {
public:
    static constexpr std::uint32_t most_rows = 500;
    /// How long one request looks before it gives what it has: half of what the server waits for the program.
    static constexpr std::uint64_t look_ms = 1000;

    enum class only : std::uint8_t { all, locked, persistent, loading };

    struct wish {
        entity_place from;
        std::optional<std::uint32_t> of_class;
        std::string text;  ///< a part of the id, in lower case
        only which = only::all;
        std::uint32_t most = 100;
    };

    explicit list_job(wish what);
    [[nodiscard]] bool go_on(const stage_source& from, std::uint32_t places, std::uint64_t now_ms) override;
    [[nodiscard]] std::string text() const override;

private:
    [[nodiscard]] bool fits(const entity_look& e) const noexcept;

    wish wish_;
    entity_place at_;
    bool through_ = false;
    std::uint64_t looked_ = 0;
    std::uint64_t began_ms_ = 0;
    std::uint64_t now_ = 0;
    std::vector<entity_row> rows_;
};

/// One entity with all that is known of it.
class entity_job final : public stage_job {
public:
    static constexpr std::size_t room = 128 * 1024;
    static constexpr std::uint32_t most_commits = 64;  ///< of its history, the latest
    static constexpr std::size_t most_changes = 2048;

    explicit entity_job(std::string id);
    [[nodiscard]] bool go_on(const stage_source& from, std::uint32_t places, std::uint64_t now_ms) override;
    [[nodiscard]] std::string text() const override;

private:
    struct field_row {
        text_piece name;
        text_piece is;
        text_piece value;
        bool sent = false;
        bool saved = false;
    };
    struct commit_row {
        past_version made;
        std::size_t changes = 0;  ///< up to there they are of this one and those before
    };

    void look_at_history(const stage_source& from, const entity_look& e);

    std::string id_;
    bool found_ = false;
    entity_row row_;
    std::uint64_t now_ = 0;
    std::uint32_t history_ = 0;  ///< commits that are kept
    text_piece class_;
    std::vector<field_row> fields_;
    std::vector<commit_row> commits_;  ///< the latest first
    std::vector<field_change> changes_;
    text_room room_{room};
};

/// The last entries of the journal, of all entities or of one life.
class journal_job final : public stage_job {
public:
    static constexpr std::size_t room = 128 * 1024;
    static constexpr std::uint32_t most_entries = 500;
    static constexpr std::uint32_t most_looked = 4096;  ///< entries, for those of one life
    static constexpr std::size_t most_changes = 4096;

    struct wish {
        std::uint32_t most = 100;
        std::optional<std::uint64_t> generation;
    };

    explicit journal_job(wish what);
    [[nodiscard]] bool go_on(const stage_source& from, std::uint32_t places, std::uint64_t now_ms) override;
    [[nodiscard]] std::string text() const override;

private:
    struct entry_row {
        std::uint64_t number = 0;
        stamp what;
        entity_id id;
        bool last = false;
        text_piece note;
        std::size_t changes = 0;  ///< up to there they are of this one and those before
    };

    void take(const stage_source& from, const journal_entry& e);
    void take_changes(const stage_source& from, const journal_entry& e);
    void take_change(const field_schema& f, const std::byte* before, const std::byte* after, const link_names* links);

    wish wish_;
    std::uint64_t looked_ = 0;
    std::uint64_t now_ = 0;
    journal_stats stats_;
    std::uint64_t first_open_tick_ = 0;
    std::vector<entry_row> rows_;  ///< the latest first
    std::vector<field_change> changes_;
    text_room room_{room};
    std::vector<std::max_align_t> value_;  ///< one value, where its type may lie
};

}  // namespace lido::inspect
