// expect: What owns memory belongs into its context_type|cannot be a field of an entity
#include <lido/entity.hpp>

#include <vector>

struct crate {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int content = 0;
#else
    std::vector<int> content;
#endif
};

void add(lido::stage& stage) { stage.add<crate>("crate"); }
