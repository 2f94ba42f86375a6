// expect: lido: for_each over columns: a column is named twice, and its references would be to the same field
#include <lido/core.hpp>

struct element {
    int x, y;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
void pass(lido::column_pool<element>& pool) {
    pool.for_each<&element::x, &element::y>([](int& a, int b) { a += b; });
}
#else
void pass(lido::column_pool<element>& pool) {
    pool.for_each<&element::x, &element::x>([](int& a, int b) { a += b; });
}
#endif
