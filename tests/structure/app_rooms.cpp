#include "tests/structure/app_rooms.h"

#include <algorithm>
#include <array>

namespace loom::structure {
namespace {

// From the bottom up. A room may include itself and every room before it; the session itself alone.
constexpr std::array kOrder = {"text", "words",   "notation",       "session", "view",   "report",  "cli",
                               "ui",   "widgets", "panel contract", "panel",   "window", "pictures"};

int appRankOf(const std::string& room) {
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), room) - kOrder.begin());
}

// "roofline" of app/panels/roofline/page.cpp; empty for other files.
std::string panelOf(const std::string& path) {
  constexpr std::string_view kPanels = "app/panels/";
  const auto end = path.find('/', kPanels.size());
  return path.starts_with(kPanels) && end != std::string::npos ? path.substr(kPanels.size(), end - kPanels.size()) : "";
}

// Performance is made of pages, each in a folder of its own.
bool isPage(const std::string& path) { return path.ends_with("/page.h"); }

}  // namespace

std::string appRoomOf(const std::string& path) {
  if (!path.starts_with("app/")) return "";
  if (path.ends_with("words.h")) return "words";
  if (path == "app/panels/panel.h") return "panel contract";
  if (path == "app/panels/table.cpp") return "";
  if (!panelOf(path).empty()) return path.find("/view/") != std::string::npos ? "view" : "panel";
  const auto end = path.find('/', 4);
  return end == std::string::npos ? "" : path.substr(4, end - 4);
}

std::vector<std::string> upwardIncludes(const SourceFile& file) {
  std::vector<std::string> upward;
  const std::string from = appRoomOf(file.path);
  if (from.empty()) return upward;
  for (const std::string& line : file.lines) {
    constexpr std::string_view kInclude = "#include \"";
    if (!line.starts_with(kInclude)) continue;
    const std::string target = line.substr(kInclude.size(), line.find('"', kInclude.size()) - kInclude.size());
    const std::string to = appRoomOf(target);
    if (to.empty()) continue;
    const bool sideways = from == "panel" && to == "panel" && panelOf(file.path) != panelOf(target) &&
                          !(panelOf(file.path) == "performance" && isPage(target));
    const bool says = from == "session" && to != "session";  // it knows no word
    if (appRankOf(to) > appRankOf(from) || sideways || says) upward.push_back(file.path + " -> " + target);
  }
  return upward;
}

}  // namespace loom::structure
