#include "app/session/unheeded.h"

#include <algorithm>

#include "core/lower/annotations.h"

namespace loom::workbench {

std::vector<device::Remark> unheededIn(const document::KernelText& kernel) {
  if (kernel.program) return kernel.program->remarks;
  if (!kernel.function) return {};
  return lower::remarksOnAnnotations(kernel.function->body);
}

std::vector<std::vector<std::string>> unheededByLine(const std::vector<device::Remark>& remarks,
                                                     const std::vector<std::string>& lines,
                                                     const std::vector<std::vector<ir::Id>>& ids) {
  std::vector<std::vector<std::string>> all(remarks.empty() ? 0 : lines.size());
  for (const device::Remark& remark : remarks) {
    const std::size_t from = remark.text.find('"'),
                      to = from == std::string::npos ? from : remark.text.find('"', from + 1);
    const std::string quoted = to == std::string::npos ? "" : remark.text.substr(from, to + 1 - from);
    for (ir::Id subject : remark.subjects) {
      std::size_t at = lines.size();
      for (std::size_t i = 0; i < lines.size() && i < ids.size(); ++i) {
        if (std::find(ids[i].begin(), ids[i].end(), subject) == ids[i].end()) continue;
        const bool named = !quoted.empty() && lines[i].find(quoted) != std::string::npos;
        if (at == lines.size() || named) at = i;
        if (named || quoted.empty()) break;
      }
      if (at == lines.size()) continue;
      if (std::find(all[at].begin(), all[at].end(), remark.text) == all[at].end()) all[at].push_back(remark.text);
    }
  }
  return all;
}

}  // namespace loom::workbench
