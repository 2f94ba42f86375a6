// slot_pool as it comes.
#include <bench/contenders/lido.hpp>

namespace {

template <class T>
using slot_pool = bench::lido_pool<lido::slot_pool<T>>;

const bool added = bench::add<slot_pool>("slot_pool", bench::kind::lido);

}  // namespace
