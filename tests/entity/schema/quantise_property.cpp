// X26: a number on the wire is its field's to within half a step, for every range, and stays what it is from then on.
#include <lido/entity/schema/limits.hpp>

#include "support/dose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include <lido/entity/schema/field_check.hpp>

namespace schema_quantise_property {

using lido::limit;
using lido::number_range;
using namespace lido::entity_detail;

leaf_options options(limit min, limit max, limit step) {
    leaf_options o;
    o.min = min;
    o.max = max;
    o.step = step;
    return o;
}

bool has_bits(std::uint64_t number, unsigned bits) { return bits == 64 || number >> bits == 0; }

/// A finite number of any size, and now and then a plain one.
template <class R>
R any_real() {
    const auto mantissa = static_cast<double>(*rc::gen::inRange(-1'000'000, 1'000'001));
    return static_cast<R>(std::ldexp(mantissa, *rc::gen::inRange(-30, 20)));
}

template <class R>
void reals() {
    R low = any_real<R>(), high = any_real<R>();
    if (low > high) std::swap(low, high);
    const double step = std::abs(static_cast<double>(any_real<R>()));
    const leaf_options o = options(low, high, step);
    RC_PRE(judge_real_range<R>(o) == range_verdict::good);
    const number_range range = make_range<R>(o);
    RC_ASSERT(range.bits <= 60);
    for (int i = 0; i < 20; ++i) {
        const double part = *rc::gen::inRange(0, 1001) / 1000.0;
        const R value = std::min(high, std::max(low, static_cast<R>(low + part * (static_cast<double>(high) - low))));
        const std::uint64_t q = quantise(value, range);
        RC_ASSERT(has_bits(q, range.bits));
        const R back = unquantise<R>(q, range);
        RC_ASSERT(back >= low && back <= high);
        // Half a step, and what the number's own type rounds off near the greater end.
        const double grain = std::max(std::abs(static_cast<double>(low)), std::abs(static_cast<double>(high))) *
                             static_cast<double>(std::numeric_limits<R>::epsilon());
        RC_ASSERT(std::abs(static_cast<double>(back) - static_cast<double>(value)) <= step / 2 + grain);
        RC_ASSERT(quantise(back, range) == q);
        RC_ASSERT(quantise(unquantise<R>(quantise(back, range), range), range) == q);
    }
    RC_ASSERT(quantise(low, range) == 0u);
    RC_ASSERT(unquantise<R>(0, range) == low);
    RC_ASSERT(unquantise<R>(~std::uint64_t{0}, range) == high);
    RC_ASSERT(quantise(std::numeric_limits<R>::infinity(), range) == quantise(high, range));
    RC_ASSERT(quantise(std::numeric_limits<R>::quiet_NaN(), range) == 0u);
}

RC_GTEST_PROP(quantise, X26_floats_come_back_within_half_a_step, ()) { reals<float>(); }
RC_GTEST_PROP(quantise, X26_doubles_come_back_within_half_a_step, ()) { reals<double>(); }

template <class I>
void wholes() {
    I low = *rc::gen::arbitrary<I>(), high = *rc::gen::arbitrary<I>();
    if (*rc::gen::inRange(0, 4) == 0) low = std::numeric_limits<I>::min();
    if (*rc::gen::inRange(0, 4) == 0) high = std::numeric_limits<I>::max();
    if (low > high) std::swap(low, high);
    const std::uint64_t width = to_word(high) - to_word(low);
    const std::uint64_t step =
        *rc::gen::inRange(0, 2) == 0 ? 1 : 1 + *rc::gen::arbitrary<std::uint64_t>() % (width / 2 + 1);
    const leaf_options o = options(low, high, step);
    RC_PRE(judge_whole_range<I>(o) == range_verdict::good);
    const number_range range = make_range<I>(o);
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t above = width == ~std::uint64_t{0} ? *rc::gen::arbitrary<std::uint64_t>()
                                                               : *rc::gen::arbitrary<std::uint64_t>() % (width + 1);
        const I value = from_word<I>(to_word(low) + above);
        const std::uint64_t q = quantise(value, range);
        RC_ASSERT(has_bits(q, range.bits));
        const I back = unquantise<I>(q, range);
        RC_ASSERT(back >= low && back <= high);
        const std::uint64_t apart = back > value ? to_word(back) - to_word(value) : to_word(value) - to_word(back);
        RC_ASSERT(apart <= step / 2);
        RC_ASSERT(quantise(back, range) == q);
        if (step == 1) RC_ASSERT(back == value);
    }
    RC_ASSERT(unquantise<I>(~std::uint64_t{0}, range) == high);
}

RC_GTEST_PROP(quantise, X26_bytes_come_back_within_half_a_step, ()) { wholes<std::int8_t>(); }
RC_GTEST_PROP(quantise, X26_words_come_back_within_half_a_step, ()) { wholes<std::uint16_t>(); }
RC_GTEST_PROP(quantise, X26_signed_64_bits_come_back_within_half_a_step, ()) { wholes<std::int64_t>(); }
RC_GTEST_PROP(quantise, X26_unsigned_64_bits_come_back_within_half_a_step, ()) { wholes<std::uint64_t>(); }

RC_GTEST_PROP(quantise, X26_numbers_without_a_step_keep_every_bit, (std::uint64_t bits)) {
    const number_range of_double = make_range<double>({});
    const number_range of_float = make_range<float>({});
    RC_ASSERT(quantise(bits_as<double>(bits), of_double) == bits);
    const auto half = static_cast<std::uint32_t>(bits);
    RC_ASSERT(real_bits(unquantise<double>(bits, of_double)) == bits);
    RC_ASSERT(quantise(bits_as<float>(half), of_float) == half);
    RC_ASSERT(of_double.bits == 64 && of_float.bits == 32);
}

}  // namespace schema_quantise_property
