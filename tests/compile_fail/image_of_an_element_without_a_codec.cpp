// expect: lido: this element cannot be written into an image because it is not trivially copyable: give it `void save.lido::image_writer&. const` and `bool load.lido::image_reader&.`
#include <lido/core.hpp>

#include <cstddef>
#include <string>
#include <vector>

struct element {
    std::string name;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void save(lido::image_writer& w) const { w.put(static_cast<unsigned>(name.size())); }
    bool load(lido::image_reader& r) {
        name.assign(r.take<unsigned>() % 64, ' ');
        return true;
    }
#endif
};

void write(const lido::dense_pool<element>& pool, std::vector<std::byte>& to) { pool.save(to); }
