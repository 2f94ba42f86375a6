// A pooled type of one's own, in seven steps (S4.11).
#include <lido/world/pooled.hpp>
#include <lido/world/ticks.hpp>
#include <lido/world/world.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

/// What each activation is set up with.
struct aim {
    float speed = 1;
    int damage = 1;
};

struct song {};  // which no arrow takes

// 1. Derive from lido::pooled: that brings the in-use flag, what goes with it, and return_to_pool().
class arrow : public lido::pooled {
public:
    using payload_type = aim;

    void place(const lido::transform& where) { at_ = where; }

    // 4. When a life begins, set everything anew and take the payload: each use must be like a fresh object.
    void on_acquire(const aim& with) {
        with_ = with;
        trail_.clear();  // its memory stays for this life
    }

    // 3. Where the type has something to switch, it has a set_in_use of its own, which calls its parent's first. What is made ahead
    //    begins out of use.
    void set_in_use(bool in_use) {
        pooled::set_in_use(in_use);
        std::printf("  %s\n", in_use ? "drawn and let go" : "back in the quiver");
    }

    // 5. When it is finished it returns itself; if it never is, its lifetime runs out. Both end the same way.
    void step(float wall) {
        at_.x += with_.speed;
        trail_.push_back(at_.x);
        if (at_.x < wall) return;
        std::printf("  hits the wall for %d\n", with_.damage);
        return_to_pool();
    }

    [[nodiscard]] std::size_t steps() const { return trail_.size(); }

private:
    // 2. What it shows and needs is its own: the world knows nothing of it.
    lido::transform at_;
    aim with_;
    std::vector<float> trail_;
};

}  // namespace

int main() {
    lido::world world;

    // 6. Tell the world of the class. Before the start it is built by start(), later at once; a settings file may say the numbers.
    const lido::added_class added = world.add<arrow>("arrow", {.prewarm = 2, .max_lifetime = lido::ticks{4}});
    if (!added) std::printf("%s\n", added.why.c_str());
    std::printf("two arrows are made ahead\n");
    world.start();
    world.finished<arrow>().connect(
        [](arrow& a, lido::ref<arrow>) { std::printf("  it flew %d steps\n", static_cast<int>(a.steps())); });

    // 7. Spawn it: class, place, payload. By type, checked as it compiles; or by name, checked as it arrives.
    std::printf("an arrow that hits\n");
    world.spawn<arrow>({.x = 0}, aim{.speed = 2, .damage = 7});
    const auto play = [&world](int ticks) {
        for (int i = 0; i < ticks; ++i) {
            world.for_each<arrow>([](arrow& a) { a.step(5); });
            world.tick();
        }
    };
    play(3);
    std::printf("an arrow that is too slow\n");
    world.spawn("arrow", {.x = 0}, aim{.speed = 0.5f});
    play(5);

    std::printf("a payload of another type\n");
    const lido::any_spawned refused = world.spawn("arrow", {}, song{});
    std::printf("  %s\n", to_string(refused.why()));

    const lido::class_stats s = world.stats<arrow>();
    std::printf("%d lives, %d by an object that was there already; %d ran out of time\n",
                static_cast<int>(s.counters.spawned), static_cast<int>(s.pool.reused),
                static_cast<int>(s.counters.expired));
}

/* Output:
two arrows are made ahead
  back in the quiver
  back in the quiver
an arrow that hits
  drawn and let go
  hits the wall for 7
  back in the quiver
  it flew 3 steps
an arrow that is too slow
  drawn and let go
  back in the quiver
  it flew 4 steps
a payload of another type
  the payload has another type than the class takes
2 lives, 2 by an object that was there already; 1 ran out of time
*/
