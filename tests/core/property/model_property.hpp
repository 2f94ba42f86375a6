// One RapidCheck property over a list of configurations: the pool agrees with the model, whatever is done to both.
#pragma once

#include "core/property/configs.hpp"
#include "core/property/model_run.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {

/// 26 configurations of this many operations make more than 10^6 in a default run; each test counts its own.
inline constexpr std::size_t configurations = 26;
inline constexpr std::size_t cases = 80;
inline constexpr std::size_t operations_per_case = 500;
static_assert(configurations * cases * operations_per_case >= 1'000'000);

/// Short runs in which everything is compared after every operation.
inline constexpr std::size_t short_cases = 40;
inline constexpr std::size_t operations_per_short_case = 50;

/// Lists of operations of one length. The list is made in one go and shrinks as a whole: chunks go first, then numbers. A
/// generator of RapidCheck's own for each operation would take longer than the operations.
inline rc::Gen<std::vector<op>> op_lists(std::size_t length) {
    return [length](const rc::Random& random, int) {
        rc::Random source = random;
        auto simpler = [](const op& o) {
            std::vector<op> all;
            if (o.a != 0) all.push_back({o.kind, 0, o.b});
            if (o.b != 0) all.push_back({o.kind, o.a, 0});
            if (o.a > 1) all.push_back({o.kind, o.a / 2, o.b});
            if (o.b > 1) all.push_back({o.kind, o.a, o.b / 2});
            return rc::seq::fromContainer(std::move(all));
        };
        return rc::shrinkable::shrinkRecur(random_ops(source.next(), length), [simpler](const std::vector<op>& ops) {
            return rc::seq::concat(rc::shrink::removeChunks(ops), rc::shrink::eachElement(ops, simpler));
        });
    };
}

/// Answers how many operations were done before the first shrink (all of them, when the property holds).
template <class Config>
std::size_t check_model(std::size_t runs, std::size_t length, std::uint32_t full_check_every) {
    const quiet_misuse quiet;
    std::size_t done = 0;
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = static_cast<int>(runs);
    const auto property = [&] {
        const std::vector<op> ops = *op_lists(length);
        model_run<Config> run(full_check_every);
        for (const op& o : ops) {
            ++done;
            if (!run.step(o)) RC_FAIL(run.error());
        }
        if (!run.check_all()) RC_FAIL(run.error());
    };
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = Config::name;
    const auto result = rc::detail::checkTestable(property, metadata, params);
    if (!result.template is<rc::detail::SuccessResult>()) {
        std::ostringstream text;
        rc::detail::printResultMessage(result, text);
        ADD_FAILURE() << text.str();
    }
    return done;
}

template <class Config>
class against_the_model : public ::testing::Test {};

struct config_name {
    template <class Config>
    static std::string GetName(int) {
        return Config::name;
    }
};

TYPED_TEST_SUITE_P(against_the_model);

// X1, X3, X4, X5
TYPED_TEST_P(against_the_model, long_runs_agree) {
    EXPECT_EQ(check_model<TypeParam>(cases, operations_per_case, 48), cases * operations_per_case)
        << "fewer operations ran than a default run must have";
}

TYPED_TEST_P(against_the_model, short_runs_agree_in_everything_after_each_operation) {
    EXPECT_EQ(check_model<TypeParam>(short_cases, operations_per_short_case, 1),
              short_cases * operations_per_short_case)
        << "fewer operations ran than a default run must have";
}

REGISTER_TYPED_TEST_SUITE_P(against_the_model, long_runs_agree, short_runs_agree_in_everything_after_each_operation);

}  // namespace lido::test
