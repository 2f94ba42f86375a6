#include "postgres_errors.hpp"

namespace lido::store_detail {

using store::db_fault;

postgres_meaning postgres_meaning_of(std::string_view state) noexcept {
    const auto is = [&](std::string_view code) { return state == code; };
    const auto of = [&](std::string_view group) { return state.substr(0, 2) == group; };
    // Codes of their own come before the group that they are of.
    if (is("57014")) return {db_fault::again, "it was interrupted, or took longer than call_timeout lets it"};
    if (is("55P03"))
        return {db_fault::again,
                "another program has a lock on it; let it finish, or end it (pg_stat_activity has it)"};
    if (is("25006"))
        return {db_fault::again,
                "the server only reads: it is a standby, or set to; give the address of the one that is written"};
    if (is("25P03")) return {db_fault::again, "this program stopped in the middle of a transaction"};
    if (is("26000"))
        return {db_fault::again,
                "the server has forgotten a statement; a connection pooler in between must give this program one "
                "session for itself"};
    if (is("53100")) return {db_fault::again, "the server's disk is full; make room, and it goes on"};
    if (is("53300"))
        return {db_fault::again, "the server has no connection left; end some, or raise its max_connections"};
    if (is("42501"))
        return {
            db_fault::again,
            "the user may not do that; grant the right (the owner of the database may, or whoever made the schema)"};
    if (is("42704") || is("3F000") || of("42") || of("2B"))
        return {db_fault::unusable, "the tables are not those of a store; somebody has changed them"};
    if (of("08")) return {db_fault::again, "the connection is down"};
    if (of("57") || of("58"))
        return {db_fault::again, "the server is ending, starting, or cannot use its disk; look at its log"};
    if (of("53")) return {db_fault::again, "the server is out of memory or of another resource; look at its log"};
    if (of("40") || of("25") || of("55")) return {db_fault::again, "other work was in its way"};
    if (is("54001")) return {db_fault::row, "the data is nested deeper than the server can follow; keep it flatter"};
    if (of("54")) return {db_fault::row, "the row is larger than PostgreSQL takes; keep less in one entity"};
    if (of("22")) return {db_fault::row, "the data is no JSON that PostgreSQL takes"};
    if (of("23") || of("44") || of("P0") || of("09") || of("27"))
        return {db_fault::row, "the table refuses the row; its data is no JSON object, or somebody has added a rule"};
    if (is("XX001") || is("XX002"))
        return {db_fault::unusable, "the server has found damaged pages; take the last backup"};
    return {db_fault::unusable, "PostgreSQL refuses"};
}

}  // namespace lido::store_detail
