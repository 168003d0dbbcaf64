#include "app/panels/thread_binding/view/statement.h"

#include <algorithm>
#include <charconv>

namespace loom::session {

namespace {

AccessingThreads marksOf(const model::ElementThreads& owners, const BindingChoice& choice, bool tile) {
  AccessingThreads marks;
  auto add = [](std::vector<std::int64_t>& to, std::int64_t number) {
    if (to.empty() || to.back() != number) to.push_back(number);
  };
  for (const model::AccessingThread& owner : owners.all) {
    add(marks.blocks, owner.block);
    if (owner.block != choice.block) continue;
    add(marks.warps, owner.thread / layout::kLanes);
    if (!tile && owner.thread / layout::kLanes == choice.thread / layout::kLanes)
      marks.lanes |= std::uint32_t{1} << owner.thread % layout::kLanes;
  }
  return marks;
}

// Of each buffer and direction one: a statement reads X[i, k] and X[i + 1, k] as two accesses.
std::vector<StatementBuffer> othersOf(const ThreadBinding& binding, const BindingChoice& choice) {
  const auto& all = binding.accesses().accesses;
  std::vector<StatementBuffer> found;
  if (all.empty()) return found;
  const model::Access& chosen = all[std::size_t(choice.access)];
  auto isAlike = [](const model::Access& a, const model::Access& b) {
    return a.buffer == b.buffer && a.write == b.write;
  };
  for (int i = 0; i < int(all.size()); ++i) {
    const model::Access& access = all[std::size_t(i)];
    if (access.block != chosen.block || isAlike(access, chosen)) continue;
    if (std::any_of(found.begin(), found.end(),
                    [&](const StatementBuffer& f) { return isAlike(all[std::size_t(f.access)], access); }))
      continue;
    BindingChoice same = choice;
    same.access = i;
    BindingView view = binding.view(binding.clamped(std::move(same)));
    if (view.unknown) continue;
    found.push_back({i, view.shape, view.blockElements, view.warpElements, view.laneElements, std::move(view.touched)});
  }
  return found;
}

}  // namespace

std::optional<BoundStatement::Element> elementFrom(std::string_view text, const BufferRows& shape) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      if (std::string_view("[]() ,;\t").find(text[i]) == std::string_view::npos) return std::nullopt;
      ++i;
      continue;
    }
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (end.ec != std::errc()) return std::nullopt;
    numbers.push_back(number);
    i = std::size_t(end.ptr - text.data());
  }
  if (numbers.size() != 2 || numbers[0] >= shape.rows || numbers[1] >= shape.columns) return std::nullopt;
  return BoundStatement::Element{numbers[0], numbers[1]};
}

bool hasThreads(const Program& program) {
  const device::Program* statements = program.kernel.statements();
  return statements && !statements->kernels.empty();
}

std::shared_ptr<const ThreadBinding> bindingOf(const std::shared_ptr<const Program>& program) {
  if (!program || !hasThreads(*program)) return nullptr;
  return std::make_shared<const ThreadBinding>(
      std::shared_ptr<const device::Program>(program, program->kernel.statements()));
}

void BoundStatement::work() {
  view = binding->view(choice);
  buffers = othersOf(*binding, choice);
  owners.reset();
  marks = {};
  if (element) owners = binding->owners(choice, element->first, element->second);
  if (owners && *owners)
    marks = marksOf(**owners, choice, binding->accesses().accesses[std::size_t(choice.access)].tile.has_value());
  touches.reset();
  if (countedBy)
    touches = touchView(binding->accesses(), view.shape, choice.access, *countedBy, choice.block, choice.thread);
  againstView.reset();
  if (!against || binding->accesses().accesses.empty()) return;
  if (!againstBinding) againstBinding = bindingOf(against);
  if (!againstBinding) return;
  const model::Access& access = binding->accesses().accesses[std::size_t(choice.access)];
  BindingChoice same = choice;
  same.loops.clear();
  same.access = againstBinding->find(access.blockName, access.buffer->name, access.write);
  if (same.access >= 0) againstView = againstBinding->view(againstBinding->clamped(std::move(same)));
}

}  // namespace loom::session
