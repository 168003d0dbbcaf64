#include "app/ui/short_step.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace loom::panels {

namespace {

std::vector<EllipsizedText>* noted = nullptr;

std::string note(std::string shown, const std::string& whole) {
  if (noted != nullptr && shown != whole) {
    EllipsizedText made{shown, whole};
    if (std::find(noted->begin(), noted->end(), made) == noted->end()) noted->push_back(std::move(made));
  }
  return shown;
}

// "annotate(k, "…stage", [0, 3])": of arguments between the first and the last the one in quotation marks says most,
// and its end tells it from others of a family. Empty where there is none, or no room for some letters of it.
std::string withEndOfKey(const std::string& call, const std::vector<std::size_t>& ends, float width) {
  constexpr std::size_t kFewest = 5;  // letters
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const std::string argument = call.substr(ends[i], ends[i + 1] - ends[i]);  // with the comma before it
    const std::size_t quote = argument.find('"');
    if (quote == std::string::npos || argument.back() != '"') continue;
    for (std::size_t from = quote + 2; from + kFewest < argument.size(); ++from) {
      if ((argument[from] & 0xC0) == 0x80) continue;  // within a character
      const std::string shorter =
          call.substr(0, ends.front()) + ", \"…" + argument.substr(from) + call.substr(ends.back());
      if (ImGui::CalcTextSize(shorter.c_str()).x <= width) return shorter;
    }
  }
  return "";
}

// "reorder(l4, …, l7, l9)", with as many of the last arguments as there is room for; empty where that isn't enough.
std::string withoutMiddle(const std::string& call, float width) {
  const std::size_t open = call.find('(');
  if (open == std::string::npos || call.back() != ')') return "";
  std::vector<std::size_t> ends;  // of arguments, but for the last
  int depth = 0;
  for (std::size_t i = open + 1; i + 1 < call.size(); ++i) {
    depth += call[i] == '[' || call[i] == '(' ? 1 : call[i] == ']' || call[i] == ')' ? -1 : 0;
    if (call[i] == ',' && depth == 0) ends.push_back(i);
  }
  if (const std::string key = ends.empty() ? "" : withEndOfKey(call, ends, width); !key.empty()) return key;
  for (std::size_t last = 1; last < ends.size(); ++last) {
    const std::string shorter = call.substr(0, ends.front()) + ", …" + call.substr(ends[last]);
    if (ImGui::CalcTextSize(shorter.c_str()).x <= width) return shorter;
  }
  return "";
}

}  // namespace

std::vector<EllipsizedText>* noteShortened(std::vector<EllipsizedText>* list) { return std::exchange(noted, list); }

std::string withoutDefaults(std::string line) {
  for (const std::string_view usual : {", preserve_unit_iters=True", ", preserve_unit_loops=True",
                                       ", disable_predication=False", ", index=-1", ", ordered=True"}) {
    if (const std::size_t at = line.find(usual); at != std::string::npos) line.erase(at, usual.size());
  }
  return line;
}

std::string abbreviatedStep(const std::string& source) {
  const std::size_t call = source.find("sch.");
  std::string text = withoutDefaults(call == std::string::npos ? source : source.substr(call + 4));
  for (std::size_t equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals)) {
    std::size_t start = equals;
    while (start > 0 && (std::isalnum(static_cast<unsigned char>(text[start - 1])) != 0 || text[start - 1] == '_')) {
      --start;
    }
    if (start == equals) {
      ++equals;
      continue;
    }
    text.erase(start, equals + 1 - start);
    equals = start;
  }
  return text;
}

std::string ellipsized(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const float dots = ImGui::CalcTextSize("…").x;
  const char* end = text.c_str();
  ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), std::max(0.0F, width - dots), 0, text.c_str(), nullptr, &end);
  return note(std::string(text.c_str(), end) + "…", text);
}

std::string firstCharacter(const std::string& text) {
  std::size_t end = std::min<std::size_t>(1, text.size());
  while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
  return text.substr(0, end);
}

std::vector<std::string> nameLines(const std::string& name, float width, int most) {
  auto widthOf = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  auto divided = [&](bool anywhere, float room) {
    std::vector<std::string> lines(1);
    for (std::size_t from = 0; from < name.size();) {
      const std::size_t part = anywhere ? std::string::npos : name.find_first_of("_.", from);
      std::size_t end = part == std::string::npos ? (anywhere ? from + 1 : name.size()) : part + 1;
      while (anywhere && end < name.size() && (name[end] & 0xC0) == 0x80) ++end;  // within a character
      const std::string piece = name.substr(from, end - from);
      if (!lines.back().empty() && widthOf(lines.back() + piece) > room) lines.emplace_back();
      lines.back() += piece;
      from = end;
    }
    return lines;
  };
  // Within a part only where the part is longer than a line.
  auto partsOrAnywhere = [&] {
    std::vector<std::string> lines;
    for (const std::string& part : divided(false, 0)) {
      if (lines.empty() || widthOf(lines.back() + part) > width) lines.emplace_back();
      for (std::size_t from = 0; from < part.size();) {
        const std::string character = firstCharacter(part.substr(from));
        if (!lines.back().empty() && widthOf(lines.back() + character) > width) lines.emplace_back();
        lines.back() += character;
        from += character.size();
      }
    }
    return lines;
  };
  auto fits = [&](const std::vector<std::string>& lines) {
    return int(lines.size()) <= most &&
           std::all_of(lines.begin(), lines.end(), [&](const std::string& l) { return widthOf(l) <= width; });
  };
  auto lines = divided(false, width);
  if (fits(lines)) {
    // As many lines with as even ends as there are: no letter stands alone.
    auto widest = [&](const std::vector<std::string>& of) {
      float most = 0;
      for (const std::string& line : of) most = std::max(most, widthOf(line));
      return most;
    };
    for (;;) {
      auto evener = divided(false, widest(lines) - 1);
      if (evener.size() != lines.size() || !fits(evener) || widest(evener) >= widest(lines)) break;
      lines = std::move(evener);
    }
    return lines;
  }
  const auto anywhere = divided(true, width);
  lines = fits(anywhere) ? anywhere : partsOrAnywhere();
  while (int(lines.size()) > std::max(1, most)) {
    lines[lines.size() - 2] += lines.back();
    lines.pop_back();
  }
  lines.back() = ellipsized(lines.back(), width);
  return lines;
}

std::string fittedAround(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  if (const std::string shorter = withoutMiddle(text, width); !shorter.empty()) return note(shorter, text);
  const auto room = int((width - ImGui::CalcTextSize("…").x) / std::max(1.0F, ImGui::CalcTextSize("0").x));
  const int size = int(text.size()), tail = room * 2 / 5, head = room - tail;
  const bool ascii = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
  if (!ascii || tail < 4 || head + tail >= size) return ellipsized(text, width);
  return note(text.substr(0, std::size_t(head)) + "…" + text.substr(std::size_t(size - tail)), text);
}

void fittedText(const std::string& text, float width) {
  const std::string shown = ellipsized(text, width);
  ImGui::TextUnformatted(shown.c_str());
  if (shown == text || !ImGui::BeginItemTooltip()) return;
  constexpr float kWide = 34;  // times the height of its letters
  ImGui::PushTextWrapPos(kWide * ImGui::GetFontSize());
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace loom::panels
