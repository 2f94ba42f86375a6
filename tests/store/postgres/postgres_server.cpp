#include "store/postgres/postgres_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace store_tests {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Long enough for the busiest machine.
constexpr auto patience = 120s;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "the tests' PostgreSQL server: %s\n", why.c_str());
    std::abort();
}

/// The folder of the latest version's programs; empty where there is none.
std::string programs() {
    std::string best;
    int version = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
        const int v = std::atoi(entry.path().filename().c_str());
        if (v > version && fs::exists(entry.path() / "bin/postgres") && fs::exists(entry.path() / "bin/initdb")) {
            version = v;
            best = entry.path() / "bin";
        }
    }
    return best;
}

/// It refuses to run as root.
const passwd* other_user() {
    if (::geteuid() != 0) return nullptr;
    const passwd* const user = ::getpwnam("postgres");
    if (user == nullptr) fail("it refuses to run as root, and there is no user postgres, which Debian's package makes");
    return user;
}

std::uint16_t free_port() {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(at);
    if (::bind(s, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0 ||
        ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &size) != 0)
        fail("no free port on the loopback");
    ::close(s);
    return ntohs(at.sin_port);
}

}  // namespace

postgres_server* postgres_server::get() {
    static const std::unique_ptr<postgres_server> one(programs().empty() ? nullptr : new postgres_server);
    return one.get();
}

postgres_server::postgres_server() {
    make_files();
    start();
    sql("CREATE DATABASE game", "postgres");
}

postgres_server::~postgres_server() {
    if (process_ > 0) {
        thaw();
        stop_immediately();
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void postgres_server::make_files() {
    // Not the temporary folder that somebody has chosen: the name of a socket has at most 107 bytes, and another user must get there.
    std::string name = "/tmp/lido_pg_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) fail("no folder in /tmp");
    folder_ = name;
    std::ofstream(folder_ + "/password") << password << "\n";
    if (const passwd* const user = other_user()) {
        for (const std::string& path : {folder_, folder_ + "/password"}) {
            if (::chown(path.c_str(), user->pw_uid, user->pw_gid) != 0)
                fail("its folder cannot be given to another user");
        }
    }
    const pid_t made =
        run({programs() + "/initdb", "-D", folder_ + "/data", "--no-sync", "--encoding=UTF8", "--no-locale",
             "--username=lido", "--pwfile=" + folder_ + "/password", "--auth=scram-sha-256"},
            folder_ + "/initdb.log");
    int status = 0;
    if (::waitpid(made, &status, 0) != made || status != 0) {
        std::ifstream file(folder_ + "/initdb.log");
        std::ostringstream text;
        text << file.rdbuf();
        fail("initdb failed: " + text.str());
    }
    // No fsync: what the machine's loss of power does cannot be played here, and what a killed server does needs none. In the file, so that
    // a test can turn it on with ALTER SYSTEM.
    std::ofstream(folder_ + "/data/postgresql.conf", std::ios::app)
        << "fsync = off\nshared_buffers = 16MB\nmax_connections = 30\nautovacuum = off\njit = off\n";
}

pid_t postgres_server::run(const std::vector<std::string>& command, const std::string& output) const {
    const passwd* const user = other_user();
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) fail("no process can be started");
    if (child != 0) return child;
    if (user != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
        ::_exit(125);
    // A test program that is killed takes its server with it: SIGQUIT is what stops one at once.
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (::getppid() != parent) ::_exit(125);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(file, 1);
    ::dup2(file, 2);
    if (::chdir(folder_.c_str()) != 0) ::_exit(125);
    // Also out of reach of the terminal's control and C: it is stopped when the tests are over.
    ::setpgid(0, 0);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

void postgres_server::start() {
    for (int attempt = 0; attempt < 5; ++attempt) {
        if (port_ == 0) port_ = free_port();
        process_ = run({programs() + "/postgres", "-D", folder_ + "/data", "-p", std::to_string(port_), "-h",
                        "127.0.0.1", "-k", folder_},
                       folder_ + "/server.log");
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until) {
            if (answers()) return;
            if (::waitpid(process_, nullptr, WNOHANG) == process_) {
                process_ = -1;
                break;
            }
            std::this_thread::sleep_for(5ms);
        }
        if (process_ > 0) fail("it did not answer within 120 s; its log:\n" + log());
        // Somebody else may have taken the port.
        port_ = 0;
    }
    fail("it does not start; its log:\n" + log());
}

bool postgres_server::answers() const {
    return PQping(("host=" + folder_ + " port=" + std::to_string(port_)).c_str()) == PQPING_OK;
}

std::string postgres_server::log() const {
    std::ifstream file(folder_ + "/server.log");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void postgres_server::stop_immediately() {
    ::kill(process_, SIGQUIT);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (::waitpid(process_, nullptr, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > until) fail("it did not end within 120 s");
        std::this_thread::sleep_for(1ms);
    }
    process_ = -1;
}

std::vector<pid_t> postgres_server::processes() const {
    std::vector<pid_t> all;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const pid_t id = std::atoi(entry.path().filename().c_str());
        if (id <= 0) continue;
        std::ifstream stat(entry.path() / "stat");
        std::string line;
        std::getline(stat, line);
        // The name in brackets may have spaces; state and parent come behind it.
        const std::size_t end = line.rfind(')');
        char state = 0;
        int parent = 0;
        if (end != std::string::npos && std::sscanf(line.c_str() + end + 1, " %c %d", &state, &parent) == 2 &&
            parent == process_)
            all.push_back(id);
    }
    return all;
}

void postgres_server::kill_a_child() {
    const std::string victim = sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'");
    ::kill(std::atoi(victim.c_str()), SIGKILL);
    // It has thrown its sessions away and recovered when there is another one.
    const auto until = std::chrono::steady_clock::now() + patience;
    for (;;) {
        const std::vector<pid_t> now = processes();
        const bool gone = std::find(now.begin(), now.end(), std::atoi(victim.c_str())) == now.end();
        if (gone && now.size() >= 3 && answers()) return;
        if (std::chrono::steady_clock::now() > until) fail("it did not recover within 120 s; its log:\n" + log());
        std::this_thread::sleep_for(5ms);
    }
}

void postgres_server::freeze() {
    ::kill(process_, SIGSTOP);
    for (const pid_t child : processes()) ::kill(child, SIGSTOP);
}

void postgres_server::thaw() {
    for (const pid_t child : processes()) ::kill(child, SIGCONT);
    ::kill(process_, SIGCONT);
}

std::string postgres_server::url(const std::string& database) const {
    return std::string("postgresql://lido:") + password + "@127.0.0.1:" + std::to_string(port_) + "/" + database;
}

std::string postgres_server::sql(const std::string& text, const std::string& database) {
    PGconn* const c = PQconnectdb(url(database).c_str());
    if (PQstatus(c) != CONNECTION_OK) fail(PQerrorMessage(c));
    PQsetNoticeProcessor(
        c, [](void*, const char*) {}, nullptr);
    PGresult* const r = PQexec(c, text.c_str());
    const ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(text + ": " + PQerrorMessage(c));
    std::string first = PQntuples(r) > 0 && PQnfields(r) > 0 ? PQgetvalue(r, 0, 0) : "";
    PQclear(r);
    PQfinish(c);
    return first;
}

}  // namespace store_tests
