#include "app/cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "app/notation/columns.h"

namespace loom::cli {

namespace {

// What would move the cursor or ring the bell of a terminal becomes a blank.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }, ' ');
  return text;
}

constexpr std::array<std::string_view, 13> kInput = {
    "ParseError",  "NameError",    "AttributeError",  "NoSuchFile",   "CantRead",  "TooLarge", "NewerVersion",
    "LessonError", "NoSuchTarget", "DeviceFileError", "NoSuchDevice", "OtherCode", "RuleError"};
constexpr std::array<std::string_view, 18> kDevice = {
    "NoDriver",    "NoDevice",   "NoWorker",    "NoNvrtc",        "NoCudaHeaders", "CompileError",
    "NoNvdisasm",  "NoCublasLt", "OutOfMemory", "DeviceError",    "LaunchError",   "NoVendorKernel",
    "NotMeasured", "NoProfiler", "NoCounters",  "ProfilerFailed", "NotSampled",    "OldArchitecture"};
// A worker that talks nonsense is as good as lost.
constexpr std::array<std::string_view, 5> kDeadline = {"Timeout", "WorkerLost", "Cancelled", "ProtocolError",
                                                       "WorkerError"};

template <std::size_t n>
bool among(const std::array<std::string_view, n>& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

ExitStatus report(const Error& e) {
  if (e.code == "NoAssets" || among(kInput, e.code)) {
    toStderr("{}{}", e.place.file.empty() ? "tileloom: " : "", describePlace(e));
    return ExitStatus::kUnreadable;
  }
  std::string line = e.place.line > 0 ? fmt::format(" line {}", e.place.line) : "";
  toStderr("error[{}]{}: {}\n", e.code, line, shortened(e.message));
  // A document's step has no line number; the line itself says which it is.
  if (e.place.line == 0 && !e.place.text.empty()) toStderr("    {}\n", shortened(e.place.text, 200));
  if (!e.remedy.empty() && !e.primitive.empty()) {
    toStderr("  this works:\n");
    const std::string& lines = e.remedy.english();
    for (std::size_t from = 0; from < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', from), lines.size());
      toStderr("    {}\n", shortened(lines.substr(from, end - from), 200));
      from = end + 1;
    }
  } else if (!e.remedy.empty()) {
    toStderr("  this would help: {}\n", e.remedy);
  }
  if (among(kDevice, e.code)) return ExitStatus::kNoDevice;
  if (among(kDeadline, e.code)) return ExitStatus::kDeadline;
  if (e.code == "WrongResult") return ExitStatus::kWrong;
  if (e.code == "NoDisplay") return ExitStatus::kNoDisplay;
  if (e.code == "CantWrite") return ExitStatus::kCannotWrite;
  return ExitStatus::kRefused;
}

namespace {
void sayOnStderr(const char* kind, const std::string& text) {
  std::string line = shortened(text);
  std::replace(line.begin(), line.end(), '\n', ' ');  // a name may have any character
  toStderr("{}: {}\n", kind, line);
}
}  // namespace

void note(const std::string& text) { sayOnStderr("note", text); }
void warn(const std::string& text) { sayOnStderr("warning", text); }

void flushResults() {
  errno = 0;
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

void printJson(const nlohmann::ordered_json& object) {
  fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string shortened(const std::string& text, std::size_t most) {
  std::string part = text.size() <= most ? text : text.substr(0, notation::characterFrom(text, most)) + "…";
  return printable(std::move(part));
}

std::string describePlace(const Error& error) {
  constexpr std::size_t kBefore = 70, kShown = 110;  // bytes of a long line
  const Place& place = error.place;
  std::string text = notation::placeText(place);
  text += fmt::format("{}{}\n", text.empty() ? "" : ": ", shortened(error.message));
  if (place.text.empty()) return text;
  std::size_t column = std::min(place.column > 0 ? std::size_t(place.column) - 1 : 0, place.text.size());
  std::size_t from =
      column > kBefore && place.text.size() > kShown ? notation::characterFrom(place.text, column - kBefore) : 0;
  std::size_t to = notation::characterFrom(place.text, std::max(from + kShown, column));
  std::string excerpt = from > 0 ? "…" : "";
  excerpt += place.text.substr(from, to - from) + (to < place.text.size() ? "…" : "");
  text += fmt::format("    {}\n", printable(std::move(excerpt)));
  if (place.column > 0) {
    const int width = notation::columnsOf(std::string_view(place.text).substr(from, column - from));
    text += fmt::format("    {}^\n", std::string(std::size_t(width) + (from > 0), ' '));
  }
  return text;
}

}  // namespace loom::cli
