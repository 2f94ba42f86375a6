// Figures as OpenMetrics text, for Prometheus.
#pragma once

#include "figures.hpp"

#include <string>
#include <string_view>

namespace lido::inspect {

inline constexpr std::string_view metrics_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";

[[nodiscard]] std::string write_metrics(const moment& now);

}  // namespace lido::inspect
