#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/notation/palette.h"
#include "app/panels/stalls/view/stalls.h"

namespace loom::window {
struct Look;
}
namespace loom::workbench {
struct MachineText;
}

namespace loom::panels {

/// The colour of a reason: of the memory or the unit that is waited for, where there is one.
notation::Tone toneOf(profile::StallReason reason);
/// "long scoreboard 41 %, barrier 22 %, …": the stalls with the most samples, and their shares of all.
std::string stallsText(const profile::StallCount& stalls, std::size_t most);

/// A column beside code: which share of a kernel's samples stands before each line, and why.
struct StallColumn {
  std::vector<profile::StallCount> lines;  ///< by line of the code
  std::int64_t total = 0, most = 0;        ///< samples of the kernel, and of one line
};
StallColumn stallColumn(const workbench::MachineText& sass, const workbench::StallView& view);
/// `lines`: of the CUDA text.
StallColumn stallColumn(std::size_t lines, const workbench::StallView& view);

/// In the code face, as the columns of machine_margin.h.
float stallColumnWidth(const window::Look& look);
void drawStallLine(const window::Look& look, const StallColumn& column, std::size_t line, ImVec2 at, float height);
void drawStallHead(const window::Look& look, ImVec2 at);
/// In words, for a line's hover; empty where it has no samples.
std::string stallTip(const window::Look& look, const StallColumn& column, std::size_t line);

}  // namespace loom::panels
