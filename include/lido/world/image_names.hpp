// The names in an image of a world: those of its calls, which stand for code, and the words in which an image is refused.
//
//   | number of names | id, bound to, length, name | id, bound to, length, name | ...        in the order of the ids
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/world_reports.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::world_detail {

/// What is wrong, and the sentence that says so. Converts to true when nothing is.
struct [[nodiscard]] image_verdict {
    restore_error error = restore_error::none;
    std::string why;

    image_verdict() = default;
    image_verdict(restore_error kind, std::string sentence) : error(kind), why(std::move(sentence)) {}
    /// `whose`: "door", "the world".
    image_verdict(const restore_result& r, const std::string& whose) : error(r.error) {
        if (!r) why = whose + ": " + r.what();
    }
    [[nodiscard]] explicit operator bool() const noexcept { return error == restore_error::none; }
};

inline void write_name(image_writer& w, std::string_view name) {
    w.put(static_cast<std::uint16_t>(name.size()));
    w.put_bytes(std::as_bytes(std::span<const char>(name)));
}
/// Empty when there is none: ok() of the reader tells.
[[nodiscard]] inline std::string_view read_name(image_reader& r) noexcept {
    const std::span<const std::byte> bytes = r.take_bytes(r.take<std::uint16_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The calls that an image names, in the words of the world that writes it.
class written_names {
public:
    explicit written_names(const named_calls& all) noexcept : all_(all) {}

    /// Empty, or why a call that `of` holds cannot be written. `kind`: "a waiting call", "a listener of a life".
    [[nodiscard]] std::string use(class_id name, const std::string& of, const char* kind) {
        if (name == 0)
            return of + ": " + kind +
                   " without a name cannot be written into an image; give it one with name_call(), and start it with "
                   "lido::named";
        if (all_.find(name) == nullptr)
            return of + ": " + kind +
                   " has a name that was given in another world; give it the same name here with name_call()";
        const auto at = std::lower_bound(used_.begin(), used_.end(), name);
        if (at == used_.end() || *at != name) used_.insert(at, name);
        return {};
    }

    void write(image_writer& w) const {
        w.put(static_cast<std::uint32_t>(used_.size()));
        for (const class_id id : used_) {
            const named_call& call = *all_.find(id);
            w.put(id);
            w.put(call.bound_type);
            write_name(w, call.name);
        }
    }

private:
    const named_calls& all_;
    std::vector<class_id> used_;  ///< in their order
};

/// The same names, in the words of the world that reads it.
class read_names {
public:
    explicit read_names(const named_calls& here) noexcept : here_(here) {}

    /// Every name in the image must be known here, and be bound to the same.
    [[nodiscard]] image_verdict read(image_reader& r) {
        const auto count = r.take<std::uint32_t>();
        if (!r.ok() || !r.has(count, 18)) return {restore_error::truncated, "the bytes end in the names of the calls"};
        names_.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto id = r.take<class_id>();
            const auto bound = r.take<std::uint64_t>();
            const std::string_view name = read_name(r);
            if (!r.ok()) return {restore_error::truncated, "the bytes end in the names of the calls"};
            if (name.empty() || class_id_of(name) != id || (i != 0 && names_.back()->id >= id))
                return {restore_error::inconsistent, "the names of the calls contradict their ids"};
            const named_call* const found = here_.find(name);
            if (found == nullptr)
                return {restore_error::other_parts, "the image has the call " + printable(name) +
                                                        ", which this world does not know; give it that name with "
                                                        "name_call() before the restore"};
            if (found->bound_type != bound)
                return {restore_error::other_type,
                        "the call " + printable(name) + " is bound to another type here than in the image"};
            names_.push_back(found);
        }
        return {};
    }

    [[nodiscard]] bool any_bound() const noexcept {
        return std::any_of(names_.begin(), names_.end(), [](const named_call* c) { return c->bound_size != 0; });
    }

    /// Puts the code of this world into a call that was read. `type`: of the lives that it is called for; 0: the world's own.
    template <class Call>
    [[nodiscard]] image_verdict restore(Call& call, class_id name, std::uint64_t type, const std::string& of) const {
        const auto at = std::lower_bound(names_.begin(), names_.end(), name,
                                         [](const named_call* c, class_id wanted) { return c->id < wanted; });
        if (at == names_.end() || (*at)->id != name)
            return {restore_error::inconsistent, of + ": a call is not among the names of the image"};
        const named_call& found = **at;
        if (found.of_type != type)
            return {restore_error::other_type,
                    of + ": the call " + printable(found.name) + " is of " +
                        (found.of_world() ? std::string("the world") : std::string(found.type_name)) +
                        " here, and the image calls it for something else"};
        const std::byte* const data = call.template held_as<bound_call>().data;
        if (found.sound != nullptr && !found.sound(data))
            return {restore_error::inconsistent,
                    of + ": the call " + printable(found.name) + " is bound to a value that its type does not have"};
        call = found.bound_to(data);
        return {};
    }

private:
    const named_calls& here_;
    std::vector<const named_call*> names_;  ///< in the order of their ids
};

/// What an image of a world says of itself, for each of its classes.
struct image_of {
    const read_names& calls;
    bool before_start;  ///< the world that was written had built nothing
    std::uint64_t now;  ///< its clock
    bool may_build;     ///< this role has the class, if it is not built
};

}  // namespace lido::world_detail
