#include "app/panels/short_step.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>

namespace loom::panels {

std::string shortStep(const std::string& source) {
  const std::size_t call = source.find("sch.");
  std::string text = call == std::string::npos ? source : source.substr(call + 4);
  for (const char* usual : {", preserve_unit_iters=True", ", preserve_unit_loops=True", ", disable_predication=False",
                            ", index=-1", ", ordered=True"}) {
    if (const std::size_t at = text.find(usual); at != std::string::npos) text.erase(at, std::string(usual).size());
  }
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

std::string fitted(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const float dots = ImGui::CalcTextSize("…").x;
  const char* end = text.c_str();
  ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), std::max(0.0F, width - dots), 0, text.c_str(), nullptr, &end);
  return std::string(text.c_str(), end) + "…";
}

void fittedText(const std::string& text, float width) {
  const std::string shown = fitted(text, width);
  ImGui::TextUnformatted(shown.c_str());
  if (shown != text) ImGui::SetItemTooltip("%s", text.c_str());
}

}  // namespace loom::panels
