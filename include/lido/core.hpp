// All of lido's core: handles, pools, storage, rewind. Needs nothing but the standard library.
#pragma once

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_column_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/merge_pass.hpp>
#include <lido/core/pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/recycled_list.hpp>
#include <lido/core/rewind/history.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>
