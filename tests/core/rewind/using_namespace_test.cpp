// README's idiom in a program that includes <cstdio>, whose rewind(FILE*) is a global function, and says `using namespace lido`.
#include <cstdio>

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace lido_user {
namespace rewind_using_namespace_test {

struct bullet {
    int x, ttl;
};

TEST(rewind_using_namespace, is_written_rewind_buffer) {
    using namespace lido;
    slot_pool<bullet> bullets{16, {.leaks = leaks::allow}};
    rewind_buffer<8> past;
    const handle<bullet> first = bullets.acquire(0, 2);
    for (std::uint64_t tick = 0; tick < 3; ++tick) {
        past.save(tick, bullets);
        bullets.release_if([](bullet& b) { return --b.ttl <= 0; });
    }
    EXPECT_FALSE(bullets.contains(first));
    ASSERT_TRUE(past.restore(1, bullets));
    EXPECT_EQ(bullets.get(first)->ttl, 1);
}

TEST(rewind_using_namespace, is_the_same_type) {
    static_assert(std::is_same_v<lido::rewind_buffer<8>, lido::rewind<8>>);
    // The function is still what it was.
    std::FILE* const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    std::fputc('x', file);
    using namespace lido;
    ::rewind(file);
    EXPECT_EQ(std::fgetc(file), 'x');
    std::fclose(file);
}

}  // namespace rewind_using_namespace_test
}  // namespace lido_user
