#include "store/faulty_vfs.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace store_tests {

namespace {

using verdict = faulty_disk::verdict;
using handle = faulty_disk::handle;

/// As SQLite has it: it allocates these bytes and knows the first member.
struct opened {
    sqlite3_file base;
    handle* it;
};
handle& of(sqlite3_file* f) { return *reinterpret_cast<opened*>(f)->it; }

int code_of(verdict v, int broken, int full = SQLITE_IOERR) {
    switch (v) {
        case verdict::go_on: return SQLITE_OK;
        case verdict::fail: return broken;
        case verdict::fail_full: return full == SQLITE_IOERR ? broken : full;
        case verdict::dead: return broken;
    }
    return broken;
}
int ask(handle& h, disk_call what, int broken, int full = SQLITE_IOERR) {
    return code_of(h.disk->ask(what, &h), broken, full);
}

int do_close(sqlite3_file* f) {
    handle* const h = &of(f);
    if (h->life == h->disk->life()) {
        h->of->open.erase(h);
        if (h->of->open.empty()) h->of->shared.reset();
    }
    delete h;
    return SQLITE_OK;
}

int do_read(sqlite3_file* f, void* to, int count, sqlite3_int64 at) {
    handle& h = of(f);
    if (const int bad = ask(h, disk_call::read, SQLITE_IOERR_READ); bad != SQLITE_OK) return bad;
    const auto& bytes = h.of->view;
    const auto from = std::min(static_cast<std::size_t>(at), bytes.size());
    const auto here = std::min(static_cast<std::size_t>(count), bytes.size() - from);
    if (here != 0) std::memcpy(to, bytes.data() + from, here);
    if (here == static_cast<std::size_t>(count)) return SQLITE_OK;
    std::memset(static_cast<char*>(to) + here, 0, static_cast<std::size_t>(count) - here);
    return SQLITE_IOERR_SHORT_READ;
}

int do_write(sqlite3_file* f, const void* from, int count, sqlite3_int64 at) {
    handle& h = of(f);
    const int bad = ask(h, disk_call::write, SQLITE_IOERR_WRITE, SQLITE_FULL);
    auto much = static_cast<std::size_t>(count);
    // A write that fails has written something.
    if (bad != SQLITE_OK) much = static_cast<std::size_t>(h.disk->any().below(much + 1));
    if (h.life == h.disk->life() && much != 0)
        h.disk->write(*h.of, static_cast<const unsigned char*>(from), much, static_cast<std::uint64_t>(at));
    return bad;
}

int do_truncate(sqlite3_file* f, sqlite3_int64 to) {
    handle& h = of(f);
    if (const int bad = ask(h, disk_call::truncate, SQLITE_IOERR_TRUNCATE); bad != SQLITE_OK) return bad;
    h.disk->truncate(*h.of, static_cast<std::uint64_t>(to));
    return SQLITE_OK;
}

int do_sync(sqlite3_file* f, int) {
    handle& h = of(f);
    if (const int bad = ask(h, disk_call::sync, SQLITE_IOERR_FSYNC); bad != SQLITE_OK) {
        if (h.disk->forgets_after_a_failed_sync && h.life == h.disk->life()) h.of->unsynced.clear();
        return bad;
    }
    h.disk->sync(*h.of);
    if (std::exchange(h.syncs_folder, false)) h.disk->sync_folder();
    return SQLITE_OK;
}

int do_size(sqlite3_file* f, sqlite3_int64* size) {
    handle& h = of(f);
    if (const int bad = ask(h, disk_call::size, SQLITE_IOERR_FSTAT); bad != SQLITE_OK) return bad;
    *size = static_cast<sqlite3_int64>(h.of->view.size());
    return SQLITE_OK;
}

int strongest_of_others(const handle& h) {
    int lock = SQLITE_LOCK_NONE;
    for (const handle* const o : h.of->open) {
        if (o != &h) lock = std::max(lock, o->lock);
    }
    return lock;
}

int do_lock(sqlite3_file* f, int level) {
    handle& h = of(f);
    if (h.lock >= level) return SQLITE_OK;
    if (const int bad = ask(h, disk_call::lock, SQLITE_IOERR_LOCK, SQLITE_BUSY); bad != SQLITE_OK) return bad;
    const int others = strongest_of_others(h);
    if (level == SQLITE_LOCK_SHARED && others >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
    if (level >= SQLITE_LOCK_RESERVED && others >= SQLITE_LOCK_RESERVED) return SQLITE_BUSY;
    if (level == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
        h.lock = SQLITE_LOCK_PENDING;
        return SQLITE_BUSY;
    }
    h.lock = level;
    return SQLITE_OK;
}
int do_unlock(sqlite3_file* f, int level) {
    of(f).lock = std::min(of(f).lock, level);
    return SQLITE_OK;
}
int do_check_lock(sqlite3_file* f, int* reserved) {
    *reserved = strongest_of_others(of(f)) >= SQLITE_LOCK_RESERVED ? 1 : 0;
    return SQLITE_OK;
}

int do_control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int do_sector(sqlite3_file*) { return 512; }
// As SQLite takes it of every disk today: a write changes no byte but its own.
int do_features(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

int do_map(sqlite3_file* f, int region, int size, int extend, void volatile** at) {
    handle& h = of(f);
    *at = nullptr;
    if (const int bad = ask(h, disk_call::shared_memory, SQLITE_IOERR_SHMMAP); bad != SQLITE_OK) return bad;
    if (h.shared == nullptr) {
        if (h.of->shared == nullptr) h.of->shared = std::make_shared<faulty_disk::shared_regions>();
        h.shared = h.of->shared;
    }
    auto& all = h.shared->regions;
    if (static_cast<std::size_t>(region) >= all.size()) {
        if (extend == 0) return SQLITE_OK;
        while (static_cast<std::size_t>(region) >= all.size())
            all.push_back(std::make_unique<std::uint32_t[]>(static_cast<std::size_t>(size) / sizeof(std::uint32_t)));
    }
    *at = all[static_cast<std::size_t>(region)].get();
    return SQLITE_OK;
}

int do_shm_lock(sqlite3_file* f, int first, int count, int flags) {
    handle& h = of(f);
    const unsigned mask = ((1u << count) - 1u) << first;
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
        ((flags & SQLITE_SHM_SHARED) != 0 ? h.shared_locks : h.own_locks) &= ~mask;
        return SQLITE_OK;
    }
    if (const int bad = ask(h, disk_call::lock, SQLITE_IOERR_SHMLOCK, SQLITE_BUSY); bad != SQLITE_OK) return bad;
    const bool shared = (flags & SQLITE_SHM_SHARED) != 0;
    for (const handle* const o : h.of->open) {
        if (o == &h) continue;
        if (((o->own_locks | (shared ? 0u : o->shared_locks)) & mask) != 0) return SQLITE_BUSY;
    }
    (shared ? h.shared_locks : h.own_locks) |= mask;
    return SQLITE_OK;
}

void do_barrier(sqlite3_file*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

int do_unmap(sqlite3_file* f, int) {
    handle& h = of(f);
    h.shared_locks = h.own_locks = 0;
    h.shared.reset();
    const auto& open = h.of->open;
    if (h.life == h.disk->life() &&
        std::none_of(open.begin(), open.end(), [](handle* o) { return o->shared != nullptr; }))
        h.of->shared.reset();
    return SQLITE_OK;
}

constexpr sqlite3_io_methods methods{
    2,          do_close,  do_read,     do_write, do_truncate, do_sync,    do_size,  do_lock, do_unlock, do_check_lock,
    do_control, do_sector, do_features, do_map,   do_shm_lock, do_barrier, do_unmap, nullptr, nullptr};

faulty_disk& disk_of(sqlite3_vfs* v) { return *static_cast<faulty_disk*>(v->pAppData); }

int open_file(sqlite3_vfs* v, const char* name, sqlite3_file* f, int flags, int* out) {
    faulty_disk& disk = disk_of(v);
    f->pMethods = nullptr;
    if (const int bad = code_of(disk.ask(disk_call::open, nullptr), SQLITE_CANTOPEN); bad != SQLITE_OK) return bad;
    const std::string path = name != nullptr ? name : "";
    std::shared_ptr<faulty_disk::file> there = disk.find(path);
    if (there == nullptr) {
        if (name != nullptr && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
        there = disk.make(path);
    }
    auto* const h = new handle{&disk, std::move(there), nullptr, disk.life(), SQLITE_LOCK_NONE, 0, 0, false};
    // As the VFS of Unix does.
    h->syncs_folder = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) != 0;
    h->of->open.insert(h);
    reinterpret_cast<opened*>(f)->it = h;
    f->pMethods = &methods;
    if (out != nullptr) *out = flags;
    return SQLITE_OK;
}

int remove_file(sqlite3_vfs* v, const char* name, int synced) {
    faulty_disk& disk = disk_of(v);
    if (const int bad = code_of(disk.ask(disk_call::remove, nullptr), SQLITE_IOERR_DELETE); bad != SQLITE_OK)
        return bad;
    if (disk.find(name) == nullptr) return SQLITE_IOERR_DELETE_NOENT;
    disk.remove(name, synced != 0);
    return SQLITE_OK;
}

int is_there(sqlite3_vfs* v, const char* name, int, int* result) {
    faulty_disk& disk = disk_of(v);
    if (const int bad = code_of(disk.ask(disk_call::open, nullptr), SQLITE_IOERR_ACCESS); bad != SQLITE_OK) return bad;
    const auto f = disk.find(name);
    // An empty log is none.
    *result = f != nullptr && !f->view.empty() ? 1 : 0;
    return SQLITE_OK;
}

int whole_path(sqlite3_vfs*, const char* name, int room, char* to) {
    sqlite3_snprintf(room, to, "%s", name);
    return SQLITE_OK;
}
int random_bytes(sqlite3_vfs* v, int count, char* to) {
    for (int i = 0; i < count; ++i) to[i] = static_cast<char>(disk_of(v).any().below(256));
    return count;
}
// Nobody waits: whoever has a lock is of this thread.
int sleep(sqlite3_vfs*, int microseconds) { return microseconds; }
int time_now(sqlite3_vfs*, double* days) {
    *days = 2461364.5;
    return SQLITE_OK;
}
int last_error(sqlite3_vfs*, int, char*) { return 0; }

}  // namespace

faulty_vfs::faulty_vfs(faulty_disk& on) {
    // Several disks may be there at once; a name is SQLite's key.
    static std::atomic<unsigned> number{0};
    name = "lido_faulty_" + std::to_string(++number);
    vfs.iVersion = 1;
    vfs.szOsFile = sizeof(opened);
    vfs.mxPathname = 256;
    vfs.zName = name.c_str();
    vfs.pAppData = &on;
    vfs.xOpen = open_file;
    vfs.xDelete = remove_file;
    vfs.xAccess = is_there;
    vfs.xFullPathname = whole_path;
    vfs.xRandomness = random_bytes;
    vfs.xSleep = sleep;
    vfs.xCurrentTime = time_now;
    vfs.xGetLastError = last_error;
    sqlite3_vfs_register(&vfs, 0);
    // What SQLite itself leaves to chance (the salts of its log) follows from the seed, too.
    sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(on.any().below(0x7fffffff)) + 1, nullptr);
}

faulty_vfs::~faulty_vfs() { sqlite3_vfs_unregister(&vfs); }

}  // namespace store_tests
