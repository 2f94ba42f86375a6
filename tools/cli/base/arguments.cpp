#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "text.hpp"

namespace lido::cli {
namespace {

constexpr option help_option{"help", "", "this text"};

const option* find_option(const command_form& form, std::string_view name) {
    if (name == help_option.name) return &help_option;
    const auto found =
        std::find_if(form.options.begin(), form.options.end(), [&](const option& o) { return o.name == name; });
    return found == form.options.end() ? nullptr : &*found;
}

std::string see_help(const command_form& form) {
    return "; " + std::string(form.command) + " --help lists what there is";
}

std::string unknown(const command_form& form, std::string_view word) {
    const std::string_view name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    std::vector<std::string_view> names{help_option.name};
    for (const option& o : form.options) names.push_back(o.name);
    const std::string_view meant = nearest(name, names);
    return "there is no option " + shown(word) +
           (meant.empty() ? see_help(form) : "; --" + std::string(meant) + " is meant?");
}

}  // namespace

reading reading::of(const command_form& form, std::span<char* const> words) {
    reading r;
    bool options_end = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (options_end || word.size() < 2 || word[0] != '-') {
            r.read.operands_.emplace_back(word);
            continue;
        }
        if (word == "--") {
            options_end = true;
            continue;
        }
        if (word == "-h") {
            r.help = true;
            continue;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view name = word.starts_with("--") ? word.substr(2, equals - 2) : std::string_view();
        const option* const found = find_option(form, name);
        if (found == nullptr) {
            r.wrong = unknown(form, word.substr(0, equals));
            return r;
        }
        if (found == &help_option) r.help = true;
        if (r.read.has(name)) {
            r.wrong = "--" + std::string(name) + " is there twice; give it once";
            return r;
        }
        if (found->value.empty()) {
            if (equals != word.size()) {
                r.wrong = "--" + std::string(name) + " takes no value";
                return r;
            }
            r.read.options_.emplace_back(name, "");
        } else if (equals != word.size()) {
            r.read.options_.emplace_back(name, word.substr(equals + 1));
        } else if (i + 1 < words.size()) {
            r.read.options_.emplace_back(name, words[++i]);
        } else {
            r.wrong =
                "--" + std::string(name) + " needs a value: --" + std::string(name) + " " + std::string(found->value);
            return r;
        }
    }
    if (r.help) return r;
    const auto needed = static_cast<std::size_t>(
        std::count_if(form.operands.begin(), form.operands.end(), [](const operand& o) { return o.needed; }));
    if (r.read.size() < needed) {
        r.wrong = std::string(form.operands[r.read.size()].name) + " is missing" + see_help(form);
    } else if (r.read.size() > form.operands.size()) {
        r.wrong = shown(r.read.operands_[form.operands.size()]) + " is one word too many" + see_help(form);
    }
    return r;
}

std::string help_of(const command_form& form) {
    std::string text = "usage: " + std::string(form.command);
    for (const operand& o : form.operands)
        text += o.needed ? " " + std::string(o.name) : " [" + std::string(o.name) + "]";
    text += " [option…]\n\n" + std::string(form.summary) + "\n\noptions:\n";
    text_table table("ll");
    for (const option& o : form.options)
        table.line(
            {"--" + std::string(o.name) + (o.value.empty() ? "" : " " + std::string(o.value)), std::string(o.help)});
    table.line({"--help", std::string(help_option.help)});
    text += table.text("  ");
    if (!form.more.empty()) text += "\n" + std::string(form.more);
    return text;
}

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

std::optional<std::int64_t> duration(std::string_view text) noexcept {
    if (text.size() < 2) return std::nullopt;
    const std::optional<std::uint64_t> number = whole_number(text.substr(0, text.size() - 1));
    const std::int64_t unit = text.back() == 'd'   ? std::int64_t{86400000}
                              : text.back() == 'h' ? 3600000
                              : text.back() == 'm' ? 60000
                              : text.back() == 's' ? 1000
                                                   : 0;
    if (!number || unit == 0) return std::nullopt;
    if (*number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / unit)) return std::nullopt;
    return static_cast<std::int64_t>(*number) * unit;
}

}  // namespace lido::cli
