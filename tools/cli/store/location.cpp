#include "location.hpp"

#include <lido/store/sqlite_database.hpp>
#if defined(LIDO_CLI_POSTGRES)
#include <lido/store/postgres_database.hpp>
#endif

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "../base/text.hpp"

namespace lido::cli {
namespace {

/// What %41 and its like stand for.
std::string decoded(std::string_view text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

/// What stands behind "user:", and parameters such as "password=".
std::string hide_passwords(std::string address, speaker& speak) {
    const auto hide = [&](std::size_t from, std::size_t to) {
        if (from >= to) return;
        const std::string secret = address.substr(from, to - from);
        // As a database says it back, too.
        speak.keep_secret(secret);
        speak.keep_secret(decoded(secret));
        // Of an address that is taken apart in another way than it was meant, pieces are said back.
        for (std::size_t at = 0; at < secret.size();) {
            const std::size_t end = std::min(secret.find_first_of("/@:?#&=", at), secret.size());
            if (end - at >= 4) speak.keep_secret(secret.substr(at, end - at));
            at = end + 1;
        }
        address.replace(from, to - from, "***");
    };
    for (const std::string_view name : {"password=", "sslpassword=", "passfile="}) {
        for (std::size_t at = address.find(name); at != std::string::npos; at = address.find(name, at + name.size())) {
            if (at != 0 && address[at - 1] != '?' && address[at - 1] != '&') continue;
            const std::size_t from = at + name.size();
            hide(from, std::min(address.find('&', from), address.size()));
        }
    }
    const std::size_t begin = address.find("://") + 3;
    // A password may have a slash or an @ in it that somebody forgot to write as %2F or %40: then rather too much is hidden.
    const std::size_t at = address.substr(0, address.find('?', begin)).rfind('@');
    if (at != std::string::npos && at >= begin) {
        const std::size_t colon = address.find(':', begin);
        if (colon < at) hide(colon + 1, at);
    }
    return address;
}

store::open_mode mode_of(bool write) { return write ? store::open_mode::write : store::open_mode::read; }

std::string wrong_file(const location& where) {
    struct stat about {};
    if (::stat(where.text.c_str(), &about) != 0) {
        if (errno == ENOENT) return where.shown + ": there is no such file; give the path of a store";
        return where.shown + ": it cannot be looked at (" + std::strerror(errno) + ")";
    }
    if (S_ISDIR(about.st_mode)) return where.shown + ": it is a folder; give the path of a store's file in it";
    if (!S_ISREG(about.st_mode)) return where.shown + ": it is no ordinary file; give the path of a store";
    if (::access(where.text.c_str(), R_OK) != 0)
        return where.shown + ": it may not be read by this user; log in as the one whose file it is";
    return {};
}

open_database open_as(const location& where, bool write, store::opened_database& found, const speaker& speak) {
    open_database db;
#if defined(LIDO_CLI_POSTGRES)
    if (where.is_address) {
        // Behind a #: in which schema the store is.
        const std::size_t hash = where.text.find('#', where.text.rfind('@') + 1);
        const std::string schema = hash == std::string::npos ? std::string() : where.text.substr(hash + 1);
        store::postgres_options options;
        if (!schema.empty()) options.schema = schema;
        db = store::make_postgres_database(where.text.substr(0, hash), options);
    }
#endif
    if (!where.is_address) db = store::make_sqlite_database(where.text);
    const store::db_answer opened = db->open(mode_of(write), found);
    if (opened) return db;
    std::string why = opened.why();
    const std::size_t slash = where.text.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : where.text.substr(0, slash + 1);
    // SQLite needs two files beside the database even to read it, and says only that it cannot open something.
    if (!write && !where.is_address && opened.fault() == store::db_fault::again && ::access(folder.c_str(), W_OK) != 0)
        why = where.shown +
              ": SQLite keeps two files beside a store, also to read it, and this user may not write into its folder; "
              "copy the "
              "store to a folder of your own, or log in as the one whose file it is";
    speak.say(why);
    return nullptr;
}

}  // namespace

location location::of(std::string_view text, speaker& speak) {
    location where;
    where.text = text;
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos || text.substr(0, scheme).find_first_of("/.") != std::string_view::npos) {
        where.shown = printable(text);
        if (text.empty()) where.wrong = "the path of the store is empty";
        return where;
    }
    where.is_address = true;
    where.shown = printable(hide_passwords(where.text, speak));
    const std::string_view name = text.substr(0, scheme);
    if (name != "postgres" && name != "postgresql") {
        where.wrong = "a store is a file or postgres://…, and no " + printable(name) + "://…";
        return where;
    }
#if !defined(LIDO_CLI_POSTGRES)
    where.wrong = where.shown + ": this build of lido has no PostgreSQL; build it where libpq is (Debian: libpq-dev)";
#endif
    return where;
}

bool is_nothing_yet(const location& where) {
    struct stat about {};
    if (where.is_address) return false;
    if (::stat(where.text.c_str(), &about) != 0) return errno == ENOENT;
    return S_ISREG(about.st_mode) && about.st_size == 0;
}

open_database open_to_read(const location& where, store::opened_database& found, const speaker& speak) {
    if (!where.is_address) {
        if (const std::string wrong = wrong_file(where); !wrong.empty()) {
            speak.say(wrong);
            return nullptr;
        }
    }
    return open_as(where, false, found, speak);
}

open_database open_to_write(const location& where, bool make, store::opened_database& found, const speaker& speak) {
    // What opens it for writing would make a store of whatever is empty, and a lock beside whatever is not there.
    // Of a server it is not known before: its schema is made where there is none.
    if (!make || !(where.is_address || is_nothing_yet(where))) {
        store::opened_database seen;
        if (open_to_read(where, seen, speak) == nullptr) return nullptr;
    }
    return open_as(where, true, found, speak);
}

}  // namespace lido::cli
