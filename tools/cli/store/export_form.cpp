#include "export_form.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "../base/json_text.hpp"
#include "../base/text.hpp"

namespace lido::cli {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();

/// Takes members out of a line one by one, and says what is wrong with the first that is.
class member_reader {
public:
    explicit member_reader(std::vector<json_member> members) : members_(std::move(members)) {}

    [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
    void refuse(std::string why) {
        if (wrong_.empty()) wrong_ = std::move(why);
    }
    [[nodiscard]] const json_member* find(std::string_view name) const {
        for (const json_member& m : members_) {
            if (m.name == name) return &m;
        }
        return nullptr;
    }
    std::string text(std::string_view name) {
        const json_member* const m = take(name);
        if (m == nullptr) return {};
        if (m->value[0] != '"') refuse(quoted(name) + " is no text");
        return json_string_value(m->value);
    }
    /// Of up to 63 bits, which is what a table has; or up to 64 where the bits are only kept.
    std::uint64_t count(std::string_view name, std::uint64_t up_to = most) {
        return static_cast<std::uint64_t>(number<std::uint64_t>(name, 0, up_to));
    }
    std::int64_t whole(std::string_view name) {
        return number<std::int64_t>(name, std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max());
    }
    /// An object, without spaces and line ends.
    std::string object(std::string_view name) {
        const json_member* const m = take(name);
        if (m == nullptr) return {};
        if (!is_json_object(m->value)) {
            refuse(quoted(name) + " is no object: write {…}");
            return {};
        }
        if (const std::string twice = name_twice(json_members(m->value)); !twice.empty())
            refuse(quoted(name) + " has " + shown(twice) + " twice; leave one out");
        return compact_json(m->value);
    }
    /// Everything has been taken.
    void end() {
        for (std::size_t i = 0; i < members_.size(); ++i) {
            bool known = false;
            for (const std::string_view name : taken_) known = known || members_[i].name == name;
            if (!known) {
                const std::string_view meant = nearest(members_[i].name, taken_);
                refuse("there is nothing named " + shown(members_[i].name) + " in such a line" +
                       (meant.empty() ? std::string() : "; " + std::string(meant) + " is meant?"));
            }
        }
    }

private:
    static std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }
    const json_member* take(std::string_view name) {
        taken_.push_back(name);
        const json_member* const m = find(name);
        if (m == nullptr) refuse(quoted(name) + " is missing");
        return m;
    }
    template <class N>
    N number(std::string_view name, N least, N greatest) {
        const json_member* const m = take(name);
        if (m == nullptr) return 0;
        N read = 0;
        const char* const end = m->value.data() + m->value.size();
        const auto [at, error] = std::from_chars(m->value.data(), end, read);
        if (error != std::errc() || at != end || read < least || read > greatest) {
            refuse(quoted(name) + " is " + shown(m->value.substr(0, 40)) + "; write a whole number from " +
                   std::to_string(least) + " to " + std::to_string(greatest));
            return 0;
        }
        return read;
    }

    std::vector<json_member> members_;
    std::vector<std::string_view> taken_;
    std::string wrong_;
};

std::optional<store::row_state> state_of(std::string_view text) {
    for (const store::row_state s : {store::row_state::stored, store::row_state::erased, store::row_state::claimed}) {
        if (text == store::to_string(s)) return s;
    }
    return std::nullopt;
}

/// A text of an entity has no NUL, so data that has one was never a row.
bool has_nul(std::string_view json) {
    std::size_t at = 0;
    while ((at = json.find('\\', at)) != std::string_view::npos) {
        if (json.substr(at, 6) == "\\u0000") return true;
        at += 2;
    }
    return false;
}

void check_name(member_reader& from, std::string_view what, std::string_view name) {
    const char* const wrong = wrong_name(name);
    if (wrong != nullptr)
        from.refuse("the " + std::string(what) + " " + wrong +
                    ": it is 1 to 255 bytes of UTF-8 without control characters");
}

void read_head(member_reader& from, export_line& to) {
    if (from.text("lido") != "store export") from.refuse("it is no export of a store");
    const std::uint64_t form = from.count("form");
    if (form != 1)
        from.refuse("it is an export of form " + std::to_string(form) +
                    ", and this lido knows 1; use the lido that made it");
    to.head.epoch = from.count("epoch");
    to.head.position.run = from.count("run");
    to.head.position.tick = from.count("tick");
    to.head.position.commit = from.count("commit");
    to.head.position.births = from.count("births");
}

void read_note_line(member_reader& from, export_line& to) {
    to.note.name = from.text("note");
    check_name(from, "name of the class", to.note.name);
    to.note.revision = from.whole("revision");
    to.note.seen = from.whole("seen");
    to.note.fields = from.object("fields");
    note_fields fields;
    if (!read_note(to.note.fields, fields))
        from.refuse("\"fields\" is {\"name\":[\"former name\", …], …}: each field with its former names");
}

void read_row(member_reader& from, export_line& to) {
    kept_row& r = to.row;
    r.of_class = from.text("class");
    r.key = from.text("key");
    check_name(from, "class", r.of_class);
    check_name(from, "key", r.key);
    const std::string state = from.text("state");
    r.state = state_of(state).value_or(store::row_state::stored);
    if (!state_of(state)) from.refuse("\"state\" is " + shown(state) + "; write stored, erased or claimed");
    r.epoch = from.count("epoch");
    r.generation = from.count("generation");
    r.version = from.count("version");
    r.birth = from.count("birth");
    r.revision = from.whole("revision");
    r.owner = from.count("owner", std::numeric_limits<std::uint64_t>::max());
    r.created = from.whole("created");
    r.changed = from.whole("changed");
    if (from.find("broken") != nullptr) {
        from.refuse(
            "its data was no JSON object when it was exported: write what it should be as \"data\":{…}, and take "
            "\"broken\" away");
        return;
    }
    if (r.state == store::row_state::stored) {
        r.data = from.object("data");
        if (r.data.size() > std::size_t{64} << 20) from.refuse("its data has more than 64 MiB");
        if (has_nul(r.data)) from.refuse("its data has a NUL (\\u0000), which no text of an entity has");
        if (r.generation == 0) from.refuse("the generation is 0: what was saved had a life, and lives count from 1");
        if (r.birth > r.generation)
            from.refuse("the birth is greater than the generation: it is the generation of the first life");
    } else if (from.find("data") != nullptr) {
        from.refuse("a row that is " + state + " has no data; take it away, or write \"state\":\"stored\"");
    }
}

}  // namespace

std::string write_head(const export_head& head) {
    const store::stored_position& at = head.position;
    return R"({"lido":"store export","form":1,"epoch":)" + std::to_string(head.epoch) +
           ",\"run\":" + std::to_string(at.run) + ",\"tick\":" + std::to_string(at.tick) +
           ",\"commit\":" + std::to_string(at.commit) + ",\"births\":" + std::to_string(at.births) + "}\n";
}

std::string write_note(const kept_note& note) {
    const bool good = check_json(note.fields).good;
    return "{\"note\":" + json_string(note.name) + ",\"revision\":" + std::to_string(note.revision) +
           ",\"seen\":" + std::to_string(note.seen) +
           (good ? ",\"fields\":" + compact_json(note.fields) : ",\"broken\":" + json_string(note.fields)) + "}\n";
}

std::string write_row(const store::stored_row& r, bool& broken) {
    std::string line = "{\"class\":" + json_string(r.of_class) + ",\"key\":" + json_string(r.key) + ",\"state\":\"" +
                       store::to_string(r.state) + "\"";
    const auto number = [&](const char* name, const std::string& value) {
        line += ",\"";
        line += name;
        line += "\":" + value;
    };
    number("epoch", std::to_string(r.epoch));
    number("generation", std::to_string(r.generation));
    number("version", std::to_string(r.version));
    number("birth", std::to_string(r.birth));
    number("revision", std::to_string(r.revision));
    number("owner", std::to_string(r.owner));
    number("created", std::to_string(r.created));
    number("changed", std::to_string(r.changed));
    broken = false;
    if (r.state == store::row_state::stored) {
        broken = !is_json_object(r.data) || !check_json(r.data).good;
        number(broken ? "broken" : "data", broken ? json_string(r.data) : compact_json(r.data));
    }
    return line + "}\n";
}

std::string write_end() { return "{\"end\":\"store export\"}\n"; }

export_line read_line(std::string_view line) {
    export_line to;
    const json_fault fault = check_json(line);
    if (!fault.good) {
        to.wrong = "it is no JSON: " + fault.what +
                   (fault.column != 0 ? " (column " + std::to_string(fault.column) + ")" : "");
        return to;
    }
    if (!is_json_object(line)) {
        to.wrong = "it is no JSON object: a line is {…}";
        return to;
    }
    std::vector<json_member> members = json_members(line);
    if (const std::string twice = name_twice(members); !twice.empty()) {
        to.wrong = shown(twice) + " is there twice; leave one out";
        return to;
    }
    member_reader from(std::move(members));
    line_kind kind = line_kind::row;
    if (from.find("lido") != nullptr) {
        kind = line_kind::head;
        read_head(from, to);
    } else if (from.find("note") != nullptr) {
        kind = line_kind::note;
        read_note_line(from, to);
    } else if (from.find("end") != nullptr) {
        kind = line_kind::end;
        if (from.text("end") != "store export") from.refuse("it ends something else than an export of a store");
    } else {
        read_row(from, to);
    }
    from.end();
    if (from.wrong().empty()) {
        to.kind = kind;
        return to;
    }
    export_line refused;
    refused.wrong = from.wrong();
    return refused;
}

}  // namespace lido::cli
