// What is in a store: its classes, and its rows page by page.
#include <algorithm>
#include <string>
#include <vector>

#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "kept_row.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}};
constexpr option options[] = {
    {"class", "CLASS", "only rows of this class"},
    {"prefix", "TEXT", "only keys that begin so"},
    {"claims", "", "also rows that a game has asked for and never saved"},
    {"tombstones", "", "also rows that were erased"},
    {"classes", "", "only the classes"},
    {"limit", "N", "at most so many rows (1000)"},
    {"all", "", "all rows"},
    {"after", "KEY", "go on behind this row"},
    {"after-class", "CLASS", "of which class that row is, without --class"},
    {"json", "", "one JSON object"},
};
constexpr command_form form{
    "lido store ls", "lists classes and rows", operands, options,
    "Rows are in order of class and key, by bytes. Times are UTC; bytes are those of the data.\n"};

struct page_of_rows {
    store::row_range range;
    bool all = false;
};

/// False: it was said why.
bool read_page(const call& with, page_of_rows& page) {
    const arguments& line = with.line;
    const auto refuse = [&](std::string_view why) {
        with.speak.say(why);
        return false;
    };
    page.range.of_class = line.value("class");
    page.range.prefix = line.value("prefix");
    page.range.claimed_too = line.has("claims");
    page.range.erased_too = line.has("tombstones");
    page.range.after_class = line.value("after-class");
    page.range.after_key = line.value("after");
    page.range.limit = 1000;
    page.all = line.has("all");
    if (line.has("class") && page.range.of_class.empty()) return refuse("--class needs the name of a class");
    if (line.has("after") && !line.has("class") && !line.has("after-class"))
        return refuse(
            "--after KEY needs the class of that row: --class CLASS, or --after-class CLASS for a list of all classes");
    if (line.has("after-class") && !line.has("after")) return refuse("--after-class needs --after KEY");
    if (line.has("limit")) {
        if (page.all) return refuse("--limit and --all are two answers to one question; give one");
        const auto limit = whole_number(line.value("limit"));
        if (!limit || *limit == 0) return refuse("--limit is a number of rows, from 1 on");
        page.range.limit = *limit;
    }
    if (page.all) page.range.limit = ~std::uint64_t{0};
    return true;
}

std::string revisions_of(const std::vector<kept_note>& notes, std::string_view name) {
    std::string text;
    for (const kept_note& n : notes) {
        if (n.name == name) text += (text.empty() ? "" : ", ") + std::to_string(n.revision);
    }
    return text.empty() ? "no note" : text;
}

void put_classes(const call& with, const std::vector<kept_note>& notes, const std::vector<class_counts>& counts) {
    if (with.json) {
        with.out.put(",\"classes\":[");
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const class_counts& c = counts[i];
            std::string revisions;
            for (const kept_note& n : notes) {
                if (n.name == c.name) revisions += (revisions.empty() ? "" : ",") + std::to_string(n.revision);
            }
            with.out.put((i == 0 ? "" : ",") + ("{\"class\":" + json_string(c.name)) + ",\"revisions\":[" + revisions +
                         "],\"stored\":" + std::to_string(c.stored) + ",\"claimed\":" + std::to_string(c.claimed) +
                         ",\"erased\":" + std::to_string(c.erased) + "}");
        }
        with.out.put("]");
        return;
    }
    text_table table("llrrr");
    table.line({"class", "revisions", "stored", "claimed", "erased"});
    for (const class_counts& c : counts) {
        table.line(
            {shown(c.name), revisions_of(notes, c.name), grouped(c.stored), grouped(c.claimed), grouped(c.erased)});
    }
    with.out.put(counts.empty() ? "no classes and no rows\n" : table.text());
}

std::string row_json(const store::stored_row& r) {
    return "{\"class\":" + json_string(r.of_class) + ",\"key\":" + json_string(r.key) + ",\"state\":\"" +
           store::to_string(r.state) + "\",\"epoch\":" + std::to_string(r.epoch) +
           ",\"generation\":" + std::to_string(r.generation) + ",\"version\":" + std::to_string(r.version) +
           ",\"birth\":" + std::to_string(r.birth) + ",\"revision\":" + std::to_string(r.revision) +
           ",\"owner\":" + std::to_string(r.owner) + ",\"created\":" + std::to_string(r.created) +
           ",\"changed\":" + std::to_string(r.changed) + ",\"bytes\":" + std::to_string(r.data.size()) + "}";
}

/// The rows of a page are put in tables of so many, so that the first ones are there before the last are read.
constexpr std::size_t table_lines = 1000;

store::db_answer put_rows(const call& with, store::database& db, const page_of_rows& page, kept_row& last,
                          std::uint64_t& told) {
    progress shows("reading", 0, "rows");
    const auto fresh = [] {
        text_table table("lllrrrrlr");
        table.line({"class", "key", "state", "epoch", "generation", "version", "revision", "changed (UTC)", "bytes"});
        return table;
    };
    text_table table = fresh();
    std::size_t in_table = 0;
    const auto put_table = [&] {
        shows.wipe();
        if (in_table != 0) with.out.put(table.text());
        table = fresh();
        in_table = 0;
    };
    store::row_function each([&](const store::stored_row& r) {
        if (with.json) {
            with.out.put((told == 0 ? "\n" : ",\n") + row_json(r));
        } else {
            table.line({shown(r.of_class), shown(r.key), store::to_string(r.state), std::to_string(r.epoch),
                        std::to_string(r.generation), std::to_string(r.version), std::to_string(r.revision),
                        time_text(r.changed), grouped(r.data.size())});
            if (++in_table == table_lines) put_table();
        }
        last.of_class = r.of_class;
        last.key = r.key;
        shows.at(++told);
        return with.goes_on();
    });
    store::db_answer scanned = db.scan(page.range, each);
    put_table();
    return scanned;
}

/// How the next page is asked for; empty where there is none.
store::db_answer put_next(const call& with, store::database& db, const page_of_rows& page, const kept_row& last,
                          std::uint64_t told) {
    bool more = false;
    if (!page.all && told == page.range.limit) {
        store::row_range next = page.range;
        next.after_class = last.of_class;
        next.after_key = last.key;
        next.limit = 1;
        store::row_function each([&](const store::stored_row&) {
            more = true;
            return false;
        });
        if (store::db_answer scanned = db.scan(next, each); !scanned) return scanned;
    }
    if (with.json) {
        with.out.put(
            "],\"next\":" +
            (more ? "{\"class\":" + json_string(last.of_class) + ",\"key\":" + json_string(last.key) + "}" : "null") +
            "}\n");
    } else if (more) {
        with.out.line("there are more: go on with " +
                      (page.range.of_class.empty() ? "--after-class " + shown(last.of_class) + " " : std::string()) +
                      "--after " + shown(last.key) + ", or take --all");
    }
    return {};
}

int run(const call& with) {
    page_of_rows page;
    if (!read_page(with, page)) return exit_usage;
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    // Who asks for some of the rows has seen the classes.
    const bool some = with.line.has("class") || with.line.has("prefix") || with.line.has("after");
    const bool classes = !some || with.line.has("classes");
    const bool rows = !with.line.has("classes");
    if (with.json) {
        const store::stored_position& at = found.position;
        with.out.put("{\"store\":" + json_string(with.speak.without_secrets(where.shown)) +
                     ",\"epoch\":" + std::to_string(found.epoch) + ",\"position\":{\"run\":" + std::to_string(at.run) +
                     ",\"tick\":" + std::to_string(at.tick) + ",\"commit\":" + std::to_string(at.commit) +
                     ",\"births\":" + std::to_string(at.births) + "}");
    }
    if (classes) {
        std::vector<kept_note> notes;
        std::vector<class_counts> counts;
        if (const store::db_answer read = read_notes(*db, notes); !read)
            return with.failed(read, "the list is not whole");
        if (const store::db_answer read = read_counts(*db, notes, counts); !read)
            return with.failed(read, "the list is not whole");
        put_classes(with, notes, counts);
        if (counts.empty() && !with.json) return exit_ok;
    }
    if (!rows) {
        if (with.json) with.out.put("}\n");
        return exit_ok;
    }
    with.out.put(with.json ? ",\"rows\":[" : classes ? "\n" : "");
    kept_row last;
    std::uint64_t told = 0;
    if (const store::db_answer read = put_rows(with, *db, page, last, told); !read || interrupted())
        return with.failed(read, "the list is not whole");
    if (!with.out.good()) return exit_cannot;
    if (told == 0 && !with.json) with.out.line("no such rows");
    if (const store::db_answer read = put_next(with, *db, page, last, told); !read)
        return with.failed(read, "the list is not whole");
    return exit_ok;
}

}  // namespace

const store_command store_ls{"ls", form, &run};

}  // namespace lido::cli
