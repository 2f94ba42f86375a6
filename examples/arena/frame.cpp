#include "frame.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <utility>

namespace arena {

namespace {

void put_base64(std::string& out, std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto at = [bytes](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const unsigned three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        out += digits[three >> 18];
        out += digits[three >> 12 & 63];
        out += i + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
        out += i + 2 < bytes.size() ? digits[three & 63] : '=';
    }
}

using named_number = std::pair<std::string_view, std::uint64_t>;

void put_numbers(std::string& out, std::initializer_list<named_number> numbers) {
    for (const auto& [name, number] : numbers) {
        out += '"';
        out += name;
        out += "\":";
        out += std::to_string(number);
        out += ',';
    }
}

}  // namespace

std::string_view speed_text(unsigned quarters) noexcept {
    switch (quarters) {
        case 1: return "0.25";
        case 2: return "0.5";
        case 8: return "2";
        case 16: return "4";
        case 32: return "8";
        default: return "1";
    }
}

void frame_writer::begin_group(std::string_view kind) {
    text_ += "{\"kind\":\"";
    text_ += kind;
    text_ += "\",\"points\":\"";
    points_.clear();
}

void frame_writer::point(fixed x, fixed y) {
    for (const fixed v : {x, y}) {
        const auto pixels = static_cast<std::uint16_t>(std::clamp(pixel(v), -32768, 32767));
        points_ += static_cast<char>(pixels & 0xff);
        points_ += static_cast<char>(pixels >> 8);
    }
}

void frame_writer::end_group() {
    put_base64(text_, points_);
    text_ += "\"},";
}

void frame_writer::groups(simulation& game) {
    const auto all = [this](std::string_view kind, const auto& pool, auto&& which) {
        begin_group(kind);
        for (const auto& o : pool) {
            if (which(o)) point(o.x, o.y);
        }
        end_group();
    };
    const auto any = [](const auto&) { return true; };
    scene_world& scene = game.scene();
    begin_group("ship");
    point(game.world().ship_x, game.world().ship_y);
    end_group();
    all("bullet", game.bullets(), [](const bullet& b) { return b.from_ship != 0; });
    all("enemy_bullet", game.bullets(), [](const bullet& b) { return b.from_ship == 0; });
    all("enemy", game.enemies(), any);
    all("glint", game.glitter(), any);
    all("shot", game.shots(), any);
    all("particle", game.particles(), any);
    all("debris", game.debris(), any);
    begin_group("orb");
    game.orbs().for_each<&orb::x, &orb::y>([this](fixed x, fixed y) { point(x, y); });
    end_group();
    begin_group("missile");
    scene.for_each<missile>([this](const missile& m) { point(m.x, m.y); });
    end_group();
    begin_group("explosion");
    scene.for_each<explosion>([this](const explosion& e) { point(e.at().x, e.at().y); });
    end_group();
    begin_group("ember");
    scene.for_each<ember>([this](const ember& e) { point(e.x, e.y); });
    end_group();
    begin_group("text");
    scene.for_each<damage_text>([this](const damage_text& t) { point(t.x, t.y); });
    for (const damage_number& n : game.numbers()) point(n.x, n.y);
    end_group();
    text_.back() = ']';  // the last comma
}

std::string_view frame_writer::write(session& s) {
    const auto flag = [](bool on) { return on ? "true" : "false"; };
    simulation& game = s.game();
    const world_state& w = game.world();
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016" PRIx64, s.hash());
    text_.assign("{\"hash\":\"").append(hash).append("\",\"paused\":").append(flag(s.paused()));
    text_.append(",\"speed\":").append(speed_text(s.speed())).append(",");
    put_numbers(text_, {{"tick", s.at()},
                        {"seed", s.seed()},
                        {"width", field_width},
                        {"height", field_height},
                        {"oldest", s.oldest()},
                        {"newest", s.newest()},
                        {"at", s.at()}});
    text_ += "\"groups\":[";
    groups(game);
    text_ += ",\"counts\":{";
    put_numbers(text_, {{"bullets", game.bullets().size()},
                        {"enemies", game.enemies().size()},
                        {"glitter", game.glitter().size()},
                        {"player_bullets", game.shots().size()},
                        {"xp_orbs", game.orbs().size()},
                        {"particles", game.particles().size()},
                        {"death_debris", game.debris().size()},
                        {"damage_numbers", game.numbers().size()},
                        {"missiles", game.scene().active<missile>()},
                        {"explosions", game.scene().active<explosion>()},
                        {"embers", game.scene().active<ember>()},
                        {"damage_texts", game.scene().active<damage_text>()},
                        {"score", w.score},
                        {"xp", w.xp}});
    text_.back() = '}';
    text_ += ",\"replay\":{";
    put_numbers(text_, {{"checked", s.checked()}});
    text_.append("\"exact\":").append(flag(s.exact())).append("}}");
    return text_;
}

}  // namespace arena
