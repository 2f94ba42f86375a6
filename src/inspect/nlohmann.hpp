// nlohmann-json, as lido uses it. Only sources include this, so that a user of lido never sees it.
#pragma once

// A name of lido's own: a program that uses nlohmann-json itself may have another version, or other macros set, and under one name
// the linker would mix the two.
#define nlohmann lido_nlohmann
#define JSON_USE_IMPLICIT_CONVERSIONS 0
#include <nlohmann/json.hpp>
#undef nlohmann

namespace lido::inspect {

using json = lido_nlohmann::json;
/// Members in the order of the protocol's document: a reader of the text is a person.
using ordered_json = lido_nlohmann::ordered_json;

}  // namespace lido::inspect
