#include "store/faulty_disk.hpp"

#include <algorithm>

#include "store/faulty_vfs.hpp"

namespace store_tests {

namespace {
constexpr std::size_t sector = 512;
}

faulty_disk::faulty_disk(std::uint64_t seed) : any_(seed), it_(std::make_unique<faulty_vfs>(*this)) {
    name_ = it_->name;
}
faulty_disk::~faulty_disk() = default;

void faulty_disk::fail(const fault& how) noexcept { fault_ = how; }

void faulty_disk::end_in(std::uint64_t calls, bool power) noexcept {
    end_in_ = calls;
    end_by_power_ = power;
}

void faulty_disk::kill() noexcept { end(false); }
void faulty_disk::cut_power() noexcept { end(true); }

void faulty_disk::start() noexcept {
    ended_ = false;
    fault_ = {};
    end_in_ = 0;
}

void faulty_disk::end(bool power) noexcept {
    if (ended_) return;
    ended_ = true;
    ++life_;
    ++figures_.ends;
    for (auto& [name, f] : files_) {
        // Locks and shared memory go with the program; who still has the file open is dead.
        f->open.clear();
        f->shared.reset();
    }
    if (!power) return;
    for (auto& [name, f] : removed_) {
        if (files_.count(name) == 0 && any_.one_in(2)) files_[name] = f;
    }
    removed_.clear();
    std::erase_if(files_, [&](const auto& f) { return !f.second->name_is_durable && any_.one_in(2); });
    for (auto& [name, f] : files_) {
        lose(*f);
        f->name_is_durable = true;
    }
}

void faulty_disk::lose(file& f) {
    constexpr std::uint64_t odds[] = {0, 10, 50, 90, 100};
    const std::uint64_t percent = odds[any_.below(std::size(odds))];
    for (const change& c : f.unsynced) {
        if (c.truncates) {
            if (any_.percent(percent)) f.durable.resize(c.at);
            continue;
        }
        for (std::size_t done = 0; done < c.bytes.size();) {
            const std::size_t piece = std::min(sector - (c.at + done) % sector, c.bytes.size() - done);
            const bool kept = any_.percent(percent);
            if (kept) apply(f.durable, c, done, piece);
            ++(kept ? figures_.sectors_kept : figures_.sectors_lost);
            done += piece;
        }
    }
    f.unsynced.clear();
    f.view = f.durable;
}

void faulty_disk::apply(std::vector<unsigned char>& to, const change& c, std::size_t from, std::size_t count) {
    const auto at = static_cast<std::size_t>(c.at) + from;
    if (to.size() < at + count) to.resize(at + count);
    std::copy_n(c.bytes.begin() + static_cast<std::ptrdiff_t>(from), count,
                to.begin() + static_cast<std::ptrdiff_t>(at));
}

faulty_disk::verdict faulty_disk::ask(disk_call what, const handle* by) noexcept {
    if (by != nullptr && by->life != life_) return verdict::dead;
    if (calm_ != 0) return verdict::go_on;
    if (ended_) return verdict::dead;
    ++figures_.calls;
    if (end_in_ != 0 && --end_in_ == 0) {
        end(end_by_power_);
        return verdict::dead;
    }
    if (fault_.in == 0 || (fault_.of & only(what)) == 0) return verdict::go_on;
    if (fault_.in > 1) {
        --fault_.in;
        return verdict::go_on;
    }
    if (--fault_.calls == 0) fault_.in = 0;
    ++figures_.failed;
    return fault_.full ? verdict::fail_full : verdict::fail;
}

std::shared_ptr<faulty_disk::file> faulty_disk::find(const std::string& name) const {
    const auto found = files_.find(name);
    return found != files_.end() ? found->second : nullptr;
}

std::shared_ptr<faulty_disk::file> faulty_disk::make(const std::string& name) {
    auto f = std::make_shared<file>();
    if (!name.empty()) files_[name] = f;
    return f;
}

void faulty_disk::remove(const std::string& name, bool synced) {
    const auto found = files_.find(name);
    if (found == files_.end()) return;
    std::erase_if(removed_, [&](const auto& r) { return r.first == name; });
    if (!synced) removed_.emplace_back(*found);
    files_.erase(found);
}

void faulty_disk::write(file& f, const unsigned char* from, std::size_t count, std::uint64_t at) {
    change c{at, std::vector<unsigned char>(from, from + count), false};
    apply(f.view, c, 0, count);
    f.unsynced.push_back(std::move(c));
}

void faulty_disk::truncate(file& f, std::uint64_t to) {
    f.view.resize(static_cast<std::size_t>(to));
    f.unsynced.push_back({to, {}, true});
}

void faulty_disk::sync(file& f) {
    if (lies_about_syncs) return;
    ++figures_.syncs;
    for (const change& c : f.unsynced) {
        if (c.truncates)
            f.durable.resize(static_cast<std::size_t>(c.at));
        else
            apply(f.durable, c, 0, c.bytes.size());
    }
    f.unsynced.clear();
    f.name_is_durable = true;
}

void faulty_disk::sync_folder() {
    if (lies_about_syncs) return;
    for (auto& [name, f] : files_) f->name_is_durable = true;
    removed_.clear();
}

}  // namespace store_tests
