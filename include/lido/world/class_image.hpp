// One class of a world in an image.
//
//   | built | size and form of an object | clock, trim watch, counters, objects to make | births (birth_count.hpp) |
//   | objects | wheel | listeners | lists |
// In an image that is to last, the layout of an object follows its form.
//
//   lists   | number of lives that somebody waits for | life, last listener | life, last listener | ...
//
// Timers and listeners are read into a wheel and lists of their own, checked there against the lives that are about to come back, and
// moved in. Births are there where lives have a spawn_key. What a life has of them (its lifetime, its list) follows from them and is not written.
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_element.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/world/birth_count.hpp>
#include <lido/world/class_changes.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/image_names.hpp>
#include <lido/world/lasting_notes.hpp>
#include <lido/world/life.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/wheel_image.hpp>
#include <lido/world/world_class.hpp>
#include <lido/world/world_record.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lido::world_detail {

/// Lists of listeners as they are read: the last of each, by the life that it waits for.
struct image_list {
    std::uint64_t life;
    life_listeners::list list;
};

struct class_image {
    template <class ObjectPool>
    struct staged {
        std::optional<staged_of<ObjectPool>> objects;  ///< empty: the class was not built
        world_class::running_state running;
        std::optional<world_wheel> wheel;
        std::optional<life_listeners> listeners;
        std::vector<image_list> lists;
        birth_count births;
        bool built_for_it = false;  ///< the class was not built before: it is not again when the rest is refused
    };

    /// Null, or why objects of this type cannot be in an image.
    template <class T>
    [[nodiscard]] static constexpr const char* why_not() noexcept {
        if constexpr (world_writable<T>) {
            return nullptr;
        } else if constexpr (image_element<T> && !std::default_initializable<T>) {
            return "what an image holds is read into an object that was just made; give the class a default "
                   "constructor";
        } else if constexpr (image_element<T>) {
            return "it is not copyable and has no `save` and `load`, or its move constructor can throw";
        } else {
            return "its objects are not plain bytes without pointers; give it `void save(lido::image_writer&) const` "
                   "and "
                   "`bool load(lido::image_reader&)`, and a move constructor that is noexcept";
        }
    }

    // --- write -------------------------------------------------------------------------------------------------------------

    /// Empty, or why this class cannot be written as it is now.
    template <class Class>
    [[nodiscard]] static std::string find_names(const Class& c, written_names& names) {
        if (!c.built()) return {};
        if (constexpr const char* why = why_not<typename Class::object_type>(); why != nullptr)
            return c.shown_name() + ": this class cannot be written into an image: " + why;
        for (auto&& [which, waiting] : c.listeners_.nodes().each()) {
            const bool call = waiting.timer != 0;
            if (std::string wrong =
                    names.use(waiting.name, c.shown_name(), call ? "a waiting call" : "a listener of a life");
                !wrong.empty())
                return wrong;
        }
        return {};
    }

    /// Pre: find_names() has said nothing.
    template <class Class>
    static void write(const Class& c, image_writer& w) {
        w.put(c.built());
        if constexpr (world_writable<typename Class::object_type>) {
            static_assert(image_codec<typename Class::pool_type::value_type> &&
                              image_codec<life_listeners::node_pool::value_type>,
                          "lido: a record and a listener are written by their codecs: they hold pointers");
            if (!c.built()) return;
            constexpr image_element_form form = form_of_element<typename Class::object_type>();
            w.put(form.bytes);
            w.put(form.form);
            if (w.lasting()) w.put(layout_of_element<typename Class::object_type>());
            write(c.state_, w);
            if constexpr (Class::waits) c.births_.write(w);
            rewind_of<typename Class::pool_type>::write(*c.pool_, w);
            wheel_image<world_wheel>::write(c.wheel_, w);
            rewind_of<life_listeners::node_pool>::write(c.listeners_.nodes(), w);
            std::uint32_t lists = 0;
            for (auto&& [life, r] : c.pool_->each()) lists += r.finished.last ? 1 : 0;
            w.put(lists);
            for (auto&& [life, r] : c.pool_->each()) {
                if (!r.finished.last) continue;
                w.put(life.to_bits());
                w.put(r.finished.last.to_bits());
            }
        }
    }

    // --- read --------------------------------------------------------------------------------------------------------------

    /// The image is older than the class, which begins as if it had just been added.
    template <class Class>
    static void read_nothing(Class& c) {
        c.from_image_.emplace();
    }

    /// Calls f(handle, object) for each life that read() has made ready, in the order of slots. Pre: it has said yes.
    template <class Class, class F>
    static void for_each_read(Class& c, F&& f) {
        if (!c.from_image_ || !c.from_image_->objects) return;
        rewind_of<typename Class::pool_type>::template for_each_staged<typename Class::pool_type>(
            *c.from_image_->objects,
            [&f](typename Class::handle_type life, auto& record) { f(life, record.object()); });
    }

    template <class Class>
    [[nodiscard]] static image_verdict read(Class& c, image_reader& r, const image_of& image) {
        c.from_image_.reset();
        const std::string& name = c.shown_name();
        const auto built = r.take<std::uint8_t>();
        if (!r.ok() || built > 1) return cut_or_wrong(r, name);
        if (built == 0 && c.built() && !image.before_start)
            return {restore_error::other_parts, name + " is built here, and was not where the image was written"};
        if (built != 0 && image.before_start)
            return {restore_error::inconsistent, name + " is built in the image of a world that has not started"};
        if (built != 0 && !c.built() && !image.may_build)
            return {restore_error::other_parts, name + " is built in the image, and this role does not build it"};
        auto& staged = c.from_image_.emplace();
        if (built == 0) return {};
        if constexpr (world_writable<typename Class::object_type>) {
            if (!c.built()) {
                staged.built_for_it = true;
                const bool made = c.build();
                c.set_open(false);  // until all of the world is restored
                if (!made) return {restore_error::no_memory, name + ": there is no memory to build the class"};
            }
            return read_built(c, r, image.calls, image.now, staged);
        } else {
            return {restore_error::other_parts, name + ": this class cannot be restored from an image: " +
                                                    std::string(why_not<typename Class::object_type>())};
        }
    }

    /// Pre: read() has said yes.
    template <class Class>
    static void commit(Class& c) noexcept {
        auto& staged = *c.from_image_;
        if (!staged.objects) {
            if (c.built()) c.unbuild();
            return;
        }
        if constexpr (world_writable<typename Class::object_type>) {
            using handle_type = typename Class::handle_type;
            rewind_of<typename Class::pool_type>::commit(*c.pool_, *staged.objects);
            c.wheel_ = std::move(*staged.wheel);
            c.listeners_ = std::move(*staged.listeners);
            for (auto&& [which, timer] : c.wheel_.timers().each()) {
                if (!timer.value.call) c.pool_->try_get(handle_type::from_bits(timer.value.life))->lifetime = which;
            }
            for (const image_list& l : staged.lists)
                c.pool_->try_get(handle_type::from_bits(l.life))->finished = l.list;
        }
    }

    /// Pre: commit() of every class of the world.
    template <class Class>
    static void settle(Class& c) noexcept {
        c.state_ = c.from_image_->running;
        if constexpr (Class::waits) c.births_ = std::move(c.from_image_->births);
        c.from_image_->built_for_it = false;
        c.from_image_.reset();
        class_changes::uphold(c);
    }

    template <class Class>
    static void unstage(Class& c) noexcept {
        if (c.from_image_ && c.from_image_->built_for_it) c.unbuild();
        c.from_image_.reset();
    }

private:
    [[nodiscard]] static image_verdict cut_or_wrong(const image_reader& r, const std::string& name) {
        if (!r.ok()) return {restore_error::truncated, name + ": " + to_string(restore_error::truncated)};
        return {restore_error::inconsistent, name + ": " + to_string(restore_error::inconsistent)};
    }

    /// As they stand in class_counters. One that is added there changes what an image holds: raise world_image::version.
    static constexpr std::size_t counters = 9;
    static_assert(sizeof(class_counters) == counters * sizeof(std::uint64_t));
    [[nodiscard]] static std::array<std::uint64_t, counters> numbers_of(const class_counters& c) noexcept {
        std::array<std::uint64_t, counters> numbers;
        std::memcpy(numbers.data(), &c, sizeof(c));
        return numbers;
    }

    static void write(const world_class::running_state& s, image_writer& w) {
        s.clock.write(w);
        s.watch.write(w);
        for (const std::uint64_t n : numbers_of(s.counters)) w.put(n);
        w.put(s.to_prewarm);
        w.put(s.asked);
    }
    [[nodiscard]] static bool read(world_class::running_state& s, image_reader& r) noexcept {
        const bool clock = s.clock.read(r);
        const bool watch = s.watch.read(r);
        std::array<std::uint64_t, counters> numbers{};
        for (std::uint64_t& n : numbers) n = r.take<std::uint64_t>();
        std::memcpy(static_cast<void*>(&s.counters), numbers.data(), sizeof(s.counters));
        s.to_prewarm = r.take<std::uint32_t>();
        s.asked = r.take<std::uint32_t>();
        return r.ok() && clock && watch && s.to_prewarm <= settings_limits::objects &&
               s.asked <= settings_limits::objects;
    }

    template <class Class, class Staged>
    [[nodiscard]] static image_verdict read_built(Class& c, image_reader& r, const read_names& calls,
                                                  [[maybe_unused]] std::uint64_t now, Staged& staged) {
        using element = typename Class::object_type;
        using objects = rewind_of<typename Class::pool_type>;
        const std::string& name = c.shown_name();
        const image_element_form form{r.take<std::uint32_t>(), r.take<std::uint32_t>()};
        if (!r.ok()) return cut_or_wrong(r, name);
        const bool same_form = form == form_of_element<element>();
        const bool same_layout = !r.lasting() || r.take<std::uint64_t>() == layout_of_element<element>();
        if (!r.ok()) return cut_or_wrong(r, name);
        const bool drops = r.lasting() && c.settings().changed_layout == changed_layout::drop;
        if (!same_form && !r.lasting())
            return {restore_error::other_type,
                    name + ": its objects have another size, form or order of bytes in the image than here"};
        if (!(same_form && same_layout) && !drops)
            return {restore_error::other_type,
                    name +
                        ": its objects have other fields in the saved game than in this build; to load the game "
                        "without them, say changed_layout = drop in the settings of the class"};
        const bool dropped = !(same_form && same_layout);
        if (!read(staged.running, r)) return cut_or_wrong(r, name);
        if constexpr (Class::waits) {
            if (!staged.births.read(r)) return cut_or_wrong(r, name);
        }
        if (dropped) static_cast<owning::lasting_notes*>(r.notes())->dropped.push_back(name);
        if (r.notes() != nullptr) r.notes()->skip = dropped;
        const restore_result bad_objects = objects::read(*c.pool_, r, staged.objects.emplace());
        if (r.notes() != nullptr) r.notes()->skip = false;
        if (!bad_objects) return {bad_objects, name};
        if constexpr (Class::waits) {
            if (objects::template tick_in<typename Class::pool_type>(*staged.objects) > now)
                return {restore_error::inconsistent, name + ": its ends that wait are ahead of the world's clock"};
        }
        const auto lives = [&staged](std::uint64_t life) {
            return objects::template lives_in<typename Class::pool_type>(*staged.objects,
                                                                         Class::handle_type::from_bits(life));
        };
        // As many as the class has address space for.
        world_wheel& wheel = staged.wheel.emplace(64, c.wheel_.timers().max_capacity());
        if (const restore_result bad = wheel_image<world_wheel>::read(wheel, r); !bad) return {bad, name};
        life_listeners& listeners = staged.listeners.emplace(c.listeners_.nodes().max_capacity());
        if (const restore_result bad = read_nodes(listeners, r); !bad) return {bad, name};
        for (auto&& [which, node] : listeners.nodes().each()) {
            if (image_verdict bad = calls.restore(node.call, node.name, c.type_id(), name); !bad) return bad;
        }
        if (const restore_result bad = read_lists(staged.lists, listeners, r, lives); !bad) return {bad, name};
        return {check_timers(wheel, listeners, lives), name};
    }

    [[nodiscard]] static restore_result read_nodes(life_listeners& into, image_reader& r) {
        using pool = life_listeners::node_pool;
        staged_of<pool> staged;
        const restore_result read = rewind_of<pool>::read(into.nodes(), r, staged);
        if (read) rewind_of<pool>::commit(into.nodes(), staged);
        return read;
    }

    /// Every listener is in the list of one life that is about to come back.
    template <class Lives>
    [[nodiscard]] static restore_result read_lists(std::vector<image_list>& lists, const life_listeners& listeners,
                                                   image_reader& r, const Lives& lives) {
        const auto count = r.take<std::uint32_t>();
        if (!r.ok() || !r.has(count, 16)) return {restore_error::truncated};
        lists.reserve(count);
        std::uint64_t seen = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            image_list l{r.take<std::uint64_t>(), {}};
            l.list.last = life_listeners::node_handle::from_bits(r.take<std::uint64_t>());
            const std::uint32_t length = lives(l.life) ? listeners.length_of(l.list, l.life) : 0;
            if (length == 0) return {restore_error::inconsistent, "a list of listeners is not that of a life"};
            seen += length;
            lists.push_back(l);
        }
        // A list has the listeners of one life, so two lists of one life are the same, and counted twice.
        if (seen != listeners.size()) return {restore_error::inconsistent, "a listener is not in the list of its life"};
        return {};
    }

    /// A timer is the lifetime of a life that is about to come back, its only one, or that of a call which waits for it.
    template <class Lives>
    [[nodiscard]] static restore_result check_timers(const world_wheel& wheel, const life_listeners& listeners,
                                                     const Lives& lives) {
        std::vector<std::uint64_t> with_lifetime;
        std::uint32_t calls = 0;
        for (auto&& [which, timer] : wheel.timers().each()) {
            if (!lives(timer.value.life)) return {restore_error::inconsistent, "a timer is of no life"};
            if (!timer.value.call) {
                with_lifetime.push_back(timer.value.life);
                continue;
            }
            ++calls;
            const auto* const node = listeners.nodes().try_get(timer.value.call);
            if (node == nullptr || node->timer != which.to_bits() || node->life != timer.value.life)
                return {restore_error::inconsistent, "a timer and the call that waits for it contradict each other"};
        }
        std::sort(with_lifetime.begin(), with_lifetime.end());
        if (std::adjacent_find(with_lifetime.begin(), with_lifetime.end()) != with_lifetime.end())
            return {restore_error::inconsistent, "a life has two lifetimes"};
        for (auto&& [which, node] : listeners.nodes().each()) calls -= node.timer != 0 ? 1 : 0;
        if (calls != 0) return {restore_error::inconsistent, "a call waits for a timer that is not there"};
        return {};
    }
};

}  // namespace lido::world_detail
