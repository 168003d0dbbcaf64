#include "app/panels/loop_nest/stage_menu.h"

#include <algorithm>
#include <utility>

#include "app/panels/loop_nest/words.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using session::LoopNest;
using session::StagedBody;
using tune::MenuEntry;

namespace {

void add(MenuEntry& entry, const StagedBody& from, const std::optional<StagedBody>& to, const std::string& text) {
  if (to) entry.choices.push_back(session::stageSteps(from, *to, text));
}

void addAsync(const window::Look& look, MenuEntry& entry, const StagedBody& body, int stage) {
  const bool is = body.isAsync(stage);
  add(entry, body, session::withAsync(body, stage, !is), say(look, is ? words::kAsyncOff : words::kAsyncOn, stage));
}

}  // namespace

std::vector<MenuEntry> stageMenu(const window::Look& look, const LoopNest& nest, ir::Id id) {
  std::vector<MenuEntry> menu;
  // The row itself, or the statement of a pipeline that it is in.
  const int row = nest.find(id);
  const bool isLoop = row >= 0 && nest.rows[std::size_t(row)].stages > 0;
  int statementRow = row;
  while (statementRow >= 0 && nest.rows[std::size_t(statementRow)].staged.empty())
    statementRow = nest.rows[std::size_t(statementRow)].parent;
  if (const auto body = session::stagedBodyOf(nest, statementRow)) {
    const auto at = std::ranges::find(body->statements, statementRow, &StagedBody::Statement::row);
    if (at != body->statements.end()) {
      const auto n = std::size_t(at - body->statements.begin());
      const int stage = body->stageOf(*at);
      MenuEntry entry;
      entry.text = say(look, words::kPipelineMenu, stage);
      for (int s = 0; s <= body->stages(); ++s)
        add(entry, *body, session::movedToStage(*body, n, s),
            say(look, s < body->stages() ? words::kToStage : words::kToNewStage, s));
      add(entry, *body, session::movedInOrder(*body, n, true), look.say(words::kEarlier));
      add(entry, *body, session::movedInOrder(*body, n, false), look.say(words::kLater));
      addAsync(look, entry, *body, stage);
      menu.push_back(std::move(entry));
    }
  }
  // A loop of a pipeline that is one itself has the entries of both.
  if (isLoop && nest.rows[std::size_t(row)].staged.empty()) {
    if (const auto body = session::stagedBodyOf(nest, row)) {
      MenuEntry entry;
      entry.text = look.say(words::kPipelineOfLoop);
      for (int s = 0; s < body->stages(); ++s) addAsync(look, entry, *body, s);
      menu.push_back(std::move(entry));
    }
  }
  return menu;
}

}  // namespace loom::panels
