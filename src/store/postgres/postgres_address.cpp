#include "postgres_address.hpp"

#include <libpq-fe.h>

#include <cstddef>
#include <memory>

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;

namespace {

constexpr const char* form = "write postgresql://user@host:5432/database, or host=... dbname=... user=...";

bool is_url(std::string_view text) {
    return text.substr(0, 13) == "postgresql://" || text.substr(0, 11) == "postgres://";
}

/// An @ : / or ? of a password that is not written as %40 and so on makes the rest of the password a host, a port or a database, which
/// messages would show.
bool is_split_in_a_password(std::string_view url) {
    const std::string_view rest = url.substr(url.find("://") + 3);
    const std::size_t at = rest.find('@');
    if (at == std::string_view::npos) return false;
    if (rest.find('@', at + 1) != std::string_view::npos) return true;
    return rest.substr(0, at).find_first_of("/?") != std::string_view::npos;
}

std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char c : list) {
        if (c == ',')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

}  // namespace

db_answer read_address(const std::string& text, postgres_address& to) {
    to = {};
    const auto refuse = [](const char* why) {
        return db_answer(db_fault::unusable, std::string("the address of the PostgreSQL server ") + why + "; " + form);
    };
    if (text.find('\0') != std::string::npos) return refuse("has a NUL in it");
    if (is_url(text) && is_split_in_a_password(text))
        return refuse("has an @ that does not end the user and password; there, write @ as %40, / as %2F and ? as %3F");
    // What libpq says of a text that it cannot read quotes the text.
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(text.c_str(), nullptr),
                                                                              &PQconninfoFree);
    if (parsed == nullptr) return refuse("is none that libpq can read");

    postgres_settings all;
    std::string host, address, port, name;
    for (const PQconninfoOption* o = parsed.get(); o->keyword != nullptr; ++o) {
        if (o->val == nullptr || *o->val == '\0') continue;
        const std::string_view key = o->keyword;
        if (key == "host")
            host = o->val;
        else if (key == "hostaddr")
            address = o->val;
        else if (key == "port")
            port = o->val;
        else
            all.emplace_back(o->keyword, o->val);
        if (key == "dbname") name = o->val;
    }
    const std::vector<std::string> hosts = parts_of(host);
    const std::vector<std::string> addresses = parts_of(address);
    const std::vector<std::string> ports = parts_of(port);
    const std::size_t count = address.empty() ? hosts.size() : addresses.size();
    if ((!host.empty() && hosts.size() != count) || (ports.size() != 1 && ports.size() != count))
        return refuse("names more hosts than ports, or the other way round");
    to.shown.clear();
    for (std::size_t i = 0; i < count; ++i) {
        postgres_settings one = all;
        const std::string& this_port = ports[ports.size() == 1 ? 0 : i];
        if (!host.empty() && !hosts[i].empty()) one.emplace_back("host", hosts[i]);
        if (!address.empty() && !addresses[i].empty()) one.emplace_back("hostaddr", addresses[i]);
        if (!this_port.empty()) one.emplace_back("port", this_port);
        to.hosts.push_back(std::move(one));
        if (i != 0) to.shown += ',';
        to.shown += !host.empty() ? hosts[i] : !address.empty() ? addresses[i] : std::string("PostgreSQL");
        if (!this_port.empty()) to.shown += ":" + this_port;
    }
    if (!name.empty()) to.shown += "/" + name;
    return {};
}

}  // namespace lido::store_detail
