// The file of a saved game: written beside the old one, synced, and put in its place.
#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/store/save_game.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace lido::store {

namespace {

// | magic | version, 0 | bytes of the information | bytes of the body | checksum of all but the body | information | body |
constexpr std::string_view magic = "lidogame";
constexpr std::uint16_t version = 1;
constexpr std::size_t head_bytes = 32;
constexpr std::size_t checksum_at = 24;
constexpr std::size_t most_information = 2 * (game_info::longest_text + 2) + game_picture::most_bytes + 64;

/// Of everything in front of the body but the checksum itself.
std::uint64_t checksum_of(std::span<const std::byte> head, std::span<const std::byte> information) {
    hasher h;
    h.add(bytes_checksum(head.first(checksum_at))).add(bytes_checksum(information));
    return h.digest();
}

class open_file {
public:
    explicit open_file(int fd) noexcept : fd_(fd) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// False where the last of what was written did not arrive.
    [[nodiscard]] bool close() noexcept { return ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

std::string in_words(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT: return "the disk is full; make room and save again";
        case EFBIG: return "the file would be larger than this system allows";
        case EROFS: return "the disk is read-only";
        case EACCES:
        case EPERM: return "its folder or the file may not be written by this user";
        case ENOENT: return "its folder is not there";
        case ENOTDIR: return "a part of the path is no folder";
        case EISDIR: return "it is a folder";
        default: return std::strerror(error);
    }
}
game_answer disk_refused(const std::string& file, int error) {
    return {game_fault::disk, file + ": not saved, and what was there is as before: " + in_words(error)};
}

/// The file itself where the name is a link to it.
std::string real_name(const std::string& file) {
    char* const real = ::realpath(file.c_str(), nullptr);
    std::string name = real != nullptr ? std::string(real) : file;
    std::free(real);
    return name;
}
std::string folder_of(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : file.substr(0, slash);
}

bool write_all(int fd, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            if (done == 0) errno = ENOSPC;
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
}

/// `most`: no more than that of the file. False, with errno.
bool read_all(int fd, std::size_t most, std::vector<std::byte>& into) {
    into.resize(most);
    std::size_t have = 0;
    while (have < most) {
        const ssize_t got = ::read(fd, into.data() + have, most - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    into.resize(have);
    return true;
}

/// Opened for one writer at a time. The file of that name may be put elsewhere by another writer between open and lock: then again.
int open_locked(const std::string& name) {
    for (;;) {
        const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0) return -1;
        struct stat mine = {};
        struct stat there = {};
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            ::close(fd);
            errno = error;
            return -1;
        }
        if (::fstat(fd, &mine) == 0 && ::stat(name.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
            mine.st_dev == there.st_dev)
            return fd;
        ::close(fd);
    }
}

void put_text(image_writer& w, std::string_view text) {
    w.put(static_cast<std::uint16_t>(text.size()));
    w.put_bytes(std::as_bytes(std::span<const char>(text)));
}
bool take_text(image_reader& r, std::string& text) {
    const auto size = r.take<std::uint16_t>();
    const std::span<const std::byte> bytes = r.take_bytes(size);
    if (!r.ok() || size > game_info::longest_text) return false;
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
}

struct sizes {
    std::uint64_t information = 0;
    std::uint64_t body = 0;
    std::uint64_t checksum = 0;
};

game_answer damaged(std::string_view name, const char* what) {
    return {game_fault::damaged, std::string(name) + ": " + what};
}

/// Of the first bytes of a file.
game_answer parse_head(std::string_view name, std::span<const std::byte> bytes, sizes& found) {
    const auto begins = std::as_bytes(std::span<const char>(magic));
    const std::size_t common = (std::min)(bytes.size(), begins.size());
    if (!std::equal(begins.begin(), begins.begin() + static_cast<std::ptrdiff_t>(common), bytes.begin()))
        return {game_fault::not_a_game, std::string(name) + ": this is no saved game"};
    image_reader r(bytes);
    static_cast<void>(r.take_bytes(magic.size()));
    const auto as_version = r.take<std::uint16_t>();
    if (r.ok() && as_version > version) {
        return {game_fault::later_version, std::string(name) + ": saved by a later version (file format " +
                                               std::to_string(as_version) + ", and this reads " +
                                               std::to_string(version) + "); use the program that saved it"};
    }
    const auto zero = r.take<std::uint16_t>();
    found.information = r.take<std::uint32_t>();
    found.body = r.take<std::uint64_t>();
    found.checksum = r.take<std::uint64_t>();
    if (!r.ok()) return damaged(name, "the file ends too early: it was not copied whole");
    if (as_version == 0 || zero != 0 || found.information > most_information)
        return damaged(name, "the file is damaged: what stands in front of the game is none that is written");
    return {};
}

game_answer parse_information(std::string_view name, std::span<const std::byte> head, std::span<const std::byte> bytes,
                              const sizes& size, game_info& info) {
    if (bytes.size() < size.information) return damaged(name, "the file ends too early: it was not copied whole");
    bytes = bytes.first(static_cast<std::size_t>(size.information));
    if (checksum_of(head, bytes) != size.checksum)
        return damaged(name, "the file is damaged: the checksum of its title and picture does not match");
    game_info read;
    image_reader r(bytes);
    read.saved_at = r.take<std::int64_t>();
    read.tick = r.take<std::uint64_t>();
    bool sound = take_text(r, read.title) && take_text(r, read.build);
    read.picture.width = r.take<std::uint16_t>();
    read.picture.height = r.take<std::uint16_t>();
    const auto picture = r.take<std::uint32_t>();
    sound = sound && r.ok() && picture <= game_picture::most_bytes;
    const std::span<const std::byte> pixels = sound ? r.take_bytes(picture) : std::span<const std::byte>();
    if (!sound || !r.ok() || r.left() != 0)
        return damaged(name, "the file is damaged: its title and picture are none that are written");
    read.picture.bytes.assign(pixels.begin(), pixels.end());
    info = std::move(read);
    return {};
}

/// The file, opened to be read, and how large it is.
game_answer open_to_read(const std::string& file, int& fd, std::uint64_t& size) {
    fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        if (errno == ENOENT) return {game_fault::no_file, file + ": there is no such file"};
        return {game_fault::disk, file + ": not loaded: " + std::string(std::strerror(errno))};
    }
    struct stat what = {};
    if (::fstat(fd, &what) != 0 || !S_ISREG(what.st_mode)) {
        ::close(std::exchange(fd, -1));
        return {game_fault::not_a_game, file + ": this is no saved game, but no file at all"};
    }
    size = static_cast<std::uint64_t>(what.st_size);
    return {};
}

}  // namespace

game_answer write_game(const std::string& file, const game_info& info, std::span<const std::byte> body) {
    if (info.title.size() > game_info::longest_text || info.build.size() > game_info::longest_text)
        return {game_fault::refused, file + ": not saved: title and build have at most 1024 bytes each"};
    if (info.picture.bytes.size() > game_picture::most_bytes)
        return {game_fault::refused, file + ": not saved: its picture has more than 1 MiB; save a smaller one"};
    std::vector<std::byte> information;
    image_writer w(information);
    using clock = std::chrono::system_clock;
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now().time_since_epoch()).count();
    w.put(static_cast<std::int64_t>(info.saved_at != 0 ? info.saved_at : now));
    w.put(info.tick);
    put_text(w, info.title);
    put_text(w, info.build);
    w.put(info.picture.width);
    w.put(info.picture.height);
    w.put(static_cast<std::uint32_t>(info.picture.bytes.size()));
    w.put_bytes(info.picture.bytes);

    std::vector<std::byte> head;
    image_writer to(head);
    to.put_bytes(std::as_bytes(std::span<const char>(magic)));
    to.put(version);
    to.put(std::uint16_t{0});
    to.put(static_cast<std::uint32_t>(information.size()));
    to.put(std::uint64_t{body.size()});
    to.put(checksum_of(head, information));

    const std::string target = real_name(file);
    const std::string beside = target + ".part";
    open_file part(open_locked(beside));
    if (part.fd() < 0) {
        if (errno == EWOULDBLOCK)
            return {game_fault::disk, file + ": not saved: another program is just saving to it; try again"};
        return disk_refused(file, errno);
    }
    const bool written = ::ftruncate(part.fd(), 0) == 0 && write_all(part.fd(), head) &&
                         write_all(part.fd(), information) && write_all(part.fd(), body) && ::fsync(part.fd()) == 0;
    struct stat there = {};
    // Over a folder nothing is renamed, and the words of the system would be about another one.
    const bool is_folder = written && ::stat(target.c_str(), &there) == 0 && S_ISDIR(there.st_mode);
    if (is_folder) errno = EISDIR;
    if (!written || is_folder || ::rename(beside.c_str(), target.c_str()) != 0) {
        const int error = errno;
        ::unlink(beside.c_str());
        return disk_refused(file, error);
    }
    const bool closed = part.close();
    // Its name is in the folder, and survives a loss of power when that is synced, too.
    const open_file folder(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!closed || folder.fd() < 0 || ::fsync(folder.fd()) != 0) {
        return {game_fault::disk, file + ": saved, but a loss of power could take it back: " +
                                      std::string(std::strerror(errno)) + "; save again"};
    }
    return {};
}

game_answer parse_game(std::string_view name, std::span<const std::byte> bytes, game_info& info,
                       std::span<const std::byte>& body) {
    sizes size;
    if (game_answer wrong = parse_head(name, bytes, size); !wrong) return wrong;
    const std::span<const std::byte> rest = bytes.subspan(head_bytes);
    if (game_answer wrong = parse_information(name, bytes.first(head_bytes), rest, size, info); !wrong) return wrong;
    const std::span<const std::byte> found = rest.subspan(static_cast<std::size_t>(size.information));
    if (found.size() < size.body) return damaged(name, "the file ends too early: it was not copied whole");
    if (found.size() > size.body) return damaged(name, "the file is damaged: something follows the end of the game");
    body = found;
    return {};
}

game_answer read_game(const std::string& file, game_info& info, std::vector<std::byte>& body) {
    int fd = -1;
    std::uint64_t size = 0;
    if (game_answer wrong = open_to_read(file, fd, size); !wrong) return wrong;
    const open_file from(fd);
    std::vector<std::byte> bytes;
    // Something else may be larger than memory: its beginning tells.
    std::vector<std::byte> head;
    sizes ignored;
    if (!read_all(from.fd(), head_bytes, head))
        return {game_fault::disk, file + ": not loaded: " + std::strerror(errno)};
    if (game_answer wrong = parse_head(file, head, ignored); !wrong) return wrong;
    if (::lseek(from.fd(), 0, SEEK_SET) != 0 || !read_all(from.fd(), static_cast<std::size_t>(size), bytes))
        return {game_fault::disk, file + ": not loaded: " + std::strerror(errno)};
    std::span<const std::byte> found;
    if (game_answer wrong = parse_game(file, bytes, info, found); !wrong) return wrong;
    bytes.erase(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(found.size()));
    body = std::move(bytes);
    return {};
}

game_answer read_game_info(const std::string& file, game_info& info) {
    int fd = -1;
    std::uint64_t file_size = 0;
    if (game_answer wrong = open_to_read(file, fd, file_size); !wrong) return wrong;
    const open_file from(fd);
    std::vector<std::byte> head;
    if (!read_all(from.fd(), head_bytes, head)) return {game_fault::disk, file + ": not read: " + std::strerror(errno)};
    sizes size;
    if (game_answer wrong = parse_head(file, head, size); !wrong) return wrong;
    std::vector<std::byte> information;
    if (!read_all(from.fd(), static_cast<std::size_t>(size.information), information))
        return {game_fault::disk, file + ": not read: " + std::strerror(errno)};
    if (game_answer wrong = parse_information(file, head, information, size, info); !wrong) return wrong;
    if (file_size != head_bytes + size.information + size.body)
        return damaged(file, "the file ends too early, or something follows the game: it was not copied whole");
    return {};
}

game_list list_games(const std::string& folder) {
    game_list list;
    std::error_code wrong;
    for (std::filesystem::directory_iterator at(folder, wrong), end; !wrong && at != end; at.increment(wrong)) {
        std::error_code ignored;
        if (!at->is_regular_file(ignored) || at->path().extension() == ".part") continue;
        listed_game game;
        game.file = at->path().string();
        game.answer = read_game_info(game.file, game.info);
        if (game.answer.fault() == game_fault::not_a_game) continue;
        if (!game.answer) game.info = {};
        // An empty file is the beginning of anything.
        if (game.answer.fault() == game_fault::damaged && at->file_size(ignored) < magic.size()) continue;
        list.games.push_back(std::move(game));
    }
    if (wrong) list.answer = {game_fault::disk, folder + ": the folder cannot be read: " + wrong.message()};
    std::sort(list.games.begin(), list.games.end(), [](const listed_game& a, const listed_game& b) {
        const auto rank = [](const listed_game& g) { return g.answer ? g.info.saved_at : INT64_MIN; };
        return rank(a) != rank(b) ? rank(a) > rank(b) : a.file < b.file;
    });
    return list;
}

}  // namespace lido::store
