// Most tests ask for what has ended and leave objects behind on purpose. The tests of the reports turn them on again
// (support/reporting.hpp).
#include <lido/core/checks/report.hpp>

namespace {

[[maybe_unused]] const bool quiet = [] {
    lido::reports.stale_gets = false;
    lido::reports.leaks = false;
    lido::reports.resets = false;
    return true;
}();

}  // namespace
