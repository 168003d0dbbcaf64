#include "core/model/reuse.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/ir/visit.h"
#include "core/model/count.h"

namespace loom::model {
namespace {

using Table = std::vector<std::int64_t>;
using Position = std::array<std::int64_t, 3>;

Failure tooMany(Message what) { return fail("TooMany", std::move(what)); }

std::set<const ir::VarNode*> varsOf(const std::vector<Guard>& guards) {
  std::set<const ir::VarNode*> vars;
  for (const Guard& g : guards) {
    ir::forEachExpr(g.condition, [&](const ir::Expr& e) {
      if (const auto* var = ir::asVar(e)) vars.insert(var);
    });
  }
  return vars;
}

// The threads of the scope: one per warp for a tile, which is its warp's.
std::vector<std::int64_t> threadsOf(const device::Kernel& kernel, const Access& a, Scope scope, std::int64_t thread) {
  const std::int64_t all = kernel.threads(), warp = thread / layout::kLanes * layout::kLanes;
  const std::int64_t from = scope == Scope::Lane ? thread : scope == Scope::Warp ? warp : 0;
  const std::int64_t to = scope == Scope::Lane   ? thread + 1
                          : scope == Scope::Warp ? std::min(warp + layout::kLanes, all)
                                                 : all;
  std::vector<std::int64_t> threads;
  for (std::int64_t t = from; t < to; ++t) {
    if (!a.tile || t == from || t % layout::kLanes == 0) threads.push_back(t);
  }
  return threads;
}

// An index taken apart for a scope.
struct Apart {
  const KernelAccesses* kernel = nullptr;
  const Access* access = nullptr;
  std::int64_t constant = 0;
  std::map<int, Table> loops, blocks;  // what each loop, and each axis of an open grid, adds; by its number
  std::map<int, Table> threadAxes;
  Table span;
  std::vector<std::int64_t> threads;
  std::optional<std::int64_t> block;  // none: the whole grid

  Position axesOf(std::int64_t thread) const {
    const auto& b = kernel->kernel->block;
    return {thread % b[0], thread / b[0] % b[1], thread / b[0] / b[1]};
  }
  std::int64_t offsetOf(std::int64_t thread) const {
    const Position at = axesOf(thread);
    std::int64_t sum = 0;
    for (const auto& [axis, adds] : threadAxes) sum += adds[std::size_t(at[std::size_t(axis)])];
    return sum;
  }
};

Result<Apart> takenApart(const KernelAccesses& kernel, const Access& access, Scope scope, std::int64_t block,
                         std::int64_t thread) {
  auto separated = separate(kernel, access);
  if (!separated) return Failure(separated.error());
  auto span = spanOf(access);
  if (!span) return Failure(span.error());
  Apart apart;
  apart.kernel = &kernel;
  apart.access = &access;
  apart.constant = separated->constant;
  apart.span = std::move(*span);
  apart.threads = threadsOf(*kernel.kernel, access, scope, thread);
  if (scope != Scope::Grid) apart.block = block;
  const Position at = device::blockAt(*kernel.kernel, block);
  for (Part& part : separated->parts) {
    if (part.axis == Axis::Thread) {
      apart.threadAxes[part.number] = std::move(part.adds);
    } else if (part.axis == Axis::Loop) {
      apart.loops[part.number] = std::move(part.adds);
    } else if (scope == Scope::Grid) {
      apart.blocks[part.number] = std::move(part.adds);
    } else {
      apart.constant += part.adds[std::size_t(at[std::size_t(part.number)])];
    }
  }
  return apart;
}

// Lanes that work under the same conditions: what their threads add, and the offsets at which they do.
struct Group {
  Table threads;
  Table bases;
};

// A variable around the statement that a condition depends on, other than the thread's.
struct Asked {
  const ir::VarNode* var = nullptr;
  std::int64_t extent = 1;
  const Table* adds = nullptr;  // null: the index doesn't depend on it
};

struct Grouped {
  std::vector<Group> groups;
  std::set<int> loops, blocks;  // that are in the groups' bases
  bool upperBound = false;
};

// Threads by the conditions that hold for them, at each value of the variables that these depend on.
Result<Grouped> grouped(const Apart& apart, std::int64_t atMost) {
  const KernelAccesses& k = *apart.kernel;
  const device::Kernel& kernel = *k.kernel;
  const Access& a = *apart.access;
  Grouped made;
  const auto vars = varsOf(a.guards);
  std::vector<Asked> asked;
  std::int64_t combinations = 1;
  auto ask = [&](const ir::VarNode* var, std::int64_t extent, const std::map<int, Table>& parts, int number) {
    auto part = parts.find(number);
    asked.push_back({var, extent, part == parts.end() ? nullptr : &part->second});
    combinations = combinations > atMost ? combinations : combinations * extent;
  };
  for (int l : a.loops) {
    const LoopInfo& loop = k.loops[std::size_t(l)];
    made.upperBound |= !loop.constant;
    if (vars.count(loop.var.get()) == 0) continue;
    made.loops.insert(l);
    ask(loop.var.get(), loop.extent, apart.loops, l);
  }
  for (int i = 0; i < 3 && !apart.block; ++i) {
    if (vars.count(kernel.blockIdx[std::size_t(i)].get()) == 0) continue;
    made.blocks.insert(i);
    ask(kernel.blockIdx[std::size_t(i)].get(), kernel.grid[std::size_t(i)], apart.blocks, i);
  }
  std::map<std::int64_t, std::vector<std::int64_t>> warps;
  for (std::int64_t t : apart.threads) warps[t / layout::kLanes].push_back(t);
  if (combinations * std::int64_t(warps.size()) > atMost / 16)
    return tooMany(message("the conditions have {} cases", combinations * std::int64_t(warps.size())));
  std::map<std::vector<std::uint32_t>, Group> groups;  // by the lanes of each warp
  for (std::int64_t i = 0; i < combinations; ++i) {
    std::int64_t rest = i, base = 0;
    std::vector<std::uint32_t> lanes;
    std::vector<std::pair<const ir::VarNode*, std::int64_t>> values;
    for (const Asked& v : asked) {
      values.emplace_back(v.var, rest % v.extent);
      if (v.adds) base += (*v.adds)[std::size_t(rest % v.extent)];
      rest /= v.extent;
    }
    bool any = a.guards.empty();
    for (const auto& [warp, threads] : warps) {
      device::WarpState state;
      state.place(kernel, apart.block.value_or(0), int(warp));
      for (const auto& [var, value] : values) state.set(var, value);
      bool known = true;
      const std::uint32_t active = a.guards.empty() ? 0xffffffff : activeLanes(a.guards, state, known);
      made.upperBound |= !known;
      lanes.push_back(active);
      any |= active != 0;
    }
    if (!any) continue;
    Group& group = groups[lanes];
    if (group.bases.empty()) {
      std::size_t w = 0;
      for (const auto& [warp, threads] : warps) {
        for (std::int64_t t : threads) {
          // A tile's warp takes part with any of its lanes.
          if (a.tile ? lanes[w] != 0 : (lanes[w] >> (t % layout::kLanes) & 1) != 0)
            group.threads.push_back(apart.offsetOf(t));
        }
        ++w;
      }
    }
    group.bases.push_back(base);
  }
  for (auto& [lanes, group] : groups) made.groups.push_back(std::move(group));
  return made;
}

std::pair<std::int64_t, std::int64_t> reach(const Table& t) {
  const auto [low, high] = std::minmax_element(t.begin(), t.end());
  return {*low, *high};
}

// The counts moved by every sum of one value of each table. Tables of short reach first: what is added up stays short
// as long as possible.
Result<Counts> spread(Counts now, std::vector<const Table*> tables, std::int64_t atMost) {
  auto width = [](const Table* t) { return reach(*t).second - reach(*t).first; };
  std::sort(tables.begin(), tables.end(), [&](const Table* a, const Table* b) { return width(a) < width(b); });
  std::int64_t places = std::int64_t(now.of.size());
  for (const Table* t : tables) places += width(t);
  if (places > atMost) return tooMany(message("its elements lie in a range of {} places, too many to mark each", places));
  for (const Table* t : tables) {
    const auto [low, high] = reach(*t);
    std::map<std::int64_t, std::uint32_t> often;  // lanes that touch the same are added up at once
    for (std::int64_t v : *t) ++often[v - low];
    std::vector<std::uint32_t> next(now.of.size() + std::size_t(high - low));
    for (const auto& [shift, n] : often) {
      std::uint32_t* to = next.data() + shift;
      for (std::size_t i = 0; i < now.of.size(); ++i) to[i] += n * now.of[i];
    }
    now.low += low;
    now.of = std::move(next);
  }
  return now;
}

Result<Counts> sums(std::vector<const Table*> tables, std::int64_t base, std::int64_t atMost) {
  return spread({base, {1}}, std::move(tables), atMost);
}

void makeOnce(Counts& counts) {
  for (std::uint32_t& n : counts.of) n = n != 0;
}

// `times` the counts of `more`, added in.
void addTo(Counts& into, const Counts& more, std::uint32_t times) {
  if (more.of.empty()) return;
  if (into.of.empty()) into.low = more.low;
  if (more.low < into.low) {
    into.of.insert(into.of.begin(), std::size_t(into.low - more.low), 0);
    into.low = more.low;
  }
  const std::size_t from = std::size_t(more.low - into.low);
  into.of.resize(std::max(into.of.size(), from + more.of.size()));
  for (std::size_t i = 0; i < more.of.size(); ++i) into.of[from + i] += times * more.of[i];
}

std::int64_t elements(const Counts& counts) {
  return std::int64_t(counts.of.size()) - std::count(counts.of.begin(), counts.of.end(), 0u);
}

// Adds one statement's touches and moments.
Result<void> add(Touches& into, const Apart& apart, std::int64_t atMost) {
  const KernelAccesses& k = *apart.kernel;
  auto groups = grouped(apart, atMost);
  if (!groups) return Failure(groups.error());
  into.upperBound |= groups->upperBound;
  std::vector<const Table*> open;
  double repeats = 1;  // by variables that neither the index nor a condition depends on
  for (int l : apart.access->loops) {
    if (groups->loops.count(l) != 0) continue;
    auto part = apart.loops.find(l);
    if (part == apart.loops.end()) {
      repeats *= double(k.loops[std::size_t(l)].extent);
    } else {
      open.push_back(&part->second);
    }
  }
  for (int i = 0; i < 3 && !apart.block; ++i) {
    if (groups->blocks.count(i) != 0) continue;
    auto part = apart.blocks.find(i);
    if (part == apart.blocks.end()) {
      repeats *= double(k.kernel->grid[std::size_t(i)]);
    } else {
      open.push_back(&part->second);
    }
  }
  if (repeats > 1e9) return tooMany(message("an element is touched {:.3g} times", repeats));
  for (const Group& group : groups->groups) {
    if (group.threads.empty()) continue;
    std::vector<const Table*> lanes{&group.threads, &apart.span}, all = open;
    all.push_back(&group.bases);
    auto once = sums(lanes, apart.constant, atMost);
    if (!once) return Failure(once.error());
    makeOnce(*once);
    auto times = spread(*once, all, atMost);
    if (!times) return Failure(times.error());
    addTo(into.times, *times, std::uint32_t(repeats));
    all.insert(all.end(), lanes.begin(), lanes.end());
    auto touches = sums(all, apart.constant, atMost);
    if (!touches) return Failure(touches.error());
    addTo(into.touches, *touches, std::uint32_t(repeats));
  }
  return {};
}

// The distinct elements of the statement while the loops before position `from` stand still.
Result<Counts> within(const Apart& apart, const Table& threads, std::size_t from, std::int64_t atMost) {
  std::vector<const Table*> tables{&threads, &apart.span};
  const auto& loops = apart.access->loops;
  for (std::size_t i = from; i < loops.size(); ++i) {
    if (auto part = apart.loops.find(loops[i]); part != apart.loops.end()) tables.push_back(&part->second);
  }
  auto made = sums(tables, apart.constant, atMost);
  if (made) makeOnce(*made);
  return made;
}

// Threads whose conditions hold as far as thread and block decide them.
Table workingThreads(const Apart& apart) {
  Table offsets;
  const Access& a = *apart.access;
  for (std::int64_t t : apart.threads) {
    device::WarpState state;
    state.place(*apart.kernel->kernel, apart.block.value_or(0), int(t / layout::kLanes));
    bool known = true;
    const std::uint32_t active = a.guards.empty() ? 0xffffffff : activeLanes(a.guards, state, known);
    if (a.tile ? active != 0 : (active >> (t % layout::kLanes) & 1) != 0) offsets.push_back(apart.offsetOf(t));
  }
  return offsets;
}

// Distinct bytes that the scope touches in the memory of `access` in one iteration of the loop.
std::optional<double> bytesInIteration(const KernelAccesses& kernel, const Access& access, int loop, Scope scope,
                                       std::int64_t block, std::int64_t thread, std::int64_t atMost) {
  std::map<const ir::BufferNode*, Counts> touched;
  std::map<const ir::BufferNode*, int> width;
  for (const Access& a : kernel.accesses) {
    const bool same = a.memory == access.memory || (isShared(a.memory) && isShared(access.memory));
    const auto at = std::find(a.loops.begin(), a.loops.end(), loop);
    if (!same || at == a.loops.end()) continue;
    auto apart = takenApart(kernel, a, scope, block, thread);
    if (!apart) return std::nullopt;
    const Table threads = workingThreads(*apart);
    if (threads.empty()) continue;
    auto set = within(*apart, threads, std::size_t(at - a.loops.begin()) + 1, atMost);
    if (!set) return std::nullopt;
    addTo(touched[a.buffer.get()], *set, 1);
    width[a.buffer.get()] = a.bytes;
  }
  double bytes = 0;
  for (const auto& [buffer, counts] : touched) bytes += double(elements(counts)) * width[buffer];
  return bytes;
}

bool meets(const Counts& set, std::int64_t shift) {
  const std::int64_t size = std::int64_t(set.of.size());
  for (std::int64_t i = std::max<std::int64_t>(0, -shift); i < size && i + shift < size; ++i)
    if (set.of[std::size_t(i)] != 0 && set.of[std::size_t(i + shift)] != 0) return true;
  return false;
}

}  // namespace

std::vector<int> statementsLike(const KernelAccesses& kernel, int statement) {
  const Access& like = kernel.accesses[std::size_t(statement)];
  std::vector<int> all;
  for (std::size_t i = 0; i < kernel.accesses.size(); ++i) {
    const Access& a = kernel.accesses[i];
    if (a.buffer == like.buffer && a.write == like.write) all.push_back(int(i));
  }
  return all;
}

Result<Touches> touchesOf(const KernelAccesses& kernel, const std::vector<int>& statements, Scope scope,
                          std::int64_t block, std::int64_t thread, std::int64_t atMost) {
  Touches made;
  for (int s : statements) {
    auto apart = takenApart(kernel, kernel.accesses[std::size_t(s)], scope, block, thread);
    if (!apart) return Failure(apart.error());
    if (auto added = add(made, *apart, atMost); !added) return Failure(added.error());
  }
  for (std::uint32_t n : made.touches.of) made.total += n;
  for (std::uint32_t n : made.times.of) {
    if (n == 0) continue;
    made.moments += n;
    ++made.distinct;
    made.least = made.least == 0 ? n : std::min(made.least, n);
    made.most = std::max(made.most, n);
  }
  return made;
}

Result<std::vector<Reuse>> reuseOf(const KernelAccesses& kernel, int statement, Scope scope, std::int64_t block,
                                   std::int64_t thread, std::int64_t atMost) {
  std::vector<Reuse> levels;
  if (scope == Scope::Grid) return levels;
  const Access& a = kernel.accesses[std::size_t(statement)];
  auto apart = takenApart(kernel, a, scope, block, thread);
  if (!apart) return Failure(apart.error());
  const Table threads = workingThreads(*apart);
  if (threads.empty()) return levels;
  double runs = 1;  // of the loops around
  auto outer = within(*apart, threads, 0, atMost);
  if (!outer) return Failure(outer.error());
  for (std::size_t i = 0; i < a.loops.size(); ++i) {
    const double extent = double(kernel.loops[std::size_t(a.loops[i])].extent);
    auto inner = within(*apart, threads, i + 1, atMost);
    if (!inner) return Failure(inner.error());
    const double again = (extent * double(elements(*inner)) - double(elements(*outer))) * runs;
    if (again > 0) {
      Reuse level{a.loops[i], again, std::nullopt};
      const auto part = apart->loops.find(a.loops[i]);
      const bool next = part == apart->loops.end() || meets(*inner, part->second[1] - part->second[0]);
      if (next) {
        level.between = bytesInIteration(kernel, a, a.loops[i], scope, block, thread, atMost);
        if (level.between) *level.between -= a.bytes;
      }
      levels.push_back(level);
    }
    runs *= extent;
    outer = std::move(inner);
  }
  return levels;
}

}  // namespace loom::model
