// The end of a pool whose objects are still active.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/report.hpp>

#include <cstdint>

namespace lido::detail {

/// Reports what is still active as the settings ask for. True when the objects shall be destroyed. `each(f)` calls
/// f(slot, generation) for every active one.
template <class Diary, class Settings, class Each>
[[nodiscard]] bool check_leaks([[maybe_unused]] const Diary& diary, const Settings& settings, std::uint32_t active,
                               [[maybe_unused]] Each&& each) noexcept {
    if (active == 0 || settings.leaks == leaks::allow) return true;
    [[maybe_unused]] const misuse m{.kind = misuse_kind::leak,
                                    .pool = settings.name,
                                    .what =
                                        "objects were still active when the pool ended: release them before, or "
                                        "set settings.leaks"};
    if constexpr (Diary::kept) {
        if (settings.leaks == leaks::abort || reports.leaks.load(std::memory_order_relaxed)) {
            diary.tell_leaks(m, active, each);
        }
    } else {
        if (settings.leaks == leaks::abort) report_misuse(m);
    }
    if (settings.leaks == leaks::abort)
        LIDO_FATAL_BY(settings.name, "objects were still active when their pool ended (leaks::abort)", nullptr);
    return settings.leaks != leaks::leave;
}

}  // namespace lido::detail
