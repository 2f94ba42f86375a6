// A store on a PostgreSQL server: lido::store::postgres store{stage, "postgresql://game@db.example/worlds"}. Target lido::store_postgres.
#pragma once

#include <lido/store/postgres_database.hpp>
#include <lido/store/store.hpp>

#include <string>

namespace lido::store {

class postgres : public store {
public:
    postgres(any_stage& stage, const std::string& address, const store_options& options = {},
             const postgres_options& server = {})
        : store(stage, make_postgres_database(address, server), options) {}
};

}  // namespace lido::store
