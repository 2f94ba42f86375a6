// flag_pool: a few hundred slots at most, inside the object, found by a scan of one bit each.
#pragma once

#include <lido/core/shapes/slot/slot_pool.hpp>

namespace lido {

/// A flag pool on any storage.
template <class T, options Options, class Storage, class Tag = void>
using basic_flag_pool = basic_slot_pool<T, Options, Storage, Tag, detail::flag_scan>;

/// N slots in the object itself; the lowest free one is used next; no allocation, ever.
/// 4.13 bytes of bookkeeping a slot; one bit with generation_rule::none, where a handle no longer tells one life from the next.
/// Past a few hundred slots slot_pool is faster: `acquire` here reads the whole map up to the first free slot.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using flag_pool = basic_flag_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
