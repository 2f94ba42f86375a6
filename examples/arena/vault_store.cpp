#include "vault_store.hpp"

#ifdef ARENA_STORE

#include <lido/store/store.hpp>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

namespace arena {

namespace {

/// How long a change may wait for others. Short, so that whoever ends the arena in the middle finds the vaults of a moment ago.
constexpr std::chrono::milliseconds wait{50};

class vault_store final : public keeper {
public:
    explicit vault_store(std::string file) : file_(std::move(file)) {}

    [[nodiscard]] std::string open(scene_stage& of) override {
        stage_ = &of;
        store_.emplace(of, file_, lido::store::store_options{.wait = wait});
        if (!*store_) return store_->why();
        store_->failed.connect([this](const lido::store::save_event& e) {
            if (problem_.empty()) problem_ = std::string(e.key) + ": " + std::string(e.why);
        });
        store_->refused.connect([this](const lido::store::load_event& e) {
            if (problem_.empty()) problem_ = std::string(e.key) + ": " + std::string(e.why);
        });
        // All of a class: what is not found then begins at once, without a look.
        for (const lido::store::load_ticket all : {store_->load_all<vault>(), store_->load_all<purse>()}) {
            const lido::store::load_progress done = store_->wait(all);
            if (!done)
                return !problem_.empty() ? problem_ : !done.why.empty() ? done.why : "the vaults were not loaded";
        }
        std::printf("store: %s, opened %" PRIu64 " times\n", store_->describe().c_str(), store_->run());
        tell("found");
        return {};
    }

    void tick() override { store_->tick(); }

    void close() override {
        if (!store_) return;
        if (*store_) {
            const lido::store::flush_result kept = store_->flush();
            if (kept) tell("kept");
            if (!kept || !problem_.empty())
                std::fprintf(stderr, "arena: the store: %s\n", kept ? problem_.c_str() : kept.why());
        }
        store_.reset();
    }

private:
    /// Of each vault and purse: its version, and what is in it.
    void tell(const char* what) const {
        std::int64_t gold = 0;
        std::int64_t keys = 0;
        unsigned count = 0;
        const auto each = [&]<class T>(std::string_view id, const T* e) {
            if (e == nullptr) return;
            std::printf("%s %-8.*s version %6" PRIu64 "  gold %6" PRId64 "  keys %3d\n", what,
                        static_cast<int>(id.size()), id.data(), stage_->info(stage_->find(id)).version, e->gold,
                        static_cast<int>(e->keys));
            gold += e->gold;
            keys += e->keys;
            ++count;
        };
        for (const std::string_view id : vault_ids) each(id, stage_->get(stage_->find<vault>(id)));
        for (const std::string_view id : trader_ids) each(id, stage_->get(stage_->find<purse>(id)));
        each(hoard_id, stage_->get(stage_->find<purse>(hoard_id)));
        std::printf("%s: %u entities, gold %" PRId64 ", keys %" PRId64 "\n", what, count, gold, keys);
        std::fflush(stdout);
    }

    std::string file_;
    scene_stage* stage_ = nullptr;
    std::optional<lido::store::sqlite> store_;
    std::string problem_;
};

}  // namespace

std::shared_ptr<keeper> make_vault_store(const std::string& file) { return std::make_shared<vault_store>(file); }

}  // namespace arena

#else

namespace arena {

std::shared_ptr<keeper> make_vault_store(const std::string&) { return nullptr; }

}  // namespace arena

#endif
