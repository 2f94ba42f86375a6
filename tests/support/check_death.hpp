// What builds with checks stop at; in others there is nothing to see, and the test says why it is skipped.
#pragma once

#include <lido/core/config.hpp>

#include <gtest/gtest.h>

#if LIDO_CHECKS
#define EXPECT_CHECK_DEATH(statement, text) EXPECT_DEATH(statement, text)
#else
#define EXPECT_CHECK_DEATH(statement, text) \
    if (false) {                            \
        statement;                          \
        static_cast<void>(text);            \
    } else                                  \
        GTEST_SKIP() << "needs LIDO_CHECKS"
#endif
