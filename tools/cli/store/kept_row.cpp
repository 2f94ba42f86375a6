#include "kept_row.hpp"

#include <algorithm>
#include <set>

#include "../base/json_text.hpp"
#include "../base/text.hpp"

namespace lido::cli {

bool read_note(std::string_view fields, note_fields& to) {
    to.clear();
    if (!check_json(fields).good || !is_json_object(fields)) return false;
    for (const json_member& m : json_members(fields)) {
        if (m.value.empty() || m.value[0] != '[') return false;
        std::vector<std::string> former;
        for (const std::string_view name : json_elements(m.value)) {
            if (name.empty() || name[0] != '"') return false;
            former.push_back(json_string_value(name));
        }
        to[m.name] = std::move(former);
    }
    return true;
}

store::db_answer read_notes(store::database& db, std::vector<kept_note>& to) {
    store::class_function each([&](const store::class_note& n) {
        to.push_back({std::string(n.name), n.revision, std::string(n.fields), n.seen});
        return true;
    });
    return db.classes(each);
}

std::string note_text(const note_fields& fields) {
    std::string text;
    for (const auto& [name, former] : fields) {
        if (!text.empty()) text += ", ";
        text += shown(name);
        for (std::size_t i = 0; i < former.size(); ++i) text += (i == 0 ? " (was " : ", ") + shown(former[i]);
        if (!former.empty()) text += ")";
    }
    return text.empty() ? "no fields" : text;
}

namespace {

/// Behind every key: 64 times the last character that there is are more bytes than a key has.
const std::string& last_key() {
    static const std::string text = [] {
        std::string all;
        for (int i = 0; i < 64; ++i) all += "\xf4\x8f\xbf\xbf";
        return all;
    }();
    return text;
}

}  // namespace

store::db_answer read_counts(store::database& db, const std::vector<kept_note>& notes, std::vector<class_counts>& to) {
    std::set<std::string, std::less<>> names;
    for (const kept_note& n : notes) names.insert(n.name);
    std::string after_class;
    std::string after_key;
    for (bool more = true; more;) {
        more = false;
        std::string of_class;
        std::string key;
        store::row_function each([&](const store::stored_row& r) {
            more = true;
            of_class = r.of_class;
            key = r.key;
            return false;
        });
        const store::row_range range{
            .after_class = after_class, .after_key = after_key, .limit = 1, .claimed_too = true, .erased_too = true};
        if (store::db_answer scanned = db.scan(range, each); !scanned) return scanned;
        if (!more) break;
        names.insert(of_class);
        // A key that no store wrote may stand behind the last one; then it goes on from there.
        after_key = std::max(key, last_key());
        after_class = std::move(of_class);
    }
    for (const std::string& name : names) {
        class_counts c{.name = name};
        if (name.empty()) continue;  // an empty name means all of them; `check` tells of it
        std::uint64_t with_claims = 0;
        std::uint64_t with_tombstones = 0;
        for (const auto& [claimed, erased, count] :
             {std::tuple{false, false, &c.stored}, {true, false, &with_claims}, {false, true, &with_tombstones}}) {
            const store::row_range range{.of_class = name, .claimed_too = claimed, .erased_too = erased};
            if (store::db_answer counted = db.count(range, *count); !counted) return counted;
        }
        c.claimed = with_claims - std::min(with_claims, c.stored);
        c.erased = with_tombstones - std::min(with_tombstones, c.stored);
        to.push_back(std::move(c));
    }
    return {};
}

}  // namespace lido::cli
