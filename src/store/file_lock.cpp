#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;

namespace {

/// Two names of one file have one lock.
std::string lock_name(const std::string& database) {
    char* const real = ::realpath(database.c_str(), nullptr);
    std::string name = (real != nullptr ? std::string(real) : database) + "-lock";
    std::free(real);
    return name;
}

}  // namespace

db_answer file_lock::take(const std::string& database) {
    release();
    const std::string name = lock_name(database);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) {
        return {db_fault::again, database + ": its lock file " + name + " cannot be made (" + std::strerror(errno) +
                                     "); look whether its folder is there and may be written"};
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        char who[32] = {};
        const ssize_t got = ::read(file, who, sizeof(who) - 1);
        ::close(file);
        if (error != EWOULDBLOCK)
            return {db_fault::again, database + ": its lock file cannot be locked (" + std::strerror(error) + ")"};
        std::string id;
        for (ssize_t i = 0; i < got && who[i] >= '0' && who[i] <= '9'; ++i) id += who[i];
        return {db_fault::again, database + ": another program has it open for writing" +
                                     (id.empty() ? std::string() : ", process " + id) +
                                     "; end that one first. Tools that only read may run beside it"};
    }
    // For whoever is refused: nothing is decided by it.
    const std::string id = std::to_string(::getpid()) + "\n";
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, id.data(), id.size(), 0) < 0) errno = 0;
    file_ = file;
    return {};
}

void file_lock::release() noexcept {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

}  // namespace lido::store_detail
