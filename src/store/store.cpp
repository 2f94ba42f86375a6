#include <lido/store/store.hpp>

#include <chrono>
#include <string_view>
#include <utility>

#include "engine/engine.hpp"

namespace lido::store {

store::store(any_stage& stage, std::unique_ptr<database> db, const store_options& options)
    : engine_(std::make_unique<store_detail::engine>(*this, stage, std::move(db), options)) {}
store::~store() = default;

store::operator bool() const noexcept { return engine_->usable(); }
const char* store::why() const noexcept { return engine_->why(); }
std::string store::trouble() const { return engine_->trouble(); }
const std::string& store::describe() const noexcept { return engine_->describe(); }
std::uint64_t store::run() const noexcept { return engine_->run(); }
void store::tick() { engine_->tick(); }
void store::set_wait(std::string_view of_class, std::chrono::milliseconds wait) { engine_->set_wait(of_class, wait); }
flush_result store::flush(std::chrono::milliseconds limit) { return engine_->flush(limit); }
void store::hurry() { engine_->hurry(); }
bool store::is_saved(any_entity_ref which) const noexcept { return engine_->is_saved(which); }
load_ticket store::load_all(std::string_view of_class, std::string_view prefix) {
    return engine_->load_all(of_class, nullptr, prefix);
}
load_ticket store::load_all(const class_schema* of, std::string_view prefix) {
    return engine_->load_all({}, of, prefix);
}
load_progress store::progress(load_ticket of) const { return engine_->progress(of); }
load_progress store::wait(load_ticket for_it, std::chrono::milliseconds limit) { return engine_->wait(for_it, limit); }
bool store::wait_for_loads(std::chrono::milliseconds limit) { return engine_->wait_for_loads(limit); }
store_stats store::stats() const noexcept { return engine_->stats(); }
verdict store::validate() const { return engine_->validate(); }
bool store::step() { return engine_->step(); }
std::chrono::nanoseconds store::next_step() const noexcept { return engine_->next_step(); }

}  // namespace lido::store
