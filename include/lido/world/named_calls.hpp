// Calls that have a name: what a world writes into an image in place of code.
//
//   world.name_call<door>("close", [](door& d) { d.open = false; });                      once, in every process that reads the image
//   world.after(gate, lido::ticks{90}, lido::named{"close"});
//   world.on_finished(gate, lido::named{"score for", team{2}});                            with up to 16 bytes of its own
//
// A named call is held as what it calls and what it was bound to, with no way back to the registry: a world that is gone cannot be asked.
// A snapshot or image that is restored in another world gets that world's call of the same name; a snapshot keeps what it has where that
// world gave no such name.
//
//   bound_call   | function | capture, 8 | bound to, 16 |        32 bytes: as much as a listener may have
#pragma once

#include <lido/core/meta/type_name.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_element.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/world_reports.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

class world_base;

namespace world_detail {

/// Bytes that may be bound to a named call.
inline constexpr std::size_t bound_bytes = 16;

template <class T>
inline constexpr bool is_ref = false;
template <>
inline constexpr bool is_ref<any_ref> = true;
template <class T>
inline constexpr bool is_ref<ref<T>> = true;
static_assert(sizeof(any_ref) == 16, "a reference fits into what may be bound, and its last four bytes are padding");

template <class With>
concept can_be_bound = (image_bytes<With> || is_ref<With>)&&sizeof(With) <= bound_bytes;

template <class With>
consteval void require_bound() {
    static_assert(
        sizeof(With) <= bound_bytes,
        "lido: at most 16 bytes can be bound to a named call: bind a reference, or an index, to what is larger");
    static_assert(can_be_bound<With> || sizeof(With) > bound_bytes,
                  "lido: what is bound to a named call is written as its bytes: it must be trivially copyable, without "
                  "padding between its fields and without pointers; a lido::ref may be bound, too");
}

}  // namespace world_detail

/// A call by its name, and what it is bound to. For use right away: it does not copy the name.
class named {
public:
    explicit named(std::string_view name) noexcept : name_(name) {}
    /// `with`: a trivially copyable struct of up to 16 bytes without padding and pointers, or a reference.
    template <class With>
    named(std::string_view name, const With& with) noexcept : name_(name), type_(lido::type_id<With>()) {
        world_detail::require_bound<With>();
        if constexpr (world_detail::is_ref<With>) {
            // Field by field: padding could hold anything.
            const std::uint64_t life = any_ref(with).life();
            const class_number of = any_ref(with).class_of();
            std::memcpy(data_.data(), &life, sizeof(life));
            std::memcpy(data_.data() + sizeof(life), &of, sizeof(of));
        } else if constexpr (world_detail::can_be_bound<With>) {
            std::memcpy(data_.data(), std::addressof(with), sizeof(With));
        }
    }

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// 0 when it is bound to nothing.
    [[nodiscard]] std::uint64_t bound_type() const noexcept { return type_; }
    [[nodiscard]] const std::array<std::byte, world_detail::bound_bytes>& data() const noexcept { return data_; }

private:
    std::string_view name_;
    std::uint64_t type_ = 0;
    std::array<std::byte, world_detail::bound_bytes> data_ = {};
};

/// The answer of world.name_call(). False when that name cannot be given, with the reason.
struct named_call_result {
    bool added = false;
    std::string why;

    [[nodiscard]] explicit operator bool() const noexcept { return added; }
};

namespace world_detail {

/// What is called as it is, and not by a name.
template <class F>
concept unnamed_call = !std::same_as<std::remove_cvref_t<F>, named>;

/// Of a life, or of the world itself; in a delegate like any other callable.
struct bound_call {
    /// `object` is the life's object, or the world_base.
    void (*function)(const bound_call& self, void* object, any_ref which, end_reason why) = nullptr;
    std::byte capture[8] = {};
    std::byte data[bound_bytes] = {};

    void operator()(any_object object, any_ref which, end_reason why) const {
        function(*this, object.address(), which, why);
    }
    void operator()(void* world) const { function(*this, world, {}, {}); }
};
static_assert(sizeof(bound_call) <= 32 && std::is_trivially_copyable_v<bound_call>);

/// What an image has of a call: its name's id, and what it is bound to. Pre: where it has a name, it holds a bound_call.
template <class Call>
void write_named(image_writer& w, const Call& call, class_id name) {
    w.put(name);
    if (name != 0) w.put_bytes(call.template held_as<bound_call>().data);
}
/// The call that is read does nothing until a registry has found it: named_calls::restore().
template <class Call>
[[nodiscard]] bool read_named(image_reader& r, Call& call, class_id& name) noexcept {
    bound_call found;
    name = r.take<class_id>();
    const std::span<const std::byte> data = name != 0 ? r.take_bytes(bound_bytes) : std::span<const std::byte>();
    if (!r.ok()) return false;
    if (name != 0) std::memcpy(found.data, data.data(), bound_bytes);
    call = found;
    return true;
}

/// A call that was given a name.
struct named_call {
    class_id id = 0;
    std::string name;
    std::uint64_t of_type = 0;  ///< of the class; 0: it is the world's own
    std::string_view type_name;
    std::uint64_t bound_type = 0;  ///< 0: it is bound to nothing
    std::uint32_t bound_size = 0;
    bool (*sound)(const std::byte* data) = nullptr;  ///< null: any bytes are
    bound_call call;

    [[nodiscard]] bool of_world() const noexcept { return of_type == 0; }
    [[nodiscard]] bound_call bound_to(const std::byte* data) const noexcept {
        bound_call bound = call;
        if (bound_size != 0) std::memcpy(bound.data, data, bound_size);
        return bound;
    }
};

/// The names of one world, by their ids.
class named_calls {
public:
    [[nodiscard]] const named_call* find(class_id id) const noexcept {
        const auto at = place(id);
        return at != calls_.end() && (*at)->id == id ? at->get() : nullptr;
    }
    [[nodiscard]] const named_call* find(std::string_view name) const noexcept {
        const named_call* const found = find(class_id_of(name));
        return found != nullptr && found->name == name ? found : nullptr;
    }

    /// A call that came with a snapshot is this world's own where this world gave it the same name.
    template <class Call>
    void rebind(Call& call, class_id name, std::uint64_t type) const noexcept {
        if (name == 0) return;
        const named_call* const found = find(name);
        if (found != nullptr && found->of_type == type)
            call = found->bound_to(call.template held_as<bound_call>().data);
    }
    [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }

    /// Empty, or why that name cannot be given. Throws: std::bad_alloc.
    [[nodiscard]] std::string add(named_call added) {
        if (added.name.empty()) return "a call needs a name";
        if (added.name.size() > longest_name) return "the name of a call has at most 255 bytes";
        added.id = class_id_of(added.name);
        if (const named_call* const there = find(added.id)) {
            return there->name == added.name
                       ? "there is a call " + printable(added.name) + " already"
                       : printable(added.name) + " and " + printable(there->name) +
                             " have the same id, and would be taken for one another in an image; give one of them "
                             "another name";
        }
        auto kept = std::make_unique<named_call>(std::move(added));
        calls_.insert(place(kept->id), std::move(kept));
        return {};
    }
    static constexpr std::size_t longest_name = 255;

private:
    [[nodiscard]] std::vector<std::unique_ptr<named_call>>::const_iterator place(class_id id) const noexcept {
        return std::lower_bound(calls_.begin(), calls_.end(), id,
                                [](const auto& c, class_id wanted) { return c->id < wanted; });
    }

    std::vector<std::unique_ptr<named_call>> calls_;  ///< in the order of their ids; by pointer, so that they stay
};

/// Calls `f` with as much as it takes of `(object, reference, why)`, and then with what the call was bound to.
template <class F, class T, class... With>
inline constexpr bool called_for_life =
    std::is_invocable_v<const F&, T&, ref<T>, end_reason, const With&...> ||
    std::is_invocable_v<const F&, T&, ref<T>, const With&...> || std::is_invocable_v<const F&, T&, const With&...> ||
    std::is_invocable_v<const F&, const With&...>;
template <class F, class T, class... With>
void call_for_life(const F& f, [[maybe_unused]] T& it, [[maybe_unused]] any_ref which, [[maybe_unused]] end_reason why,
                   const With&... with) {
    [[maybe_unused]] const ref<T> self(which.class_of(), ref<T>::handle_type::from_bits(which.life()));
    if constexpr (std::is_invocable_v<const F&, T&, ref<T>, end_reason, const With&...>) {
        f(it, self, why, with...);
    } else if constexpr (std::is_invocable_v<const F&, T&, ref<T>, const With&...>) {
        f(it, self, with...);
    } else if constexpr (std::is_invocable_v<const F&, T&, const With&...>) {
        f(it, with...);
    } else if constexpr (std::is_invocable_v<const F&, const With&...>) {
        f(with...);
    }
}

/// The same for a call of a world: `(world)`, or nothing.
template <class F, class World, class... With>
inline constexpr bool called_for_world =
    std::is_invocable_v<const F&, World&, const With&...> || std::is_invocable_v<const F&, const With&...>;
template <class F, class World, class... With>
void call_for_world(const F& f, [[maybe_unused]] World& world, const With&... with) {
    if constexpr (std::is_invocable_v<const F&, World&, const With&...>) {
        f(world, with...);
    } else if constexpr (std::is_invocable_v<const F&, const With&...>) {
        f(with...);
    }
}

template <class T>
[[nodiscard]] T from_bytes(const std::byte* from) noexcept {
    alignas(T) std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    return *std::launder(reinterpret_cast<const T*>(bytes));
}

template <class Of, class F, class... With>
void call_bound(const bound_call& self, void* object, any_ref which, end_reason why) {
    const F f = from_bytes<F>(self.capture);
    if constexpr (std::derived_from<Of, world_base>) {
        call_for_world(f, static_cast<Of&>(*static_cast<world_base*>(object)), from_bytes<With>(self.data)...);
    } else {
        call_for_life(f, *static_cast<Of*>(object), which, why, from_bytes<With>(self.data)...);
    }
}

/// `Of` is the type of a class, or of a world. `With` is what it is bound to, or nothing.
template <class Of, class F, class... With>
[[nodiscard]] named_call make_named_call(std::string_view name, const F& f) {
    static_assert(sizeof(F) <= sizeof(bound_call::capture) && std::is_trivially_copyable_v<F>,
                  "lido: a call that is given a name may capture one pointer or reference: what differs from call to "
                  "call is bound with lido::named{name, what}");
    (require_bound<With>(), ...);
    named_call made;
    made.name = name;
    if constexpr (std::derived_from<Of, world_base>) {
        static_assert(called_for_world<F, Of, With...>,
                      "lido: a named call of a world takes (world) or nothing, and after it what it is bound to");
    } else {
        static_assert(
            called_for_life<F, Of, With...>,
            "lido: a named call of a class takes (object, reference, why), or fewer of these from the end, and "
            "after them what it is bound to");
        made.of_type = type_id<Of>();
        made.type_name = lido::type_name<Of>();
    }
    made.bound_type = (std::uint64_t{0} + ... + type_id<With>());
    made.bound_size = static_cast<std::uint32_t>((std::size_t{0} + ... + sizeof(With)));
    if constexpr ((image_bytes<With> && ...))
        made.sound = []([[maybe_unused]] const std::byte* data) noexcept { return (are_bytes_of<With>(data) && ...); };
    std::memcpy(made.call.capture, std::addressof(f), sizeof(F));
    made.call.function = &call_bound<Of, F, With...>;
    return made;
}

}  // namespace world_detail
}  // namespace lido
