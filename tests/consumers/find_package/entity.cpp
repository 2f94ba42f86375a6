// A struct with a schema, from the installed entity layer.
#include <lido/entity.hpp>

struct door {
    float angle = 0;
    lido::text<8> keeper = "nobody";
};
constexpr auto describe(lido::type<door>) {
    return lido::schema{1, lido::field<&door::angle>{.min = 0, .max = 120, .step = 0.5f}};
}

int main() {
    door d;
    d.angle = 121;
    const lido::class_schema& doors = lido::schema_of<door>();
    const lido::finding wrong = doors.first_invalid(&d);
    return wrong && wrong.field == doors.find("angle") ? 0 : 1;
}
