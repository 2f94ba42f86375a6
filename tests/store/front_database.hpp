// A real database with a word of the test's own before each write, and each commit.
#pragma once

#include <lido/store/database.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace store_tests {

class front_database final : public lido::store::database {
    using answer = lido::store::db_answer;

public:
    using word = std::function<answer(const lido::store::row_write&)>;
    front_database(std::unique_ptr<lido::store::database> real, word before_write)
        : real_(std::move(real)), before_write_(std::move(before_write)) {}

    answer open(lido::store::open_mode how, lido::store::opened_database& found) override {
        return real_->open(how, found);
    }
    void close() noexcept override { real_->close(); }
    answer begin() override { return real_->begin(); }
    answer commit() override {
        if (before_commit) before_commit();
        return real_->commit();
    }
    void rollback() noexcept override { real_->rollback(); }
    answer claim(std::string_view of_class, std::string_view key, std::uint64_t epoch, lido::store::wall_time now,
                 lido::store::row_sink& to) override {
        return real_->claim(of_class, key, epoch, now, to);
    }
    answer write(const lido::store::row_write& what, lido::store::write_outcome& outcome) override {
        if (answer no = before_write_(what); !no) return no;
        return real_->write(what, outcome);
    }
    answer put_position(const lido::store::stored_position& where) override { return real_->put_position(where); }
    answer put_class(const lido::store::class_note& what) override { return real_->put_class(what); }
    answer prune(lido::store::wall_time before, std::uint64_t limit, std::uint64_t& removed) override {
        return real_->prune(before, limit, removed);
    }
    answer position(lido::store::stored_position& where) override { return real_->position(where); }
    answer find(std::string_view of_class, std::string_view key, lido::store::row_sink& to) override {
        return real_->find(of_class, key, to);
    }
    answer scan(const lido::store::row_range& which, lido::store::row_sink& to) override {
        return real_->scan(which, to);
    }
    answer count(const lido::store::row_range& which, std::uint64_t& rows) override {
        return real_->count(which, rows);
    }
    answer classes(lido::store::class_sink& to) override { return real_->classes(to); }
    answer backup(std::string_view to, const std::function<bool(std::uint64_t, std::uint64_t)>& progress) override {
        return real_->backup(to, progress);
    }
    answer check(const std::function<void(std::string_view)>& to) override { return real_->check(to); }
    void interrupt() noexcept override { real_->interrupt(); }
    [[nodiscard]] std::string describe() const override { return real_->describe(); }

    std::function<void()> before_commit;  ///< on the writer's thread

private:
    std::unique_ptr<lido::store::database> real_;
    word before_write_;
};

}  // namespace store_tests
