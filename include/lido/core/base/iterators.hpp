// What an iterator needs of <iterator>: the tags and the default sentinel. The rest of that header is iterators of streams, with locales
// and all; they cost a fifth of the compile time of a file that includes one pool.
#pragma once

#include <cstddef>

#if defined(__GLIBCXX__) && __has_include(<bits/stl_iterator.h>)
#include <bits/stl_iterator.h>
#include <bits/stl_iterator_base_types.h>
#else
#include <iterator>
#endif
