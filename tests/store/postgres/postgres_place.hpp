// A place for PostgreSQL: a schema of its own on the tests' server.
#pragma once

#include <gtest/gtest.h>
#include <lido/store/postgres_database.hpp>

#include <atomic>
#include <memory>
#include <string>

#include "store/folder.hpp"
#include "store/place.hpp"
#include "store/postgres/postgres_server.hpp"

namespace store_tests {

class postgres_place final : public database_place {
public:
    explicit postgres_place(postgres_server& server) : server_(&server) {
        static std::atomic<int> number{0};
        schema_ = "place_" + std::to_string(number.fetch_add(1));
        options_.schema = schema_;
    }
    ~postgres_place() override { server_->sql("DROP SCHEMA IF EXISTS \"" + schema_ + "\" CASCADE"); }

    std::unique_ptr<lido::store::database> connect() override {
        return lido::store::make_postgres_database(server_->url(), options_);
    }
    /// By another way to the same server.
    std::unique_ptr<lido::store::database> connect_by(const std::string& url) {
        return lido::store::make_postgres_database(url, options_);
    }
    std::unique_ptr<lido::store::database> connect_to(const std::string&) override { return nullptr; }
    void overtake() override { run("UPDATE game SET epoch = epoch + 1"); }
    std::string spare_file() override { return folder_.file("copy"); }

    /// What a person with psql does in its schema.
    std::string run(const std::string& sql) { return server_->sql("SET search_path = \"" + schema_ + "\"; " + sql); }
    [[nodiscard]] const std::string& schema() const { return schema_; }
    [[nodiscard]] lido::store::postgres_options& options() { return options_; }
    [[nodiscard]] postgres_server& server() { return *server_; }

private:
    postgres_server* server_;
    std::string schema_;
    lido::store::postgres_options options_;
    folder folder_;
};

/// Null where this machine has no server.
inline std::unique_ptr<database_place> make_postgres_place() {
    postgres_server* const server = postgres_server::get();
    if (server == nullptr) return nullptr;
    return std::make_unique<postgres_place>(*server);
}

}  // namespace store_tests
