#include "stage_api.hpp"

#include "stage_jobs.hpp"
#include "stage_writer.hpp"
#include "text.hpp"

#include <array>
#include <limits>
#include <utility>

namespace lido::inspect {

namespace {

[[nodiscard]] http_result wrong(int status, std::string_view why) {
    http_result r;
    r.answer = error_answer(status, why);
    return r;
}

[[nodiscard]] stage_wish refused(int status, std::string_view why) { return {status, std::string(why), nullptr}; }

[[nodiscard]] bool read_small(std::string_view text, std::uint32_t& out) {
    std::uint64_t n = 0;
    if (!read_number(text, n) || n > std::numeric_limits<std::uint32_t>::max()) return false;
    out = static_cast<std::uint32_t>(n);
    return true;
}

/// How many are wanted; false when it is there and not from 1 to `limit`.
[[nodiscard]] bool read_most(const checked_request& asked, std::uint32_t limit, std::uint32_t& out) {
    const std::string* const text = asked.value("most");
    return text == nullptr || (read_small(*text, out) && out >= 1 && out <= limit);
}

[[nodiscard]] stage_wish read_list(const checked_request& asked) {
    list_job::wish w;
    if (!read_most(asked, list_job::most_rows, w.most)) return refused(400, "most is from 1 to 500");
    if (const std::string* const from = asked.value("from")) {
        const std::size_t dot = from->find('.');
        std::uint32_t of = 0;
        if (dot == std::string::npos || !read_small(std::string_view(*from).substr(0, dot), of) ||
            !read_small(std::string_view(*from).substr(dot + 1), w.from.slot))
            return refused(400, "from is the next of an answer before");
        w.from.of = of;
    }
    if (const std::string* const of = asked.value("class")) {
        std::uint32_t n = 0;
        if (!read_small(*of, n)) return refused(400, "class is the number of a class");
        w.of_class = n;
    }
    if (const std::string* const text = asked.value("text")) {
        if (text->size() > entity_id::max_size) return refused(400, "text has at most 63 bytes, as an id has");
        w.text = lower(*text);
    }
    if (const std::string* const only = asked.value("only")) {
        constexpr std::array<std::pair<std::string_view, list_job::only>, 4> all{
            {{"all", list_job::only::all},
             {"locked", list_job::only::locked},
             {"persistent", list_job::only::persistent},
             {"loading", list_job::only::loading}}};
        bool known = false;
        for (const auto& [name, which] : all) {
            if (*only != name) continue;
            w.which = which;
            known = true;
        }
        if (!known) return refused(400, "only is all, locked, persistent or loading");
    }
    return {200, {}, std::make_shared<list_job>(std::move(w))};
}

[[nodiscard]] stage_wish read_journal(const checked_request& asked) {
    journal_job::wish w;
    if (!read_most(asked, journal_job::most_entries, w.most)) return refused(400, "most is from 1 to 500");
    if (const std::string* const text = asked.value("generation")) {
        std::uint64_t n = 0;
        if (!read_number(*text, n)) return refused(400, "generation is a whole number");
        w.generation = n;
    }
    return {200, {}, std::make_shared<journal_job>(w)};
}

class waiting_look final : public waiting_answer {
public:
    explicit waiting_look(std::shared_ptr<stage_job> j) : job_(std::move(j)) {}
    waiting_look(const waiting_look&) = delete;
    waiting_look& operator=(const waiting_look&) = delete;
    ~waiting_look() override { static_cast<void>(job_->move(job_state::waiting, job_state::given_up)); }

    [[nodiscard]] bool ready(http_answer& out) override {
        if (!job_->done()) return false;
        std::string text = job_->gone ? std::string{} : job_->text();
        if (job_->gone) {
            out = error_answer(404, "this stage has just ended");
        } else if (text.empty()) {
            out = error_answer(404, "no entity of this stage has that id now");
        } else {
            out = {200, "application/json", std::move(text)};
        }
        return true;
    }
    [[nodiscard]] http_answer too_late() override {
        return error_answer(504, "the program did not show its entities within two seconds");
    }

private:
    std::shared_ptr<stage_job> job_;
};

}  // namespace

stage_wish read_stage_wish(std::string_view path, const checked_request& asked) {
    if (path == "/entities") return read_list(asked);
    if (path == "/journal") return read_journal(asked);
    if (path != "/entity") return refused(404, "there is nothing at this address");
    const std::string* const id = asked.value("id");
    if (id == nullptr || entity_id::check(*id) != id_fault::none)
        return refused(400, "id must be there: 1 to 63 bytes of UTF-8 without control characters");
    return {200, {}, std::make_shared<entity_job>(*id)};
}

http_result stages_answer(board& shared, const checked_request& asked) {
    std::string_view rest = std::string_view(asked.path).substr(stages_path.size());
    if (rest.empty()) {
        http_result r;
        r.answer.body = write_stages(shared.now());
        return r;
    }
    if (rest.front() != '/') return wrong(404, "there is nothing at this address");
    rest.remove_prefix(1);
    const std::string_view number = rest.substr(0, rest.find('/'));
    std::uint32_t id = 0;
    if (!read_small(number, id) || !shared.has_stage(id)) return wrong(404, "there is no such stage");
    rest.remove_prefix(number.size());
    stage_wish w = read_stage_wish(rest, asked);
    if (w.job == nullptr) return wrong(w.status, w.why);
    w.job->stage = id;
    if (!shared.ask(w.job)) return wrong(429, "too many requests wait for the program");
    http_result r;
    r.waiting = std::make_unique<waiting_look>(std::move(w.job));
    return r;
}

}  // namespace lido::inspect
