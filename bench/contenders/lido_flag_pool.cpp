// flag_pool: only where it is meant to be used, at a thousand slots and less.
#include <bench/contenders/lido.hpp>

#include <memory>

namespace {

constexpr std::size_t slots = 1000;

/// The pool lies inside its object, which is too large for a stack.
template <class T>
struct flag_pool {
    using base = bench::lido_pool<lido::flag_pool<T, slots>>;
    using element = T;
    using ref = typename base::ref;
    static constexpr bool owns = true;
    static constexpr bool checks = true;
    static constexpr bool in(std::string_view workload) {
        return workload != "grow" && workload != "memory" && workload != "respawn";
    }
    static constexpr std::size_t most(std::string_view) { return slots; }

    std::unique_ptr<base> inside;

    explicit flag_pool(std::size_t n) : inside(std::make_unique<base>(n)) {}

    LIDO_INLINE ref spawn(std::uint32_t tag) { return inside->spawn(tag); }
    LIDO_INLINE void end(ref r) { inside->end(r); }
    LIDO_INLINE T* get(ref r) { return inside->get(r); }
    [[nodiscard]] std::uint64_t to_bits(ref r) const { return inside->to_bits(r); }
    LIDO_INLINE T* get_bits(std::uint64_t bits) { return inside->get_bits(bits); }
    template <class F>
    LIDO_INLINE void for_each(F&& f) {
        inside->for_each(f);
    }
    [[nodiscard]] std::size_t size() const { return inside->size(); }
    void bulk(std::span<ref> out, std::uint32_t tag) { inside->bulk(out, tag); }
    void clear() { inside->clear(); }
    void save() { inside->save(); }
    void restore() { inside->restore(); }
};

const bool added = bench::add<flag_pool>("flag_pool", bench::kind::lido);

}  // namespace
