// X26: random objects against a plain model: what differs, what is wrong, and that bytes and text make the same object again.
#include "entity/schema/fixtures.hpp"

#include "support/dose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace schema_schema_property {

using namespace lido::test::schema;

const lido::class_schema& doors() { return lido::schema_of<door>(); }

/// Characters of one to four bytes.
lido::text<16> any_text() {
    static constexpr const char* characters[] = {"a",    "\"",       "\\",           "\n",
                                                 "\x7f", "\xc3\xab", "\xe2\x82\xac", "\xf0\x9f\x9a\xaa"};
    lido::text<16> t;
    const int count = *rc::gen::inRange(0, 8);
    for (int i = 0; i < count; ++i) t.append(characters[*rc::gen::inRange(0, 8)]);
    return t;
}

template <class R>
R any_finite() {
    using bits = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
    const R value = __builtin_bit_cast(R, *rc::gen::arbitrary<bits>());
    return std::isfinite(value) ? value : R(1);
}

/// Changes field `i` of 13 to something that may be out of its range; what the model says of it is done by hand.
void change(door& d, int i) {
    switch (i) {
        case 0: d.open = !d.open; break;
        case 1: d.angle = static_cast<float>(*rc::gen::inRange(-40, 1300)) / 10; break;
        case 2: d.hp = *rc::gen::arbitrary<std::uint16_t>(); break;
        case 3: d.keeper = any_text(); break;
        case 4: d.leads_to = lido::link<room>::from_bits(*rc::gen::arbitrary<std::uint64_t>()); break;
        case 5: d.wear = *rc::gen::arbitrary<std::uint32_t>(); break;
        case 6: d.at.x = any_finite<float>(); break;
        case 7: d.at.y = static_cast<float>(*rc::gen::inRange(-10, 100)); break;
        case 8: d.temper = static_cast<mood>(*rc::gen::inRange(0, 4)); break;
        case 9:
            if (*rc::gen::arbitrary<bool>()) {
                d.code = *rc::gen::inRange(-5, 10010);
            } else {
                d.code.reset();
            }
            break;
        case 10: d.hinge[static_cast<std::size_t>(*rc::gen::inRange(0, 3))] = any_finite<double>(); break;
        case 11:
            if (!d.chest.push_back({*rc::gen::arbitrary<std::uint16_t>(), *rc::gen::arbitrary<std::int8_t>()})) {
                d.chest.erase(static_cast<std::size_t>(*rc::gen::inRange(0, 4)));
            }
            break;
        default: d.built = *rc::gen::arbitrary<std::int64_t>(); break;
    }
}

door any_door() {
    door d;
    const int changes = *rc::gen::inRange(0, 30);
    for (int i = 0; i < changes; ++i) change(d, *rc::gen::inRange(0, 13));
    return d;
}

/// The names of fields that differ, written down by hand.
std::set<std::string> model_of_changes(const door& a, const door& b) {
    std::set<std::string> names;
    const auto same_real = [](auto x, auto y) { return std::signbit(x) == std::signbit(y) && x == y; };
    if (a.open != b.open) names.insert("open");
    if (!same_real(a.angle, b.angle)) names.insert("angle");
    if (a.hp != b.hp) names.insert("hp");
    if (a.keeper.view() != b.keeper.view()) names.insert("keeper");
    if (a.leads_to != b.leads_to) names.insert("leads_to");
    if (a.wear != b.wear) names.insert("wear");
    if (!same_real(a.at.x, b.at.x)) names.insert("at.x");
    if (!same_real(a.at.y, b.at.y)) names.insert("at.y");
    if (a.temper != b.temper) names.insert("temper");
    if (a.code != b.code) names.insert("code");
    for (std::size_t i = 0; i < 3; ++i) {
        if (!same_real(a.hinge[i], b.hinge[i])) names.insert("hinge");
    }
    if (a.chest.size() != b.chest.size()) names.insert("chest");
    for (std::size_t i = 0; i < a.chest.size() && i < b.chest.size(); ++i) {
        if (a.chest[i].kind != b.chest[i].kind || a.chest[i].count != b.chest[i].count) names.insert("chest");
    }
    if (a.built != b.built) names.insert("built");
    return names;
}

/// The first field that is wrong, written down by hand; "valid" for the fields together.
std::string model_of_faults(const door& d) {
    if (d.angle < 0 || d.angle > 120) return "angle";
    if (d.hp > 1000) return "hp";
    if (d.at.x < -64 || d.at.x > 64) return "at.x";
    if (d.at.y < 0 || d.at.y > 64) return "at.y";
    if (d.temper > mood::angry) return "temper";
    if (d.code && (*d.code < 0 || *d.code > 9999)) return "code";
    for (const item& i : d.chest) {
        if (i.count < 0 || i.count > 99) return "chest";
    }
    return d.open && d.hp == 0 ? "valid" : "";
}

RC_GTEST_PROP(schema_model, X26_agrees_on_what_differs, ()) {
    const door a = any_door();
    door b = a;
    const int changes = *rc::gen::inRange(0, 4);
    for (int i = 0; i < changes; ++i) change(b, *rc::gen::inRange(0, 13));
    std::set<std::string> names;
    const auto set = doors().changed(&a, &b);
    set.for_each([&](std::size_t i) { names.insert(std::string(doors().fields()[i].name)); });
    RC_ASSERT(names == model_of_changes(a, b));
    RC_ASSERT((doors().hash(&a, doors().all()) == doors().hash(&b, doors().all())) == names.empty());
    const auto on_wire = doors().changed_on_wire(&a, &b);
    RC_ASSERT((on_wire - set).empty());
    RC_ASSERT((doors().wire_hash(&a, doors().sent()) == doors().wire_hash(&b, doors().sent())) == on_wire.empty());
    door c = a;
    doors().copy(&c, &b, set);
    RC_ASSERT(doors().changed(&c, &b).empty());
}

RC_GTEST_PROP(schema_model, X26_agrees_on_what_is_wrong, ()) {
    const door d = any_door();
    const lido::finding found = doors().first_invalid(&d);
    const std::string name = !found ? "" : found.field == nullptr ? "valid" : std::string(found.field->name);
    RC_ASSERT(name == model_of_faults(d));
}

RC_GTEST_PROP(schema_model, X26_one_pass_over_a_commit_says_the_same_as_two, ()) {
    const door before = any_door();
    RC_PRE(model_of_faults(before).empty());
    door after = before;
    const int changes = *rc::gen::inRange(0, 4);
    for (int i = 0; i < changes; ++i) change(after, *rc::gen::inRange(0, 13));
    lido::field_set changed;
    const auto found = lido::check_changes(before, after, changed);
    const auto expected = lido::first_fault(after);
    RC_ASSERT(found.fault == expected.fault);
    RC_ASSERT(found.fault == lido::field_fault::none || found.field == expected.field);
    const auto all = lido::differing_fields(before, after);
    if (found.field == lido::entity_detail::no_field) RC_ASSERT(changed == all);
    RC_ASSERT((changed - all).empty());
}

RC_GTEST_PROP(schema_model, X26_bytes_make_the_same_object_again, ()) {
    const door d = any_door();
    lido::field_set which;
    for (std::size_t i = 0; i < doors().fields().size(); ++i) {
        if (*rc::gen::inRange(0, 3) != 0) which.add(i);
    }
    std::vector<std::byte> room(doors().most_bytes(which));
    lido::byte_writer to(room);
    doors().encode(&d, which, to);
    RC_ASSERT(to.ok());
    door back;
    lido::byte_reader from(to.written());
    doors().decode(from, which, &back);
    RC_ASSERT(from.done());
    RC_ASSERT((doors().changed(&d, &back) & which).empty());
    RC_ASSERT((doors().changed(doors().defaults(), &back) - which).empty());
}

RC_GTEST_PROP(schema_model, X26_the_stored_form_makes_the_same_object_again, ()) {
    const door d = any_door();
    std::vector<char> room(4096);
    lido::text_writer to(room);
    doors().store(&d, to);
    RC_ASSERT(to.ok());
    door back;
    const auto loaded = doors().load(lido::record(to.written(), 3), &back);
    RC_ASSERT(doors().changed(&d, &back).empty());
    RC_ASSERT(static_cast<bool>(loaded) == model_of_faults(d).empty());
    RC_ASSERT(loaded || loaded.fault == lido::load_fault::invalid);
}

RC_GTEST_PROP(schema_model, X26_what_arrives_is_what_was_sent_to_within_a_step, ()) {
    door d = any_door();
    RC_PRE(model_of_faults(d).empty());
    door there = d;
    doors().round_to_wire(&there);
    RC_ASSERT(doors().changed_on_wire(&d, &there).empty());
    RC_ASSERT(std::abs(there.angle - d.angle) <= 0.25f);
    RC_ASSERT(std::abs(there.at.y - d.at.y) <= 0.125f);
    doors().changed(&d, &there).for_each([](std::size_t i) {
        const auto name = doors().fields()[i].name;
        RC_ASSERT(name == "angle" || name == "at.x" || name == "at.y");
    });
    RC_ASSERT(!doors().first_invalid(&there) || doors().first_invalid(&d));
}

// Bytes that nobody wrote are refused, or are an object that writes the same bytes.
RC_GTEST_PROP(schema_model, X26_any_bytes_are_refused_or_understood, (std::vector<std::uint8_t> noise)) {
    std::vector<std::byte> bytes;
    for (const std::uint8_t b : noise) bytes.push_back(static_cast<std::byte>(b % 3 == 0 ? b : b % 4));
    door d;
    lido::byte_reader from{bytes};
    doors().decode(from, doors().all(), &d);
    if (!from.ok()) return;
    std::vector<std::byte> room(doors().most_bytes(doors().all()));
    lido::byte_writer to(room);
    doors().encode(&d, doors().all(), to);
    RC_ASSERT(std::equal(to.written().begin(), to.written().end(), bytes.begin()));
}

}  // namespace schema_schema_property
