// A world in an image: bytes from which another process restores it exactly.
//
//   | part, version, order of bytes | now, objects a tick, started, rollback | names of calls (image_names.hpp) |
//   | numbers of classes | id, name, class (class_image.hpp) | 0 | id, name, class | ... | the world's own calls (wheel_image.hpp) |
//
// Classes are found by their names, so the reader may have added them in another order. Their numbers are state: a tick goes by them,
// and references hold them, also those inside objects. So a restore gives every class the number that it had where the image was
// written, and what objects hold need not be touched. Rejected: to translate references. Those in a vector, in a union or behind a
// codec cannot be seen, and one that is overlooked names a life of another class.
//
// Calls are code and are found by the names that the program gave them (named_calls.hpp).
//
// An image that is to last, for later builds, has a part number of its own and says of each class behind its name how many bytes it has, so
// that one which is there no more can be passed over. One that was not there yet is built when the rest is restored.
#pragma once

#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/image_names.hpp>
#include <lido/world/lasting_notes.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/wheel_image.hpp>
#include <lido/world/world_class.hpp>
#include <lido/world/world_reports.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::world_detail {

struct world_image {
    /// Of this part. One more with every change that a reader of before would misread.
    static constexpr std::uint8_t version = 1;
    /// Where it is to last: such images are older than their readers, so one more means that those before cannot be read.
    static constexpr std::uint8_t lasting_version = 1;
    [[nodiscard]] static constexpr image_part part_of(bool lasting) noexcept {
        return lasting ? image_part::lasting_world : image_part::world;
    }
    static constexpr std::uint8_t byte_order = std::endian::native == std::endian::little ? 0 : 1;

    /// Empty, or why the world cannot be written as it is now; `w` has a part of it then. Pre: nothing of it runs.
    template <class World>
    [[nodiscard]] static std::string write(const World& world, image_writer& w) {
        written_names names(world.shared_.names);
        if (std::string wrong = world.calls_.find_names(names); !wrong.empty()) return wrong;
        for (const world_class* const c : world.classes_.living()) {
            if (std::string wrong = c->find_names(names); !wrong.empty()) return wrong;
            if (c->name().size() > longest_name)
                return c->shown_name() + ": the name of a class in an image has at most 65535 bytes";
        }
        w.put(number_of(part_of(w.lasting())));
        w.put(w.lasting() ? lasting_version : version);
        w.put(byte_order);
        w.put(world.shared_.now.count);
        w.put(world.objects_a_tick_);
        w.put(world.started_);
        w.put(world.shared_.rollback);
        names.write(w);
        w.put(world.classes_.size());
        for (class_number n = 0; n < world.classes_.size(); ++n) {
            const world_class* const c = world.classes_.by_number(n);
            w.put(c != nullptr ? class_id_of(c->name()) : class_id{0});
            if (c == nullptr) continue;
            write_name(w, c->name());
            const std::size_t at = w.size();
            if (w.lasting()) w.put(std::uint64_t{0});
            c->write(w);
            if (w.lasting()) w.patch(at, std::uint64_t{w.size() - at - sizeof(std::uint64_t)});
        }
        world.calls_.write(w);
        return {};
    }

    /// What an image says of the world as a whole.
    struct header {
        std::uint64_t now = 0;
        std::uint32_t objects_a_tick = 0;
        bool started = false;
        std::uint32_t rollback = 0;
    };

    /// Everything is checked and ready to be committed, or nothing has changed. `numbers`: the classes as the image numbers them.
    template <class World>
    [[nodiscard]] static image_verdict read(World& world, image_reader& r, header& h,
                                            std::vector<world_class*>& numbers) {
        const auto part = r.take<std::uint8_t>();
        const auto as_version = r.take<std::uint8_t>();
        const auto order = r.take<std::uint8_t>();
        h.now = r.take<std::uint64_t>();
        h.objects_a_tick = r.take<std::uint32_t>();
        const auto started = r.take<std::uint8_t>();
        h.rollback = r.take<std::uint32_t>();
        if (!r.ok()) return cut();
        if (part != number_of(part_of(r.lasting())))
            return {restore_error::other_shape, "saved from something else than a world"};
        if (const std::uint8_t readable = r.lasting() ? lasting_version : version; as_version != readable)
            return {restore_error::other_version, "written by another version of lido::world; it has version " +
                                                      std::to_string(as_version) + ", and this reads " +
                                                      std::to_string(readable)};
        if (started > 1 || h.now > most_ticks)
            return {restore_error::inconsistent, "the world: its clock or its start is none that can be"};
        h.started = started != 0;
        if (h.rollback != world.shared_.rollback && world.shared_.waiting_classes != 0)
            return {restore_error::other_options, "written by a world with a rollback window of " +
                                                      std::to_string(h.rollback) + " ticks, and this one has " +
                                                      std::to_string(world.shared_.rollback)};
        read_names names(world.shared_.names);
        if (image_verdict bad = names.read(r); !bad) return bad;
        if (order != byte_order && names.any_bound())
            return {restore_error::other_type,
                    "its calls are bound to values in the order of bytes of another machine"};
        if (image_verdict bad = read_classes(world, r, h, names, numbers); !bad) return bad;
        return world.calls_.read(r, names);
    }

private:
    static constexpr std::size_t longest_name = 0xffff;

    [[nodiscard]] static image_verdict cut() { return {restore_error::truncated, to_string(restore_error::truncated)}; }

    /// Whether the reader goes on without a class that is not here.
    [[nodiscard]] static bool leaves_out(image_reader& r, std::string_view name) {
        if (!r.lasting()) return false;
        auto& notes = *static_cast<owning::lasting_notes*>(r.notes());
        if (notes.leave_out_classes) notes.left_out.emplace_back(name);
        return notes.leave_out_classes;
    }

    template <class World>
    [[nodiscard]] static image_verdict read_classes(World& world, image_reader& r, const header& h,
                                                    const read_names& names, std::vector<world_class*>& numbers) {
        const auto count = r.take<class_number>();
        if (!r.ok() || !r.has(count, sizeof(class_id))) return cut();
        numbers.assign(count, nullptr);
        std::size_t found = 0;
        for (world_class*& place : numbers) {
            const auto id = r.take<class_id>();
            if (!r.ok()) return cut();
            if (id == 0) continue;
            const std::string_view name = read_name(r);
            if (!r.ok()) return cut();
            if (class_id_of(name) != id)
                return {restore_error::inconsistent,
                        "the name of the class " + printable(name) + " contradicts its id"};
            const auto size = r.lasting() ? r.take<std::uint64_t>() : 0;
            if (!r.ok() || size > r.left()) return cut();
            world_class* const c = world.classes_.by_name(name);
            if (c == nullptr && leaves_out(r, name)) {
                static_cast<void>(r.take_bytes(static_cast<std::size_t>(size)));
                continue;
            }
            if (c == nullptr)
                return {restore_error::other_parts,
                        "the image has the class " + printable(name) +
                            ", which this world does not have; add it before the restore. There are: " +
                            world.classes_.names()};
            if (std::find(numbers.data(), &place, c) != &place)
                return {restore_error::inconsistent, "the class " + c->shown_name() + " is twice in the image"};
            place = c;
            ++found;
            const bool may_build = c->settings().roles.allows(world.role_);
            const image_of image{names, !h.started, h.now, may_build};
            if (!r.lasting()) {
                if (image_verdict bad = c->read(r, image); !bad) return bad;
                continue;
            }
            image_reader own(r.take_bytes(static_cast<std::size_t>(size)));
            own.set_notes(r.notes());
            if (image_verdict bad = c->read(own, image); !bad) return bad;
            if (own.left() != 0)
                return {restore_error::inconsistent, "bytes follow the class " + c->shown_name() + " in the image"};
        }
        if (r.lasting()) {
            for (world_class* const c : world.classes_.living()) {
                if (std::find(numbers.begin(), numbers.end(), c) != numbers.end()) continue;
                c->read_nothing();
                numbers.push_back(c);
                static_cast<owning::lasting_notes*>(r.notes())->fresh.push_back(c->name());
            }
            return {};
        }
        for (const world_class* const c : world.classes_.living()) {
            if (found == world.classes_.living().size()) break;
            if (std::find(numbers.begin(), numbers.end(), c) == numbers.end())
                return {restore_error::other_parts, "this world has the class " + c->shown_name() +
                                                        ", which the image does not have; the world that is restored "
                                                        "has the same classes as the one that was written"};
        }
        return {};
    }
};

}  // namespace lido::world_detail
