#include "stored_form.hpp"

#include <lido/core/config.hpp>

#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "../row_check.hpp"

namespace lido::store_detail {

namespace {

const kept_field* kept_of(const kept_fields* kept, const field_schema& f, const void* object) noexcept {
    if (kept == nullptr) return nullptr;
    for (const kept_field& k : kept->all) {
        if (k.field == f.number && std::memcmp(k.was.data(), f.in(object), f.size) == 0) return &k;
    }
    return nullptr;
}

}  // namespace

std::string_view print_entity(const class_schema& of, const void* object, const link_names* links,
                              const kept_fields* kept, std::vector<char>& room) {
    if (room.empty()) room.resize(1024);
    for (;;) {
        text_writer to(room, links);
        if (kept == nullptr) {
            of.store(object, to);
        } else {
            bool first = true;
            to.put("{");
            of.saved().for_each([&](std::size_t i) {
                const field_schema& f = of.fields()[i];
                if (!first) to.put(",");
                first = false;
                to.put_string(f.name);
                to.put(":");
                if (const kept_field* const k = kept_of(kept, f, object)) {
                    to.put(k->text);
                } else {
                    class_schema::print(f, object, to);
                }
            });
            to.put("}");
        }
        if (to.ok()) return to.written();
        if (room.size() > 2 * largest_data) return {};
        room.resize(room.size() * 2);
    }
}

bool read_entity(const class_schema& of, std::string_view text, std::int64_t revision, link_names* links, void* object,
                 std::string& why) {
    load_result got;
    LIDO_TRY {
        const auto stored = std::make_unique<record>(text, revision, links);
        got = of.load(*stored, object);
    }
#if LIDO_HAS_EXCEPTIONS
    catch (const std::exception& e) {
        why = std::string("its `migrate` or `valid` threw: ") + e.what();
        return false;
    }
#endif
    LIDO_CATCH_ALL {
        why = "its `migrate` or `valid` threw";
        return false;
    }
    if (got) return true;
    why = to_string(got.fault);
    if (got.fault == load_fault::from_future) {
        why += " (revision " + std::to_string(revision) + ", this one knows " + std::to_string(of.revision()) +
               "); run that version";
    }
    if (got.field != nullptr) why += ": " + std::string(got.field->name);
    if (got.why != field_fault::none) why += std::string(": ") + to_string(got.why);
    return false;
}

std::string print_fields(const class_schema& of) {
    // Names of fields are identifiers with dots: nothing in them has to be escaped.
    std::string to = "{";
    bool first = true;
    of.saved().for_each([&](std::size_t i) {
        const field_schema& f = of.fields()[i];
        if (!first) to += ',';
        first = false;
        to.append("\"").append(f.name).append("\":[");
        for (std::size_t n = 1; n < f.names.size(); ++n) {
            if (n > 1) to += ',';
            to.append("\"").append(f.names[n]).append("\"");
        }
        to += ']';
    });
    return to + "}";
}

}  // namespace lido::store_detail
