#include "core/document/pointer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace loom::document {
namespace {

constexpr std::string_view kMiddle = "](look:";

// Written once, when the program starts.
std::vector<PointablePanel>& pointable() {
  static std::vector<PointablePanel> panels;
  return panels;
}

constexpr std::array<std::string_view, 7> kPictures = {"grid",     "block", "elements", "lanes",
                                                       "fragment", "banks", "sectors"};
constexpr std::array<std::string_view, 8> kPages = {"steps",  "roofline", "occupancy", "instructions",
                                                    "stalls", "advice",   "compare",   "sizes"};

template <typename Names>
bool isIn(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> parts(std::string_view target) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t slash = target.find('/');
    all.push_back(target.substr(0, slash));
    if (slash == std::string_view::npos) return all;
    target.remove_prefix(slash + 1);
  }
}

bool isPicture(std::string_view target) {
  auto all = parts(target);
  if (all.size() >= 2) {
    if ((all[0] != "read" && all[0] != "write") || all[1].empty()) return false;
    all.erase(all.begin(), all.begin() + 2);
  }
  return all.empty() || (all.size() == 1 && isIn(kPictures, all[0]));
}

Pointer divided(std::string_view where) {
  const std::size_t slash = where.find('/');
  Pointer pointer;
  pointer.panel = where.substr(0, slash);
  if (slash != std::string_view::npos) pointer.target = where.substr(slash + 1);
  return pointer;
}

// What is wrong with it; empty: nothing.
Message problemOf(const Pointer& pointer) {
  if (pointable().empty()) return {};
  const auto panel = std::find_if(pointable().begin(), pointable().end(),
                                  [&](const PointablePanel& p) { return p.id == pointer.panel; });
  if (panel == pointable().end()) return message("there is no panel \"{}\" to point at", pointer.panel);
  if (pointer.target.empty()) return {};
  switch (panel->parts) {
    case PanelParts::kNothing: return message("the panel \"{}\" has nothing in it to point at", pointer.panel);
    case PanelParts::kName: return {};
    case PanelParts::kPicture:
      return isPicture(pointer.target) ? Message() : message("Thread binding has no \"{}\"", pointer.target);
    case PanelParts::kPage:
      return isIn(kPages, pointer.target) ? Message() : message("Performance has no \"{}\"", pointer.target);
  }
  return {};
}

}  // namespace

std::optional<PointerText> pointerAt(std::string_view text) {
  if (text.empty() || text[0] != '[') return std::nullopt;
  const std::size_t middle = text.find(kMiddle);
  if (middle == std::string_view::npos || middle < 2) return std::nullopt;
  PointerText found;
  found.phrase = text.substr(1, middle - 1);
  if (found.phrase.find_first_of("[]\n") != std::string_view::npos) return std::nullopt;
  const std::size_t from = middle + kMiddle.size(), end = text.find(')', from);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view where = text.substr(from, end - from);
  if (where.empty() || where.find('\n') != std::string_view::npos) return std::nullopt;
  found.pointer = divided(where);
  found.length = end + 1;
  return found;
}

std::string withoutPointers(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto pointer = pointerAt(text);
    plain += pointer ? pointer->phrase : text.substr(0, 1);
    text.remove_prefix(pointer ? pointer->length : 1);
  }
  return plain;
}

void setPointablePanels(std::vector<PointablePanel> panels) { pointable() = std::move(panels); }

Result<Pointer> parsePointer(std::string_view where) {
  Pointer pointer = divided(where);
  if (Message what = problemOf(pointer); !what.empty()) return fail("LessonError", std::move(what), Forbids::Input);
  return pointer;
}

std::vector<Pointer> allPlaces() {
  std::vector<Pointer> all;
  auto each = [&](std::string_view panel, const auto& targets) {
    for (const std::string_view target : targets) all.push_back({std::string(panel), std::string(target)});
  };
  for (const PointablePanel& panel : pointable()) {
    switch (panel.parts) {
      case PanelParts::kPicture: each(panel.id, kPictures); break;
      case PanelParts::kPage: each(panel.id, kPages); break;
      case PanelParts::kNothing:
      case PanelParts::kName: all.push_back({std::string(panel.id), ""}); break;
    }
  }
  return all;
}

std::optional<Error> pointerProblem(std::string_view text) {
  const std::string_view all = text;
  auto at = [&](Message what) {
    Error error = fail("LessonError", std::move(what), Forbids::Input).value();
    const std::string_view before = all.substr(0, all.size() - text.size());
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    error.place.line = int(std::count(before.begin(), before.end(), '\n')) + 1;
    error.place.column = int(before.size() - start) + 1;
    error.place.text = all.substr(start, all.find('\n', start) - start);
    return error;
  };
  while (!text.empty()) {
    if (const auto pointer = pointerAt(text)) {
      if (Message what = problemOf(pointer->pointer); !what.empty()) return at(std::move(what));
      text.remove_prefix(pointer->length);
      continue;
    }
    if (text.starts_with(kMiddle)) return at(message("a pointer is written [phrase](look:panel/target), on one line"));
    text.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace loom::document
