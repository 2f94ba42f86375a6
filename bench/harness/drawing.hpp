// A drawing in SVG: text, bars, lines and dots, and how a figure is written in it.
#pragma once

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace bench {

/// Pixels.
inline constexpr double text_size = 12;

[[nodiscard]] inline std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += c;
        }
    }
    return out;
}

/// Three significant digits.
[[nodiscard]] inline std::string plot_figure(double v) {
    char text[32];
    std::snprintf(text, sizeof text,
                  v < 0.01  ? "%.4f"
                  : v < 1   ? "%.3f"
                  : v < 10  ? "%.2f"
                  : v < 100 ? "%.1f"
                            : "%.0f",
                  v);
    return text;
}

class drawing {
public:
    drawing(double width, double height) {
        out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
             << "\" viewBox=\"0 0 " << width << ' ' << height << "\" font-family=\"sans-serif\" font-size=\""
             << text_size << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    }
    void text(double x, double y, const std::string& what, const char* anchor = "start", const char* style = "") {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\" " << style << '>'
             << escaped(what) << "</text>\n";
    }
    void bar(double x, double y, double width, double height, const char* colour) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
             << "\" fill=\"" << colour << "\"/>\n";
    }
    void line(double x1, double y1, double x2, double y2, const char* colour, double width = 1,
              const char* style = "") {
        out_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" stroke=\""
             << colour << "\" stroke-width=\"" << width << "\" " << style << "/>\n";
    }
    void dot(double x, double y, const char* colour) {
        out_ << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"3\" fill=\"" << colour << "\"/>\n";
    }
    [[nodiscard]] bool write(const std::string& file) {
        out_ << "</svg>\n";
        std::ofstream to(file);
        to << out_.str();
        to.flush();
        return to.good();
    }

private:
    std::ostringstream out_;
};

}  // namespace bench
