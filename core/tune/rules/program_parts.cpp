// Which blocks of a program are scheduled together.
#include "core/tune/rules/program_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ir/build.h"
#include "core/tune/rules/contraction.h"

namespace loom::tune {

namespace {

using schedule::State;
using schedule::Tree;

using Buffers = std::set<const ir::BufferNode*>;

// A nest of the program with the one block that it holds.
struct Nest {
  ir::Stmt stmt;
  ir::Block block;
  bool multiplies = false, reduces = false;
  Buffers reads, writes;
};

// The nests of a program one after another; none where it isn't made of them alone.
std::vector<Nest> nestsOf(const State& state) {
  if (state.module().functions.size() != 1) return {};
  const ir::Id root = state.tree().root(0);
  const ir::SeqNode* all = ir::asSeq(state.tree().block(root)->body);
  const std::vector<ir::Id> blocks = state.tree().childBlocks(root);
  if (all == nullptr || all->stmts.size() != blocks.size()) return {};
  std::vector<Nest> nests;
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    const ir::Block block = state.tree().block(blocks[n]);
    const std::vector<ir::Id> loops = state.tree().loopsAbove(blocks[n]);
    if (loops.empty() || !state.tree().childBlocks(blocks[n]).empty()) return {};
    if (all->stmts[n].get() != state.tree().at(loops.front()).stmt.get()) return {};
    Nest nest{all->stmts[n],          block, contractionOf(state, blocks[n]).contraction.has_value(),
              block->init != nullptr, {},    {}};
    for (const ir::BufferRegion& r : block->reads) nest.reads.insert(r.buffer.get());
    for (const ir::BufferRegion& w : block->writes) nest.writes.insert(w.buffer.get());
    nests.push_back(std::move(nest));
  }
  return nests;
}

// Which part each nest belongs to; parts are numbered in program order of the blocks that begin them.
class Partition {
 public:
  explicit Partition(const std::vector<Nest>& nests) : nests_(nests), part_(nests.size(), kNone) {
    for (std::size_t n = 0; n < nests.size(); ++n) place(n);
    for (std::size_t n = nests.size(); n-- > 0;)
      if (part_[n] == kNone) part_[n] = partOfFirstReader(n);
  }

  // Indices of nests by part, those without a nest left out.
  std::vector<std::vector<std::size_t>> parts() const {
    std::map<int, std::vector<std::size_t>> byPart;
    for (std::size_t n = 0; n < part_.size(); ++n) byPart[part_[n]].push_back(n);
    std::vector<std::vector<std::size_t>> all;
    for (auto& [part, members] : byPart) all.push_back(std::move(members));
    return all;
  }

 private:
  static constexpr int kNone = -1;

  // Reductions that are no products stay together as long as no product stands between them. An elementwise block goes
  // with the last part that it reads of; but one that reads two products is by itself, as no primitive computes it
  // where one of them is stored. One that reads parameters alone waits for its reader.
  void place(std::size_t n) {
    const Nest& nest = nests_[n];
    if (nest.multiplies) {
      begin(n, true);
    } else if (nest.reduces) {
      if (multiplies_.empty() || multiplies_.back()) {
        begin(n, false);
      } else {
        part_[n] = int(multiplies_.size()) - 1;
      }
    } else {
      std::set<int> read;
      for (std::size_t before = 0; before < n; ++before)
        if (feeds(before, n) && part_[before] != kNone) read.insert(part_[before]);
      if (read.size() > 1 && multiplies_[std::size_t(*read.rbegin())]) {
        begin(n, false);
      } else if (!read.empty()) {
        part_[n] = *read.rbegin();
      }
    }
  }

  void begin(std::size_t n, bool multiplies) {
    part_[n] = int(multiplies_.size());
    multiplies_.push_back(multiplies);
  }

  bool feeds(std::size_t from, std::size_t to) const {
    return std::ranges::any_of(nests_[from].writes, [&](const auto* b) { return nests_[to].reads.contains(b); });
  }

  int partOfFirstReader(std::size_t n) const {
    for (std::size_t after = n + 1; after < nests_.size(); ++after)
      if (feeds(n, after)) return part_[after];
    return std::max(0, int(multiplies_.size()) - 1);
  }

  const std::vector<Nest>& nests_;
  std::vector<int> part_;
  std::vector<bool> multiplies_;  // by part
};

// The program of some nests: what others read or write, too, are parameters.
std::optional<State> programOf(const State& state, const std::vector<Nest>& nests,
                               const std::vector<std::size_t>& members) {
  Buffers inside, outside;
  for (std::size_t n = 0; n < nests.size(); ++n) {
    Buffers& used = std::ranges::find(members, n) == members.end() ? outside : inside;
    used.insert(nests[n].reads.begin(), nests[n].reads.end());
    used.insert(nests[n].writes.begin(), nests[n].writes.end());
  }
  const ir::Function whole = state.module().functions.front();
  ir::Module module = state.module();
  module.functions.front() = ir::edit(*whole, [&](ir::FunctionNode& f) {
    std::erase_if(f.params, [&](const ir::Parameter& p) { return p.buffer && !inside.contains(p.buffer.get()); });
    f.body = ir::edit(*whole->body, [&](ir::BlockRealizeNode& realize) {
      realize.block = ir::edit(*realize.block, [&](ir::BlockNode& root) {
        std::vector<ir::Buffer> own;
        for (const ir::Buffer& b : root.allocs) {
          if (!inside.contains(b.get())) continue;
          if (outside.contains(b.get())) {
            f.params.push_back({ir::makeVar(b->name, ir::DType::Handle()), b});
          } else {
            own.push_back(b);
          }
        }
        root.allocs = std::move(own);
        std::vector<ir::Stmt> stmts;
        for (std::size_t n : members) stmts.push_back(nests[n].stmt);
        root.body = ir::seq(std::move(stmts));
      });
    });
  });
  auto made = State::create(std::move(module));
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

}  // namespace

std::vector<State> partsOf(const State& state) {
  const std::vector<Nest> nests = nestsOf(state);
  const auto members = Partition(nests).parts();
  if (members.size() < 2) return {state};
  std::vector<State> parts;
  for (const std::vector<std::size_t>& some : members) {
    auto part = programOf(state, nests, some);
    if (!part) return {state};
    parts.push_back(std::move(*part));
  }
  return parts;
}

}  // namespace loom::tune
