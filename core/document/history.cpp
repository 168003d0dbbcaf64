#include "core/document/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/schedule/remedy.h"
#include "core/schedule/trace.h"

namespace loom::document {

using schedule::State;

double Node::milliseconds() const {
  double sum = 0;
  for (const Line& l : lines) sum += l.milliseconds;
  return sum;
}

Result<History> History::create(const ir::Module& module) {
  auto state = State::create(module);
  if (!state) return Failure(state.error());
  History h;
  h.nodes_.emplace_back(*state, std::make_shared<script::Script>(script::print(module)));
  return h;
}

int History::addChild(int parent, Node node) {
  int index = int(nodes_.size());
  node.parent = parent;
  node.number = nodes_[std::size_t(parent)].number + 1;
  nodes_.push_back(std::move(node));
  nodes_[std::size_t(parent)].children.push_back(index);
  return index;
}

Result<History::Applied> History::apply(int at, std::string_view text, const schedule::Environment& environment,
                                        std::string_view file) {
  auto calls = script::parseSchedule(text, file);
  if (!calls) return Failure(calls.error());
  Applied result;
  result.node = at;
  State state = node(at).state;
  std::vector<Line> pending;
  for (auto next = calls->begin(); next != calls->end();) {
    // The same lines taken again from the same state lead to the state that is there.
    if (pending.empty() && node(result.node).trailing.empty()) {
      const auto isSame = [](const Line& line, const script::StepCall& c) { return line.source == c.source; };
      const auto& children = node(result.node).children;
      auto same = std::find_if(children.begin(), children.end(), [&](int child) {
        const Node& n = node(child);
        return !n.broken && !n.lines.empty() && std::ptrdiff_t(n.lines.size()) <= calls->end() - next &&
               std::equal(n.lines.begin(), n.lines.end(), next, isSame);
      });
      if (same != children.end()) {
        next += std::ptrdiff_t(node(*same).lines.size());
        result.node = *same;
        reveal(*same);
        state = node(*same).state;
        continue;
      }
    }
    const script::StepCall& call = *next++;
    std::uint32_t uid = nextUid_++;
    auto applied = schedule::apply(state, uid, call, environment);
    if (!applied) {
      result.refusal = schedule::withRemedy(applied.error(), state, call, environment);
      if (result.refusal->place.line == 0) result.refusal->place = call.place;
      break;
    }
    // A draw is kept with what was drawn, so that it stays when steps before it change. Drawn again at the same state,
    // it is another one, as long as there are others.
    auto told = applied->decision ? schedule::decided(call, *applied->decision) : std::nullopt;
    if (told) {
      const auto drawnBefore = [&] {
        std::vector<Line> lines = pending;
        lines.push_back({uid, told->source, 0});
        return childWith(result.node, lines);
      };
      constexpr int kDraws = 100;
      int same = drawnBefore();
      State from = state;
      for (int draw = 1; same >= 0 && draw < kDraws && applied->next.chance() != from.chance(); ++draw) {
        from = from.drawingFrom(applied->next.chance());
        auto again = schedule::apply(from, uid, call, environment);
        if (!again) break;  // it was accepted, and a draw changes nothing of that
        applied = std::move(again);
        told = schedule::decided(call, *applied->decision);
        same = drawnBefore();
      }
      if (same >= 0) {
        pending.clear();
        result.node = same;
        reveal(same);
        state = node(same).state;
        continue;
      }
    }
    state = applied->next;
    pending.push_back({uid, told ? told->source : call.source, applied->milliseconds});
    auto script = std::make_shared<script::Script>(script::print(state.module()));
    const bool decides = schedule::isSampling(call);
    if (!decides && script->text == node(result.node).script->text) continue;
    // So does a step in other words that gives nothing a name: the block by its name, and not by a handle.
    if (pending.size() == 1 && call.targets.empty() && !decides) {
      const auto& children = node(result.node).children;
      const auto same = std::find_if(children.begin(), children.end(), [&](int child) {
        const Node& n = node(child);
        return !n.broken && n.lines.size() == 1 && n.trailing.empty() && n.script->text == script->text;
      });
      if (same != children.end()) {
        pending.clear();
        result.node = *same;
        reveal(*same);
        state = node(*same).state;
        continue;
      }
    }
    Node made(state, std::move(script));
    made.lines = std::move(pending);
    pending.clear();
    result.node = addChild(result.node, std::move(made));
    ++result.made;
  }
  if (!pending.empty()) {
    Node& n = nodes_[std::size_t(result.node)];
    n.trailing.insert(n.trailing.end(), pending.begin(), pending.end());
    n.state = state;
  }
  current_ = result.node;
  return result;
}

Result<schedule::Applied> History::preview(int at, std::string_view line,
                                           const schedule::Environment& environment) const {
  auto calls = script::parseSchedule(line, "");
  if (!calls) return Failure(calls.error());
  if (calls->empty()) return fail("ParseError", message("no step"), Forbids::Input);
  Result<schedule::Applied> last = fail("ParseError", message("no step"), Forbids::Input);
  State state = node(at).state;
  double milliseconds = 0;
  for (const script::StepCall& call : *calls) {
    last = schedule::apply(state, nextUid_, call, environment);
    if (!last) return last;
    milliseconds += last->milliseconds;
    state = last->next;
  }
  last->milliseconds = milliseconds;
  return last;
}

std::vector<int> History::path(int index) const {
  std::vector<int> nodes;
  for (int at = index; at >= 0; at = node(at).parent) nodes.push_back(at);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

bool History::isBroken(int index) const {
  const std::vector<int> way = path(index);
  return std::any_of(way.begin(), way.end(), [&](int at) { return node(at).broken; });
}

bool History::isHidden(int index) const {
  const std::vector<int> way = path(index);
  return std::any_of(way.begin(), way.end(), [&](int at) { return node(at).deleted; });
}

std::vector<bool> History::hidden() const {
  std::vector<bool> hidden;
  for (const Node& n : nodes_) {  // parents come before their children
    hidden.push_back(n.deleted || (n.parent >= 0 && hidden[std::size_t(n.parent)]));
  }
  return hidden;
}

std::string History::schedule(int index) const {
  std::string text;
  std::vector<int> nodes = path(index);
  for (int at : nodes) {
    for (const Line& l : node(at).lines) text += l.source + "\n";
    for (const Line& l : node(at).trailing) text += l.source + "\n";
  }
  return text;
}

std::string History::describe(int index, ir::Id id) const {
  const schedule::Origin* origin = node(index).state.origin(id);
  if (!origin) return "";
  for (int at : path(index)) {
    for (const Line& l : node(at).lines) {
      if (l.uid == origin->step) return fmt::format("{}, step {}", origin->primitive, node(at).number);
    }
  }
  return std::string(origin->primitive);
}

Result<void> History::run(std::vector<Line>& lines, State& state, const schedule::Environment& environment) {
  for (Line& l : lines) {
    auto calls = script::parseSchedule(l.source, "");
    if (!calls) return Failure(calls.error());
    if (calls->size() != 1) return fail("ParseError", message("one step line is expected"), Forbids::Input);
    auto applied = schedule::apply(state, l.uid, calls->front(), environment);
    if (!applied) {
      Error e = applied.error();
      if (e.place.text.empty()) e.place.text = l.source;
      return Failure(std::move(e));
    }
    l.milliseconds = applied->milliseconds;
    if (const auto told = applied->decision ? schedule::decided(calls->front(), *applied->decision) : std::nullopt)
      l.source = told->source;
    state = applied->next;
  }
  return {};
}

int History::childWith(int parent, const std::vector<Line>& lines) const {
  const auto isSame = [](const Line& a, const Line& b) { return a.source == b.source; };
  for (int child : node(parent).children) {
    const Node& n = node(child);
    if (!n.broken && std::equal(n.lines.begin(), n.lines.end(), lines.begin(), lines.end(), isSame)) return child;
  }
  return -1;
}

namespace {
Result<std::vector<Line>> linesWith(const std::vector<std::string>& sources, const std::vector<std::uint32_t>& uids) {
  if (sources.size() != uids.size())
    return fail("ParseError", message("a document's lines and uids differ in number"), Forbids::Input);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    // 0 is the function's own; the last ones are left for new steps.
    if (uids[i] == 0 || uids[i] > 0x7fffffff)
      return fail("ParseError", message("a document's uid is out of range"), Forbids::Input);
    lines.push_back({uids[i], sources[i], 0});
  }
  return lines;
}
}  // namespace

// Two steps with one uid would make two things with one id.
Result<void> History::claim(const std::vector<Line>& lines) {
  for (const Line& l : lines) {
    if (!uids_.insert(l.uid).second) {
      return fail("ParseError", message("two steps of a document have the uid {}", l.uid), Forbids::Input);
    }
    nextUid_ = std::max(nextUid_, l.uid + 1);
  }
  return {};
}

Result<int> History::restoreStep(int parent, const std::vector<std::string>& sources,
                                 const std::vector<std::uint32_t>& uids, const schedule::Environment& environment) {
  auto lines = linesWith(sources, uids);
  if (!lines) return Failure(lines.error());
  if (lines->empty()) return fail("ParseError", message("a document's node has no step"), Forbids::Input);
  State state = node(parent).state;
  if (auto unique = claim(*lines); !unique) return Failure(unique.error());
  if (auto done = run(*lines, state, environment); !done) return Failure(done.error());
  Node made(state, std::make_shared<script::Script>(script::print(state.module())));
  made.lines = std::move(*lines);
  return addChild(parent, std::move(made));
}

Result<void> History::restoreTrailing(int at, const std::vector<std::string>& sources,
                                      const std::vector<std::uint32_t>& uids,
                                      const schedule::Environment& environment) {
  auto lines = linesWith(sources, uids);
  if (!lines) return Failure(lines.error());
  Node& n = nodes_.at(std::size_t(at));
  State state = n.state;
  if (auto unique = claim(*lines); !unique) return unique;
  if (auto done = run(*lines, state, environment); !done) return done;
  n.trailing = std::move(*lines);
  n.state = state;
  return {};
}

void History::reserve(const std::vector<std::uint32_t>& uids) {
  for (std::uint32_t uid : uids) {
    uids_.insert(uid);
    if (uid <= 0x7fffffff) nextUid_ = std::max(nextUid_, uid + 1);
  }
}

void History::remove(int index) {
  if (index <= 0) return;
  nodes_.at(std::size_t(index)).deleted = true;
  std::vector<int> inside = path(current_);
  if (std::find(inside.begin(), inside.end(), index) != inside.end()) current_ = node(index).parent;
}

void History::reveal(int index) {
  bool below = false;  // a deleted node
  const std::vector<int> way = path(index);
  for (std::size_t i = 0; i < way.size(); ++i) {
    Node& n = nodes_[std::size_t(way[i])];
    below |= std::exchange(n.deleted, false);
    if (!below) continue;
    for (int child : n.children)
      if (i + 1 == way.size() || child != way[i + 1]) nodes_[std::size_t(child)].deleted = true;
  }
}

std::vector<int> History::removed() const {
  std::vector<int> nodes;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].deleted) nodes.push_back(int(i));
  return nodes;
}

void History::setRemoved(const std::vector<int>& nodes) {
  for (Node& n : nodes_) n.deleted = false;
  for (int at : nodes) nodes_.at(std::size_t(at)).deleted = true;
}

std::vector<int> History::statesFrom(int index) const {
  std::vector<int> states, open{index};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (node(at).deleted) continue;
    states.push_back(at);
    open.insert(open.end(), node(at).children.begin(), node(at).children.end());
  }
  return states;
}

int History::firstChild(int index) const {
  const std::vector<int>& children = node(index).children;
  const auto first = std::find_if(children.begin(), children.end(), [&](int child) { return !node(child).deleted; });
  return first == children.end() ? -1 : *first;
}

void History::foldSteps(int at, int last, int made, const FoldTitles& titles) {
  if (made < 2 || titles.title.empty()) return;
  const int outer = int(folds_.size());
  folds_.push_back({titles.title, -1});
  std::vector<int> states = path(last);
  std::size_t position = 0;  // of a state's last line among all that were applied
  std::size_t part = 0, partEnd = titles.parts.empty() ? 0 : std::size_t(titles.parts[0].lines);
  std::vector<std::vector<int>> inParts(titles.parts.size());
  for (auto state = std::find(states.begin(), states.end(), at) + 1; state != states.end(); ++state) {
    position += node(*state).lines.size();
    while (part < titles.parts.size() && position > partEnd && ++part < titles.parts.size())
      partEnd += std::size_t(titles.parts[part].lines);
    if (states.end() - state > made) continue;  // it was there before
    nodes_[std::size_t(*state)].fold = outer;
    if (part < titles.parts.size()) inParts[part].push_back(*state);
  }
  for (std::size_t p = 0; p < inParts.size(); ++p) {
    // One that holds all states would say twice what the outer one says.
    if (inParts[p].size() < 2 || int(inParts[p].size()) == made || titles.parts[p].title.empty()) continue;
    for (int state : inParts[p]) nodes_[std::size_t(state)].fold = int(folds_.size());
    folds_.push_back({titles.parts[p].title, outer});
  }
}

std::vector<int> History::foldsAround(int index) const {
  std::vector<int> folds;
  for (int fold = node(index).fold; fold >= 0; fold = folds_.at(std::size_t(fold)).outer) folds.push_back(fold);
  std::reverse(folds.begin(), folds.end());
  return folds;
}

Result<History::Edited> History::edit(int index, std::string_view line,
                                      const schedule::Environment& environment) const {
  if (index <= 0) return fail("ValueError", message("the start has no step to edit"), Forbids::Input);
  Edited result{*this, index, {}, 0};
  History& h = result.history;
  // States are recomputed in place: indices, names and notes stay.
  for (std::size_t i = std::size_t(index); i < nodes_.size(); ++i) {
    Node& n = h.nodes_[i];
    bool affected = int(i) == index;
    for (int at = n.parent; at > 0 && !affected; at = nodes_[std::size_t(at)].parent) affected = at == index;
    if (!affected) continue;
    if (int(i) != index && h.node(n.parent).broken) {
      n.deleted = n.broken = true;
      continue;
    }
    if (int(i) == index) n.lines.back().source = std::string(line);
    State state = h.node(n.parent).state;
    auto done = run(n.lines, state, environment);
    if (done) done = run(n.trailing, state, environment);
    if (!done) {
      if (int(i) == index) return Failure(done.error());
      result.broken.push_back({int(i), done.error()});
      n.deleted = n.broken = true;
      continue;
    }
    if (std::exchange(n.broken, false)) n.deleted = false;
    auto script = std::make_shared<script::Script>(script::print(state.module()));
    if (script->text != n.script->text) ++result.changed;
    n.state = state;
    n.script = std::move(script);
  }
  if (h.node(h.current_).broken) h.current_ = index;
  return result;
}

}  // namespace loom::document
