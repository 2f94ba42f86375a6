// The names of the files of a line program.
//
//   versions 2 to 4   folder\0 folder\0 \0   name\0 folder time size   name\0 ... \0       folders and files count from 1
//   version 5         what an entry is made of: n pairs (meaning, form); number of entries; entries: folders, counted from 0
//                     the same again: files, counted from 0
//
// Folder 0 is where the compiler was started. It is not put before a name: version 4 does not tell it, and what the compiler was
// given is what a reader of a report knows the file by.
//
// N1. Each entry takes at least one byte; entries made of nothing are refused. So reading names is linear in the bytes.
// N2. A form that is not known is refused: nothing says how long it is.
#pragma once

#include "byte_reader.hpp"
#include "line_program.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lido::symbols {

/// Both empty when the file is not known.
struct line_file {
    std::string_view folder;
    std::string_view name;
};

class line_names {
public:
    line_names(const line_tables& tables, const line_unit& unit) noexcept : tables_(tables), unit_(unit) {}

    /// The file that rows call `number`.
    [[nodiscard]] line_file find(std::uint64_t number) const noexcept {
        entry file;
        line_file found;
        if (unit_.version < 5) {
            file = old_file(number);
            found.folder = old_folder(file.folder);
        } else {
            byte_reader r = at_names();
            static_cast<void>(read_entries(r, none));
            file = read_entries(r, number);
            if (!r.ok()) file = {};
            byte_reader again = at_names();
            if (file.folder != 0) found.folder = read_entries(again, file.folder).name;
        }
        found.name = file.name;
        return found.name.empty() ? line_file{} : found;
    }

private:
    struct entry {
        std::string_view name;
        std::uint64_t folder = 0;
    };
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    [[nodiscard]] byte_reader at_names() const noexcept {
        byte_reader r(unit_.bytes.first(static_cast<std::size_t>(unit_.program)));
        r.seek(unit_.names);
        return r;
    }

    // --- versions 2 to 4 ---

    /// Empty for 0, as they count from 1.
    [[nodiscard]] std::string_view old_folder(std::uint64_t number) const noexcept {
        byte_reader r = at_names();
        for (std::uint64_t i = 1; r.any_left(); ++i) {
            const std::string_view name = r.text();
            if (name.empty() || i == number) return name;
        }
        return {};
    }

    [[nodiscard]] static entry read_old_file(byte_reader& r) noexcept {
        entry e;
        e.name = r.text();
        if (e.name.empty()) return {};
        e.folder = r.uleb();
        static_cast<void>(r.uleb());
        static_cast<void>(r.uleb());
        return r.ok() ? e : entry{};
    }

    [[nodiscard]] entry old_file(std::uint64_t number) const noexcept {
        if (number == 0) return {};
        byte_reader r = at_names();
        while (!r.text().empty()) {  // the folders
        }
        while (r.any_left()) {
            const entry e = read_old_file(r);
            if (e.name.empty()) break;
            if (--number == 0) return e;
        }
        return r.ok() ? defined_file(number) : entry{};
    }

    /// One that the program defines itself, wherever in the unit that is.
    [[nodiscard]] entry defined_file(std::uint64_t number) const noexcept {
        line_machine machine(unit_);
        machine.watch_for_file(number);
        while (machine.watched_file() == 0 && machine.next()) {
        }
        if (machine.watched_file() == 0) return {};
        byte_reader r(unit_.bytes);
        r.seek(machine.watched_file());
        return read_old_file(r);
    }

    // --- version 5 ---

    static constexpr std::uint8_t means_path = 1, means_folder = 2;

    /// All meanings and forms that are known are below 255.
    [[nodiscard]] static std::uint8_t small(std::uint64_t number) noexcept {
        return number < 255 ? static_cast<std::uint8_t>(number) : std::uint8_t{255};
    }

    /// One table, passed over to its end; returns the entry `wanted`, empty when there is none.
    [[nodiscard]] entry read_entries(byte_reader& r, std::uint64_t wanted) const noexcept {
        // Kept and not read again for each entry: numbers may be as long as they like, and that would be quadratic.
        std::uint8_t meanings[255];
        std::uint8_t forms[255];
        const unsigned parts = r.byte();
        for (unsigned i = 0; i < parts; ++i) {
            meanings[i] = small(r.uleb());
            forms[i] = small(r.uleb());
        }
        const std::uint64_t count = r.uleb();
        if (parts == 0 && count != 0) r.fail();
        entry found;
        for (std::uint64_t i = 0; i < count && r.ok(); ++i) {
            for (unsigned k = 0; k < parts && r.ok(); ++k) {
                const value v = read_form(r, forms[k], i == wanted);
                if (i != wanted) continue;
                if (meanings[k] == means_path) found.name = v.text;
                if (meanings[k] == means_folder) found.folder = v.number;
            }
        }
        return r.ok() ? found : entry{};
    }

    struct value {
        std::string_view text;
        std::uint64_t number = 0;
    };

    /// Texts of other sections are looked for only where `wanted`: each may be as long as its section.
    [[nodiscard]] value read_form(byte_reader& r, std::uint8_t form, bool wanted) const noexcept {
        value v;
        switch (form) {
            case 0x08: v.text = r.text(); break;  // string
            case 0x1f:                            // line_strp
            case 0x0e: {                          // strp
                const std::uint64_t offset = r.fixed(unit_.offset_size);
                if (wanted) v.text = text_at(form == 0x1f ? tables_.line_strings : tables_.strings, offset);
                break;
            }
            case 0x0b: v.number = r.fixed(1); break;  // data1
            case 0x05: v.number = r.fixed(2); break;  // data2
            case 0x06: v.number = r.fixed(4); break;  // data4
            case 0x07: v.number = r.fixed(8); break;  // data8
            case 0x0f: v.number = r.uleb(); break;    // udata
            case 0x1e: r.skip(16); break;             // data16: a checksum of the file
            case 0x09: r.skip(r.uleb()); break;       // block
            default: r.fail();
        }
        return v;
    }

    const line_tables& tables_;
    const line_unit& unit_;
};

/// Folder and name as one path, always ended by a zero. One that is too long loses its front, whole folders where it can.
inline void write_path(const line_file& file, std::span<char> out) noexcept {
    if (out.empty()) return;
    out[0] = '\0';
    const bool joined = !file.folder.empty() && !file.name.empty() && file.name.front() != '/';
    const std::string_view folder = joined ? file.folder : std::string_view{};
    const bool slash = joined && folder.back() != '/';
    const std::size_t whole = folder.size() + (slash ? 1 : 0) + file.name.size();
    std::size_t from = 0;  // characters of the whole that are left out
    const auto letter = [&](std::size_t i) {
        if (i < folder.size()) return folder[i];
        i -= folder.size();
        if (slash && i-- == 0) return '/';
        return file.name[i];
    };
    if (whole > out.size() - 1) {
        from = whole - (out.size() - 1);
        for (std::size_t i = from; i + 1 < whole; ++i) {
            if (letter(i) != '/') continue;
            from = i + 1;
            break;
        }
    }
    for (std::size_t i = from; i < whole; ++i) out[i - from] = letter(i);
    out[whole - from] = '\0';
}

}  // namespace lido::symbols
