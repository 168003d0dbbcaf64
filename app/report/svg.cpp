#include "app/report/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace loom::report {

using notation::PaletteEntry;
using notation::Theme;

namespace {

// Length of the UTF-8 character at `at`, 0 where there is none that XML takes.
std::size_t characterAt(const std::string& text, std::size_t at, std::uint32_t& value) {
  const auto byte = static_cast<unsigned char>(text[at]);
  std::size_t length = byte < 0x80 ? 1 : byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  if (length == 0 || byte >= 0xf5 || at + length > text.size()) return 0;
  value = length == 1 ? byte : byte & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xc0) != 0x80) return 0;
    value = value << 6 | (next & 0x3f);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && (value < 0x10000 || value > 0x10ffff));
  const bool control = value < 0x20 && value != '\t' && value != '\n';
  const bool none = (value >= 0xd800 && value < 0xe000) || value == 0xfffe || value == 0xffff || value == 0x7f;
  return overlong || control || none ? 0 : length;
}

bool isWide(std::uint32_t value) { return value >= 0x2e80 && value < 0x1fb00; }

std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

// Dark ink on bright fills, white on the others.
const char* inkOn(std::uint32_t rgb) {
  const double light = 0.3 * (rgb >> 16) + 0.59 * (rgb >> 8 & 0xff) + 0.11 * (rgb & 0xff);
  return light > 127.5 ? "#101216" : "#ffffff";
}

std::string values(Theme theme) {
  std::string css;
  for (const PaletteEntry& e : notation::palette()) {
    const std::uint32_t rgb = notation::rgb(e.tone, theme);
    css += fmt::format("--{}:#{:06x};--on-{}:{};", e.key, rgb, e.key, inkOn(rgb));
  }
  return css;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t value = 0;
    const std::size_t length = characterAt(text, at, value);
    if (length == 0) {
      out += "\uFFFD";
      ++at;
      continue;
    }
    switch (value) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out.append(text, at, length);
    }
    at += length;
  }
  return out;
}

int columnsOf(const std::string& text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t value = 0;
    const std::size_t length = characterAt(text, at, value);
    columns += length > 0 && isWide(value) ? 2 : 1;
    at += length > 0 ? length : 1;
  }
  return columns;
}

std::string cut(const std::string& text, int columns) {
  if (columnsOf(text) <= columns) return text;
  std::string out;
  int taken = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t value = 0;
    const std::size_t length = std::max<std::size_t>(1, characterAt(text, at, value));
    taken += isWide(value) ? 2 : 1;
    if (taken >= columns) break;
    out.append(text, at, length);
    at += length;
  }
  return out + "…";
}

void Svg::rect(double x, double y, double width, double height, const std::string& classes, double radius,
               double opacity) {
  body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}")", classes, number(x), number(y),
                       number(width), number(height));
  if (radius > 0) body_ += fmt::format(R"( rx="{}")", number(radius));
  if (opacity < 1) body_ += fmt::format(R"( fill-opacity="{}")", number(opacity));
  body_ += "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& classes, double width,
               const std::string& dash) {
  body_ += fmt::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}" stroke-width="{}")", classes, number(x1),
                       number(y1), number(x2), number(y2), number(width));
  if (!dash.empty()) body_ += fmt::format(R"( stroke-dasharray="{}")", dash);
  body_ += "/>\n";
}

void Svg::circle(double x, double y, double radius, const std::string& classes, const std::string& title,
                 const std::string& attributes) {
  body_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}"{})", classes, number(x), number(y), number(radius),
                       attributes);
  body_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></circle>\n", escaped(title));
}

void Svg::triangle(double x1, double y1, double x2, double y2, double x3, double y3, const std::string& classes) {
  body_ += fmt::format("<polygon class=\"{}\" points=\"{},{} {},{} {},{}\"/>\n", classes, number(x1), number(y1),
                       number(x2), number(y2), number(x3), number(y3));
}

void Svg::text(double x, double y, const std::string& text, const TextStyle& style) {
  static constexpr const char* kAnchors[] = {"", R"( text-anchor="middle")", R"( text-anchor="end")"};
  body_ += fmt::format(R"(<text class="{}{}{}" x="{}" y="{}" font-size="{}"{}>{}</text>)", style.colour,
                       style.code ? " code" : "", style.strong ? " strong" : "", number(x), number(y),
                       number(style.size), kAnchors[static_cast<int>(style.anchor)], escaped(text));
  body_ += "\n";
}

std::string Svg::finish(double width, double height, const std::string& label, bool standalone) const {
  std::string svg;
  if (standalone) svg += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  svg += fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">)",
      escaped(label), number(width), number(height), number(width), number(height));
  svg += "\n";
  if (standalone) {
    svg += "<style>\n" + paletteStyle(true) + "</style>\n";
    svg += fmt::format("<rect class=\"f-bg1\" width=\"{}\" height=\"{}\"/>\n", number(width), number(height));
  }
  return svg + body_ + "</svg>\n";
}

std::string paletteStyle(bool standalone) {
  std::string css;
  if (!standalone) {
    css += ":root{color-scheme:light dark;" + values(Theme::kLight) + "}\n";
    css += "@media screen and (prefers-color-scheme:dark){:root{" + values(Theme::kDark) + "}}\n";
  }
  css += "svg text{font-family:Inter,\"Noto Sans\",\"Noto Sans CJK SC\",\"WenQuanYi Micro Hei\",sans-serif}\n";
  css += "svg text.code{font-family:\"JetBrains Mono\",\"DejaVu Sans Mono\",ui-monospace,monospace;white-space:pre}\n";
  css += "svg text.strong{font-weight:600}\n";
  css += ".none{fill:none}.dashed{stroke-dasharray:5 4}.thick{stroke-width:1.5}\n";
  for (const PaletteEntry& e : notation::palette()) {
    const std::string colour = standalone ? fmt::format("#{:06x}", e.light) : fmt::format("var(--{})", e.key);
    const std::string on = standalone ? inkOn(e.light) : fmt::format("var(--on-{})", e.key);
    css += fmt::format(".f-{0}{{fill:{1}}}.s-{0}{{stroke:{1}}}.i-{0}{{fill:{2}}}\n", e.key, colour, on);
  }
  return css;
}

}  // namespace loom::report
