// What can be saved: a part of a snapshot, of an image, of a rewind and of a state hash.
//
// Pools and worlds are parts, and so is any trivially copyable object that is not a pointer. A type of your own becomes one by naming
// a struct that knows how, with these static functions (P is the type):
//
//   struct inventory {
//       using rewind_with = inventory_rewind;
//       ...
//   };
//
//   template <class P> struct staged;                                  what a restore has ready before it changes anything
//   bool           save(const P&, section& to)                         into a snapshot; false when there is no memory
//   restore_result stage(P&, const section& from, staged<P>& out)      checks a snapshot and copies from it; P does not change
//   void           commit(P&, staged<P>& from) noexcept                P becomes what was staged
//   void           write(const P&, image_writer& to)                   into an image; first its number (rewind/image_part.hpp);
//                                                                      a save_result where it may have to refuse
//   restore_result read(P&, image_reader& from, staged<P>& out)        as stage(), from bytes that may be hostile
//   void           hash(const P&, hasher& into)                        equal states, equal hashes
//
// A restore stages or reads every part and then commits every part, so a set of parts is restored whole or not at all. A part that
// has no image leaves write() and read() out; saving it into one is then an error at compile time.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/plain_part.hpp>
#include <lido/core/rewind/section.hpp>

#include <concepts>
#include <type_traits>

namespace lido {

namespace detail {

template <class P>
struct rewinder {
    static_assert(std::is_trivially_copyable_v<P> && !std::is_pointer_v<P>,
                  "lido: only pools and trivially copyable objects (no pointers) can be saved and restored");
    using type = plain_rewind;
};
template <class P>
    requires requires { typename P::rewind_with; }
struct rewinder<P> {
    using type = typename P::rewind_with;
};

}  // namespace detail

/// The struct that saves and restores a P.
template <class P>
using rewind_of = typename detail::rewinder<std::remove_const_t<P>>::type;

/// A restore of a P that has been checked and cannot fail any more.
template <class P>
using staged_of = typename rewind_of<P>::template staged<std::remove_const_t<P>>;

/// P can be saved into a snapshot, restored from it, and hashed.
template <class P>
concept rewind_part =
    requires(const P& whole, P& part, section& s, const section& from, staged_of<P>& staged, hasher& h) {
        { rewind_of<P>::save(whole, s) } -> std::same_as<bool>;
        { rewind_of<P>::stage(part, from, staged) } -> std::same_as<restore_result>;
        { rewind_of<P>::commit(part, staged) } noexcept;
        rewind_of<P>::hash(whole, h);
    };

/// P can be written into an image, too.
template <class P>
concept image_rewind_part =
    rewind_part<P> && requires(const P& whole, P& part, image_writer& w, image_reader& r, staged_of<P>& staged) {
        rewind_of<P>::write(whole, w);
        { rewind_of<P>::read(part, r, staged) } -> std::same_as<restore_result>;
    };

}  // namespace lido
