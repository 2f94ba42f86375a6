// A class of entities: what a stage knows of it, without its C++ type (entity_class_base) and with it.
//
//   entity_class_base            name, schema, settings, history
//     entity_class<T, Transform> the objects: the class of the world that they live in
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/handle.hpp>
#include <lido/entity/journal/numbers.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/stage/creation.hpp>
#include <lido/entity/stage/entity_object.hpp>
#include <lido/entity/stage/entity_settings.hpp>
#include <lido/entity/stage/history.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_pool.hpp>
#include <lido/world/owned_class.hpp>
#include <lido/world/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido::entity_detail {

class stage_base;

/// Which slot a life is in.
[[nodiscard]] constexpr std::uint32_t slot_of(std::uint64_t life) noexcept {
    return handle<entity_head>::from_bits(life).index();
}

class entity_class_base {
public:
    entity_class_base(const entity_class_base&) = delete;
    entity_class_base& operator=(const entity_class_base&) = delete;
    virtual ~entity_class_base() = default;

    [[nodiscard]] const class_number& number() const noexcept { return number_; }
    [[nodiscard]] const class_id& id() const noexcept { return id_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::uint64_t type_id() const noexcept { return type_id_; }
    [[nodiscard]] const class_schema& schema() const noexcept { return schema_; }
    [[nodiscard]] const entity_settings& settings() const noexcept { return settings_; }
    [[nodiscard]] bool fresh() const noexcept { return fresh_; }
    /// This role may change its entities.
    [[nodiscard]] bool changeable() const noexcept { return changeable_; }
    /// For the count of lives that an edit remembers: 0 where this role may change its entities, else all bits, which no count has.
    [[nodiscard]] LIDO_INLINE std::uint64_t never() const noexcept { return never_; }
    [[nodiscard]] class_history& history() noexcept { return history_; }
    [[nodiscard]] const class_history& history() const noexcept { return history_; }

    /// What there is of a life. Nulls for one that has ended.
    struct found {
        entity_head* head = nullptr;
        std::byte* data = nullptr;
    };
    /// To change it: nothing is found in the middle of a save or restore.
    [[nodiscard]] virtual found find(std::uint64_t life) noexcept = 0;
    /// To look at it.
    [[nodiscard]] virtual found look(std::uint64_t life) noexcept = 0;
    virtual bool end(source_place from, std::uint64_t life, end_reason why) noexcept = 0;
    /// The whole end of a life, as stage_base::end_entity says, where nothing stands in its way.
    enum class quick_end : std::uint8_t { done, look_closer, no_room };  // in the journal; nothing was done
    [[nodiscard]] virtual quick_end end_quickly(source_place from, std::uint64_t life, entity_end how) noexcept = 0;
    [[nodiscard]] virtual bool idle_has_room() const noexcept = 0;
    /// Objects that are in a life.
    [[nodiscard]] virtual std::uint32_t active() const noexcept = 0;
    /// Calls on_begin. Throws: what that throws.
    virtual void tell_begin(std::uint64_t life) = 0;
    virtual void for_each(void* to, void (*visit)(void*, entity_head&, std::byte* data, std::uint64_t life)) = 0;

    /// How the stage begins a life of the class without its type; `data` null: a T{}.
    using creator = created_entity (*)(stage_base& stage, entity_class_base& of, const creation& how, const void* data);
    creator create = nullptr;

    // --- images (stage_image.hpp) ---------------------------------------------------------------------------------------------

    /// Null, or why its entities have no exact image.
    [[nodiscard]] virtual const char* why_no_image() const noexcept = 0;
    /// A struct of the class, exactly. Pre: why_no_image() is null; of read_data(): `data` is a T{}.
    virtual void write_data(image_writer& w, const void* data) const = 0;
    [[nodiscard]] virtual bool read_data(image_reader& r, void* data) const = 0;
    /// The lives that a restore from an image has made ready, in the order of slots.
    virtual void for_each_read(void* to, void (*visit)(void*, entity_head&, std::byte* data, std::uint64_t life)) = 0;
    /// All that live never were: their on_end is called, and nothing of them is left.
    virtual void undo_all() noexcept = 0;
    /// What the world calls the class now, after a restore has given other numbers; number() is told then.
    [[nodiscard]] virtual class_number number_in_world() const noexcept = 0;
    void take_number() noexcept { number_ = number_in_world(); }

    template <class F>
    void each_read(F&& f) {
        for_each_read(&f, [](void* to, entity_head& h, std::byte* data, std::uint64_t life) {
            (*static_cast<std::remove_reference_t<F>*>(to))(h, data, life);
        });
    }
    template <class F>
    void each(F&& f) {
        if (active() == 0) return;  // it may not be built
        for_each(&f, [](void* to, entity_head& h, std::byte* data, std::uint64_t life) {
            (*static_cast<std::remove_reference_t<F>*>(to))(h, data, life);
        });
    }

    // --- which life a slot has, or had last ------------------------------------------------------------------------------------

    /// Memory for the slot. Throws: std::bad_alloc.
    void make_room(std::uint32_t slot) {
        if (slot >= lives_.size()) lives_.resize(std::max<std::size_t>(std::size_t{slot} + 1, lives_.size() * 2));
    }
    /// Pre: make_room().
    void note_life(std::uint64_t life, std::uint64_t generation) noexcept {
        lives_[slot_of(life)] = {life, generation};
    }
    void forget_lives() noexcept { std::fill(lives_.begin(), lives_.end(), slot_life{}); }
    /// As many slots as may have had a life.
    [[nodiscard]] std::uint32_t slot_limit() const noexcept { return static_cast<std::uint32_t>(lives_.size()); }
    /// The life that began last in the slot; 0 where none did. Pre: slot < slot_limit().
    [[nodiscard]] std::uint64_t last_life_in(std::uint32_t slot) const noexcept { return lives_[slot].life; }
    /// 0 where the slot has had another life since.
    [[nodiscard]] std::uint64_t life_in(std::uint32_t slot, std::uint64_t generation) const noexcept {
        return slot < lives_.size() && lives_[slot].generation == generation ? lives_[slot].life : 0;
    }

protected:
    entity_class_base(class_number number, std::string name, std::uint64_t type_id, const class_schema& schema,
                      const entity_settings& settings, bool fresh, bool changeable)
        : number_(number),
          id_(class_id_of(name)),
          name_(std::move(name)),
          type_id_(type_id),
          schema_(schema),
          settings_(settings),
          history_(settings.history, schema.size(), schema.alignment()),
          fresh_(fresh),
          changeable_(changeable),
          never_(changeable ? 0 : ~std::uint64_t{0}) {}

private:
    class_number number_;
    class_id id_;
    std::string name_;
    std::uint64_t type_id_;
    const class_schema& schema_;
    entity_settings settings_;
    class_history history_;
    struct slot_life {
        std::uint64_t life = 0;
        std::uint64_t generation = 0;
    };
    std::vector<slot_life> lives_;  ///< by slot
    bool fresh_;
    bool changeable_;
    std::uint64_t never_;
};

template <class T, class Transform>
class entity_class final : public entity_class_base {
    using object = entity_object<T>;
    using pool = owning::class_pool<object, Transform>;
    using typename entity_class_base::quick_end;
    using handle_type = typename ref<object>::handle_type;

public:
    /// Pre: the world has the class under this number.
    entity_class(stage_base& stage, pool& in, class_number number, std::string name, const entity_settings& settings,
                 bool changeable)
        : entity_class_base(number, std::move(name), lido::type_id<T>(), schema_of<T>(), settings, is_fresh<T>,
                            changeable),
          stage_(stage),
          pool_(in) {}

    [[nodiscard]] LIDO_INLINE object* find_object(std::uint64_t life) noexcept {
        auto* const r = pool_.find(handle_type::from_bits(life));
        return r != nullptr ? &r->object() : nullptr;
    }
    /// The object's address is that of its record.
    [[nodiscard]] LIDO_INLINE auto* find_record(std::uint64_t life) noexcept {
        return pool_.find(handle_type::from_bits(life));
    }
    [[nodiscard]] LIDO_INLINE object* look_object(std::uint64_t life) noexcept {
        return pool_.get(handle_type::from_bits(life));
    }

    [[nodiscard]] found find(std::uint64_t life) noexcept override { return as_found(find_object(life)); }
    [[nodiscard]] found look(std::uint64_t life) noexcept override { return as_found(look_object(life)); }
    bool end(source_place from, std::uint64_t life, end_reason why) noexcept override {
        return pool_.end_one(from, handle_type::from_bits(life), why);
    }
    [[nodiscard]] quick_end end_quickly(source_place from, std::uint64_t life, entity_end how) noexcept override;
    [[nodiscard]] bool idle_has_room() const noexcept override { return pool_.idle_has_room(); }
    [[nodiscard]] std::uint32_t active() const noexcept override { return pool_.active(); }
    void tell_begin(std::uint64_t life) override {
        if (object* const o = find_object(life)) entity_access::tell_begin(*o, {number(), life});
    }
    void for_each(void* to, void (*visit)(void*, entity_head&, std::byte*, std::uint64_t)) override {
        pool_.for_each([&](object& o, ref<object> which) {
            visit(to, entity_access::head(o), reinterpret_cast<std::byte*>(&entity_access::data(o)),
                  which.life().to_bits());
        });
    }

    /// The world has ended the life, for whatever reason.
    void has_ended(object& o, std::uint64_t life, end_reason why) noexcept;

    [[nodiscard]] const char* why_no_image() const noexcept override {
        return why_no_exact_image<T, typename context_in<T>::type>();
    }
    void write_data(image_writer& w, const void* data) const override { write_fields(w, *static_cast<const T*>(data)); }
    [[nodiscard]] bool read_data(image_reader& r, void* data) const override {
        return read_fields(r, *static_cast<T*>(data));
    }
    void for_each_read(void* to, void (*visit)(void*, entity_head&, std::byte*, std::uint64_t)) override {
        pool_.for_each_read([&](handle_type life, object& o) {
            visit(to, entity_access::head(o), reinterpret_cast<std::byte*>(&entity_access::data(o)), life.to_bits());
        });
    }
    void undo_all() noexcept override {
        if (pool_.active() == 0) return;
        pool_.for_each([](object& o) { entity_access::undo(o); });
    }
    [[nodiscard]] class_number number_in_world() const noexcept override { return pool_.number(); }

    [[nodiscard]] pool& objects() noexcept { return pool_; }
    /// Objects are found to be changed: nothing is being saved or restored.
    [[nodiscard]] LIDO_INLINE bool reachable() const noexcept { return pool_.reachable(); }
    [[nodiscard]] entity_ref<T> reference(std::uint64_t life) const noexcept {
        return entity_ref<T>(ref<object>(number(), handle_type::from_bits(life)));
    }

private:
    [[nodiscard]] static found as_found(object* o) noexcept {
        if (o == nullptr) return {};
        return {&entity_access::head(*o), reinterpret_cast<std::byte*>(&entity_access::data(*o))};
    }

    stage_base& stage_;
    pool& pool_;
};

}  // namespace lido::entity_detail
