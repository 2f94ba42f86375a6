// How often a test repeats what it does at random.
#pragma once

namespace lido::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIDO_TEST_SMALL_DOSE 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LIDO_TEST_SMALL_DOSE 1
#endif

/// `n` times; under AddressSanitizer, where each takes five times as long, a fifth of that. For repetitions only: every kind of
/// step and every bound that a test names is still tried.
template <class Number>
[[nodiscard]] constexpr Number dose(Number n) {
#ifdef LIDO_TEST_SMALL_DOSE
    return n / 5;
#else
    return n;
#endif
}

}  // namespace lido::test
