// All of lido's world layer: pools by class, lifetimes, events, payloads, settings. Needs core alone; reading settings from a file is
// lido::settings (world/settings_file.hpp).
#pragma once

#include <lido/world/class_settings.hpp>
#include <lido/world/event.hpp>
#include <lido/world/payload.hpp>
#include <lido/world/pooled.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/timing_wheel.hpp>
#include <lido/world/transform.hpp>
#include <lido/world/world.hpp>
