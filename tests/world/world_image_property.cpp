// X1: a world that moves from process to process in the middle of a game, against a plain model: at random ticks it is written into an
// image and goes on in a second world, which added its classes in another order.
#include <lido/world/world.hpp>
#include <world/modelled_world.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace world_image_property {

using namespace lido_test::world_model;

RC_GTEST_PROP(a_world_in_an_image, X1_goes_on_in_another_process_as_a_plain_model_does, ()) {
    const std::vector<step> steps = *any_steps();
    run both(0, true);
    for (const step& s : steps) {
        both.take(s);
        both.compare();
        if (s.e % 32 == 0) both.move_to_another_process(s.d % 6u);
    }
}

}  // namespace world_image_property
