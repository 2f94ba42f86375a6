#include "postgres_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "postgres_errors.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;

namespace {

/// PostgreSQL's messages may have several lines; the first says it.
std::string first_line(const char* text) {
    std::string line(text != nullptr ? text : "");
    if (const std::size_t end = line.find('\n'); end != std::string::npos) line.resize(end);
    return line;
}

void take_notice(void* to, const PGresult* notice) {
    // Notices are not for this program's error stream, where libpq would write them.
    const char* const severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char* const what = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    if (severity != nullptr && what != nullptr && std::string_view(severity) == "WARNING")
        *static_cast<std::string*>(to) = what;
}

/// As others see this program in pg_stat_activity. The server cuts it after 63 bytes.
std::string name_of_this_program() {
    char host[256] = {};
    if (::gethostname(host, sizeof(host) - 1) != 0) host[0] = '\0';
    return "lido, process " + std::to_string(::getpid()) + (host[0] != '\0' ? " on " + std::string(host) : "");
}

}  // namespace

// --- values --------------------------------------------------------------------------------------------------------------

std::int64_t postgres_row::whole(int column) const noexcept {
    const std::string_view digits = text(column);
    std::int64_t n = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return n;
}

postgres_values& postgres_values::whole(std::int64_t n) noexcept {
    auto& digits = digits_[static_cast<std::size_t>(count_)];
    *std::to_chars(digits.data(), digits.data() + digits.size() - 1, n).ptr = '\0';
    return put(digits.data(), 0, 0, whole_type);
}

postgres_values& postgres_values::put(const char* at, int size, int binary, Oid type) noexcept {
    const auto i = static_cast<std::size_t>(count_++);
    at_[i] = at;
    size_[i] = size;
    binary_[i] = binary;
    type_[i] = type;
    return *this;
}

// --- cancelling ----------------------------------------------------------------------------------------------------------

// PQcancel waits for the server without a limit, and a server that hangs is when it is needed: a thread of its own waits.
struct postgres_link::cancel_request {
    PGcancel* what = nullptr;
    std::mutex lock;
    std::condition_variable changed;
    bool done = false;

    cancel_request() = default;
    cancel_request(const cancel_request&) = delete;
    cancel_request& operator=(const cancel_request&) = delete;
    ~cancel_request() { PQfreeCancel(what); }

    [[nodiscard]] bool is_done() {
        const std::lock_guard hold(lock);
        return done;
    }
    static void* send(void* shared) {
        const std::unique_ptr<std::shared_ptr<cancel_request>> mine(
            static_cast<std::shared_ptr<cancel_request>*>(shared));
        cancel_request& me = **mine;
        char why[256];
        PQcancel(me.what, why, sizeof(why));
        const std::lock_guard hold(me.lock);
        me.done = true;
        me.changed.notify_all();
        return nullptr;
    }
};

void postgres_link::begin_cancel() {
    cancel_ = std::make_shared<cancel_request>();
    cancel_->what = PQgetCancel(connection_);
    auto mine = std::make_unique<std::shared_ptr<cancel_request>>(cancel_);
    pthread_attr_t detached;
    pthread_t thread;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, &cancel_request::send, mine.get()) == 0) {
        // The thread has it now.
        static_cast<void>(mine.release());
    }
    pthread_attr_destroy(&detached);
}

bool postgres_link::end_cancel() {
    if (cancel_ == nullptr) return true;
    const std::shared_ptr<cancel_request> request = std::move(cancel_);
    cancel_ = nullptr;
    std::unique_lock hold(request->lock);
    return request->changed.wait_for(hold, std::chrono::milliseconds(options_.interrupt_timeout),
                                     [&] { return request->done; });
}

void postgres_link::interrupt() noexcept {
    const char byte = 1;
    // Full means that it is not heard yet.
    if (::write(wake_[1], &byte, 1) < 0) errno = 0;
}

void postgres_link::hear_nothing_old() noexcept {
    char bytes[64];
    while (::read(wake_[0], bytes, sizeof(bytes)) > 0) {
    }
}

// --- connecting ----------------------------------------------------------------------------------------------------------

postgres_link::postgres_link(postgres_address address, const store::postgres_options& options)
    : address_(std::move(address)), options_(options), patience_(options.call_timeout * 2) {
    if (::pipe(wake_) != 0) std::abort();  // no file descriptors are left: nothing else will work, either
    for (const int end : wake_) {
        ::fcntl(end, F_SETFL, O_NONBLOCK);
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    }
}

postgres_link::~postgres_link() {
    drop();
    for (const int end : wake_) ::close(end);
}

void postgres_link::drop() noexcept {
    if (connection_ != nullptr) PQfinish(connection_);
    connection_ = nullptr;
    cancel_ = nullptr;
    prepared_ = 0;
}

db_answer postgres_link::refuse(db_fault fault, std::string_view doing, std::string_view why) const {
    std::string text = address_.shown;
    text += ": ";
    text += doing;
    text += ": ";
    text += why;
    return {fault, std::move(text)};
}

db_answer postgres_link::connect(bool writes) {
    drop();
    hear_nothing_old();
    db_answer failed;
    for (const postgres_settings& host : address_.hosts) {
        db_answer answer = connect_to(host, writes);
        if (answer) return answer;
        drop();
        // Of several hosts each says what is wrong with it.
        failed = failed ? std::move(answer) : db_answer(answer.fault(), failed.why() + "; " + answer.why());
    }
    return failed;
}

db_answer postgres_link::connect_to(const postgres_settings& settings, bool writes) {
    const std::string name = name_of_this_program();
    std::vector<const char*> keys;
    std::vector<const char*> values;
    const auto set = [&](const char* key, const char* value) {
        keys.push_back(key);
        values.push_back(value);
    };
    // A network that went away is noticed within a minute, also by who waits for an answer. The address has the last word.
    set("keepalives_idle", "20");
    set("keepalives_interval", "10");
    set("keepalives_count", "3");
    set("tcp_user_timeout", "30000");
    set("fallback_application_name", name.c_str());
    if (writes) set("target_session_attrs", "primary");
    for (const auto& [key, value] : settings) set(key.c_str(), value.c_str());
    set("client_encoding", "UTF8");
    keys.push_back(nullptr);
    values.push_back(nullptr);

    connection_ = PQconnectStartParams(keys.data(), values.data(), 0);
    if (connection_ == nullptr) return refuse(db_fault::again, "connecting", "there is no memory");
    PQsetNoticeReceiver(connection_, &take_notice, &warning_);
    const clock::time_point until = clock::now() + std::chrono::milliseconds(options_.connect_timeout);
    PostgresPollingStatusType state =
        PQstatus(connection_) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (state != PGRES_POLLING_OK) {
        if (state == PGRES_POLLING_FAILED) {
            const std::string why = first_line(PQerrorMessage(connection_));
            return refuse(db_fault::again, "connecting",
                          PQconnectionNeedsPassword(connection_) != 0
                              ? "the server wants a password; put one into ~/.pgpass, or into PGPASSWORD"
                              : "the server does not let this program in (" + why +
                                    "); look whether it runs, and whether the address, user and password are right");
        }
        switch (wait(state == PGRES_POLLING_WRITING, until)) {
            case waited::ready: break;
            case waited::interrupted: return refuse(db_fault::again, "connecting", "it was interrupted");
            case waited::late:
                return refuse(db_fault::again, "connecting",
                              "the server did not answer within " + std::to_string(options_.connect_timeout) + " ms");
        }
        state = PQconnectPoll(connection_);
    }
    PQsetnonblocking(connection_, 1);
    return {};
}

// --- asking --------------------------------------------------------------------------------------------------------------

postgres_link::clock::time_point postgres_link::limit() const noexcept {
    return patience_ == 0 ? clock::time_point::max() : clock::now() + std::chrono::milliseconds(patience_);
}

postgres_link::waited postgres_link::wait(bool to_write, clock::time_point until) noexcept {
    for (;;) {
        int rest = -1;
        if (until != clock::time_point::max()) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
            if (left <= 0) return waited::late;
            rest = static_cast<int>(std::min<std::int64_t>(left, 1 << 30));
        }
        pollfd on[2] = {{PQsocket(connection_), static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0},
                        {wake_[0], POLLIN, 0}};
        if (::poll(on, 2, rest) < 0 && errno != EINTR) return waited::ready;  // libpq will say what is wrong
        if (on[1].revents != 0) {
            hear_nothing_old();
            return waited::interrupted;
        }
        if (on[0].revents != 0) return waited::ready;
    }
}

db_answer postgres_link::give_up(std::string_view doing, std::string_view why) {
    db_answer answer = refuse(db_fault::again, doing, why);
    drop();
    return answer;
}

db_answer postgres_link::explain(const PGresult* failed, std::string_view doing) {
    const auto field = [&](int code) {
        const char* const at = PQresultErrorField(failed, code);
        return std::string_view(at != nullptr ? at : "");
    };
    const std::string_view state = field(PG_DIAG_SQLSTATE);
    const std::string_view severity = field(PG_DIAG_SEVERITY_NONLOCALIZED);
    if (state.empty() || PQstatus(connection_) == CONNECTION_BAD)
        return give_up(doing, "the connection broke (" + first_line(PQresultErrorMessage(failed)) + ")");
    const postgres_meaning m = postgres_meaning_of(state);
    std::string why = m.what;
    why += " (PostgreSQL: ";
    why += field(PG_DIAG_MESSAGE_PRIMARY);
    why += ")";
    // What ends the session, and statements that it has lost, are mended by another one.
    if (severity == "FATAL" || severity == "PANIC" || state == "26000") {
        db_answer answer = refuse(db_fault::again, doing, why);
        drop();
        return answer;
    }
    return refuse(m.fault, doing, why);
}

db_answer postgres_link::sent(int ok, std::string_view doing) {
    if (ok != 0) return exchange(doing);
    return give_up(doing, "the connection broke (" + first_line(PQerrorMessage(connection_)) + ")");
}

db_answer postgres_link::exchange(std::string_view doing) {
    for (;;) {
        const int left = PQflush(connection_);
        if (left == 0) return {};
        if (left < 0) return give_up(doing, "the connection broke (" + first_line(PQerrorMessage(connection_)) + ")");
        switch (wait(true, limit())) {
            case waited::ready: break;
            // Half a statement cannot be taken back.
            case waited::interrupted: return give_up(doing, "it was interrupted");
            case waited::late: return give_up(doing, "the server does not take what is sent to it");
        }
        // A server that says something before it has heard all must be heard, or both wait.
        if (PQconsumeInput(connection_) == 0)
            return give_up(doing, "the connection broke (" + first_line(PQerrorMessage(connection_)) + ")");
    }
}

db_answer postgres_link::next(std::string_view doing, postgres_result& result) {
    clock::time_point until = limit();
    while (PQisBusy(connection_) != 0) {
        switch (wait(false, until)) {
            case waited::ready: break;
            case waited::interrupted:
                // A request that came before the statement did is passed over by the server: each interrupt() may need another.
                if (cancel_ == nullptr) until = clock::now() + std::chrono::milliseconds(options_.interrupt_timeout);
                if (cancel_ == nullptr || cancel_->is_done()) begin_cancel();
                continue;
            case waited::late:
                return give_up(doing, cancel_ != nullptr ? "it was interrupted, and the server did not hear it"
                                                         : "the server says nothing; whether it was done is unknown");
        }
        if (PQconsumeInput(connection_) == 0)
            return give_up(doing, "the connection broke (" + first_line(PQerrorMessage(connection_)) + ")");
        if (cancel_ == nullptr) until = limit();
    }
    result.reset(PQgetResult(connection_));
    // The statement is over; whoever comes next must not meet the request. KP2.
    if (result == nullptr && !end_cancel()) return give_up(doing, "it was interrupted");
    return {};
}

db_answer postgres_link::collect(std::string_view doing, postgres_result* last) {
    db_answer all;
    for (;;) {
        postgres_result r;
        if (db_answer got = next(doing, r); !got) return got;
        if (r == nullptr) return all;
        const ExecStatusType status = PQresultStatus(r.get());
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            if (!all) continue;
            all = explain(r.get(), doing);
            if (!up()) return all;
        } else if (last != nullptr) {
            *last = std::move(r);
        }
    }
}

db_answer postgres_link::run(const char* sql, std::string_view doing, postgres_result* last) {
    hear_nothing_old();
    if (db_answer s = sent(PQsendQuery(connection_, sql), doing); !s) return s;
    return collect(doing, last);
}

db_answer postgres_link::ask(const char* sql, const postgres_values& v, std::string_view doing,
                             postgres_result& result) {
    hear_nothing_old();
    const int ok = PQsendQueryParams(connection_, sql, v.count_, v.type_.data(), v.at_.data(), v.size_.data(),
                                     v.binary_.data(), 0);
    if (db_answer s = sent(ok, doing); !s) return s;
    return collect(doing, &result);
}

db_answer postgres_link::ask_prepared(unsigned number, const char* sql, const postgres_values& v,
                                      std::string_view doing, postgres_result& result) {
    hear_nothing_old();
    const char name[3] = {'l', static_cast<char>('a' + number), '\0'};
    if ((prepared_ >> number & 1u) == 0) {
        if (db_answer s = sent(PQsendPrepare(connection_, name, sql, v.count_, v.type_.data()), doing); !s) return s;
        if (db_answer made = collect(doing, nullptr); !made) return made;
        prepared_ |= std::uint64_t{1} << number;
    }
    const int ok = PQsendQueryPrepared(connection_, name, v.count_, v.at_.data(), v.size_.data(), v.binary_.data(), 0);
    if (db_answer s = sent(ok, doing); !s) return s;
    return collect(doing, &result);
}

}  // namespace lido::store_detail
