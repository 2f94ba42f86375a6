// Promise (X6): a program that links lido::symbols finds lines without a line of code for it, from its first global on. (This
// program links it as a user does.)
#include "find_line.hpp"

#include <lido/core/checks/line_finder.hpp>

#include <gtest/gtest.h>

namespace lido::test {
namespace symbols_registration_test {

const bool set_before_globals = current_line_finder.load() != nullptr;

TEST(registration, X6_linking_is_enough) { EXPECT_EQ(current_line_finder.load(), &symbols::find_line); }

TEST(registration, X6_comes_before_the_globals_of_the_program) { EXPECT_TRUE(set_before_globals); }

}  // namespace symbols_registration_test
}  // namespace lido::test
