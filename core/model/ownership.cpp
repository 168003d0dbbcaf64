#include "core/model/ownership.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <set>

#include "core/device/lane_values.h"
#include "core/ir/visit.h"
#include "core/model/count.h"
#include "core/model/enumerate.h"
#include "core/model/guard_lanes.h"
#include "core/model/mark_set.h"

namespace loom::model {
namespace {

Failure notSeparable(const Access& a, const Message& why) {
  return fail("NotSeparable", message("the index of {} {}", a.buffer->name, why), Forbids::Program);
}

// What remains open of each part of an index: the distinct values it adds. A fixed part adds to `base`.
struct Open {
  std::int64_t base = 0;
  std::vector<std::vector<std::int64_t>> tables;
  bool none = false;  // the guards rule out every choice
};

// Guards that share open variables, or variables that the index joins: they hold or don't for all of these together.
struct GuardGroup {
  std::vector<Guard> guards;
  std::vector<IndexVariable> open;

  bool asks(const IndexVariable& v) const { return std::ranges::find(open, v) != open.end(); }
  void add(const IndexVariable& v) {
    if (!asks(v)) open.push_back(v);
  }
};

const ir::VarNode* varOf(const KernelAccesses& kernel, const IndexVariable& v) {
  return v.axis == Axis::Block    ? kernel.kernel->blockIdx[std::size_t(v.number)].get()
         : v.axis == Axis::Thread ? kernel.kernel->threadIdx[std::size_t(v.number)].get()
                                  : kernel.loops[std::size_t(v.number)].var.get();
}

using Fixed = std::vector<std::pair<const ir::VarNode*, std::int64_t>>;

Fixed fixedBy(const KernelAccesses& kernel, const Chosen& chosen) {
  Fixed values;
  const auto add = [&](Axis axis, const std::map<int, std::int64_t>& fixed) {
    for (const auto& [number, v] : fixed) values.emplace_back(varOf(kernel, {axis, number}), v);
  };
  add(Axis::Block, chosen.block);
  add(Axis::Thread, chosen.thread);
  add(Axis::Loop, chosen.loops);
  return values;
}

bool asksOne(const GuardGroup& group, const JoinedPart& part) {
  return std::ranges::any_of(part.variables, [&](const IndexVariable& v) { return group.asks(v); });
}

// A guard that asks for anything but the access's own variables is in no group: it's taken to hold.
std::vector<GuardGroup> guardGroups(const KernelAccesses& kernel, const Access& a, const Fixed& values,
                                    const std::vector<JoinedPart>& parts) {
  std::vector<GuardGroup> groups;
  for (const Guard& g : a.guards) {
    GuardGroup group{{g}, {}};
    bool known = true;
    ir::forEachExpr(g.condition, [&](const ir::Expr& e) {
      known &= e->kind != ir::ExprKind::Load;
      const ir::VarNode* var = ir::asVar(e);
      if (var == nullptr || std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == var; }))
        return;
      const auto variable = variableOf(kernel, a, var);
      known &= variable.has_value();
      if (variable) group.add(*variable);
    });
    if (!known) continue;
    for (const JoinedPart& part : parts)
      if (asksOne(group, part)) std::ranges::for_each(part.variables, [&](const IndexVariable& v) { group.add(v); });
    auto meets = [&](const GuardGroup& other) {
      return std::ranges::any_of(group.open, [&](const IndexVariable& v) { return other.asks(v); });
    };
    for (auto it = groups.begin(); it != groups.end();) {
      if (!meets(*it)) {
        ++it;
        continue;
      }
      group.guards.insert(group.guards.end(), it->guards.begin(), it->guards.end());
      std::ranges::for_each(it->open, [&](const IndexVariable& v) { group.add(v); });
      it = groups.erase(it);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// The sums of what the group's parts add where its guards hold, ascending; nothing where there are too many values to
// ask. `parts` of the index: those taken into the sums are removed.
std::optional<std::vector<std::int64_t>> guardedSums(const KernelAccesses& kernel, const GuardGroup& group,
                                                     const Fixed& values, std::vector<JoinedPart>& parts) {
  constexpr std::int64_t kMostAsked = 1 << 14;
  std::int64_t count = 1;
  for (const IndexVariable& v : group.open) {
    if (v.extent > kMostAsked / count) return std::nullopt;
    count *= v.extent;
  }
  const auto own = std::ranges::stable_partition(parts, [&](const JoinedPart& p) { return !asksOne(group, p); });
  const std::vector<JoinedPart> taken(own.begin(), own.end());
  parts.erase(own.begin(), own.end());
  // What a variable's value stands for among a part's combinations.
  struct Digit {
    std::size_t variable = 0, part = 0;
    std::int64_t step = 1;
  };
  std::vector<Digit> digits;
  for (std::size_t p = 0; p < taken.size(); ++p) {
    std::int64_t step = 1;
    for (std::size_t v = taken[p].variables.size(); v-- > 0;) {
      const auto at = std::ranges::find(group.open, taken[p].variables[v]) - group.open.begin();
      digits.push_back({std::size_t(at), p, step});
      step *= taken[p].variables[v].extent;
    }
  }
  std::vector<std::int64_t> found;
  GuardLanes guards(group.guards);
  for (const auto& [var, v] : values) guards.program.set(var, v);
  std::vector<std::int64_t> combination(taken.size());
  // As many choices at a time as a warp has lanes.
  for (std::int64_t done = 0; done < count; done += layout::kLanes) {
    std::vector<device::LaneValues> at;
    std::int64_t step = 1;
    for (const IndexVariable& v : group.open) {
      at.push_back(device::digitsFrom(done, count, step, v.extent));
      guards.program.set(varOf(kernel, v), at.back());
      step *= v.extent;
    }
    bool known = true;
    const std::uint32_t active = guards.active(known);
    for (int lane = 0; lane < layout::kLanes && done + lane < count; ++lane) {
      if ((active >> lane & 1) == 0) continue;
      std::ranges::fill(combination, 0);
      for (const Digit& d : digits) combination[d.part] += at[d.variable][lane] * d.step;
      std::int64_t sum = 0;
      for (std::size_t p = 0; p < taken.size(); ++p) sum += taken[p].adds[std::size_t(combination[p])];
      found.push_back(sum);
    }
  }
  return distinctValues(std::move(found));
}

Result<Open> openTables(const KernelAccesses& kernel, const Access& a, const Chosen& chosen) {
  auto separated = separateJoined(kernel, a, chosen);
  if (!separated) return Failure(separated.error());
  Open open;
  open.base = separated->constant;
  auto& tables = open.tables;
  const Fixed values = fixedBy(kernel, chosen);
  for (const GuardGroup& group : guardGroups(kernel, a, values, separated->parts)) {
    auto guarded = guardedSums(kernel, group, values, separated->parts);
    if (!guarded) continue;
    open.none |= guarded->empty();
    tables.push_back(std::move(*guarded));
  }
  if (open.none) return open;
  for (const JoinedPart& p : separated->parts) {
    std::vector<std::int64_t>& distinct = tables.emplace_back(p.adds);
    if (!std::ranges::is_sorted(distinct)) std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  }
  auto span = spanOf(a);
  if (!span) return Failure(span.error());
  tables.push_back(*span);
  // Small tables first keep the sets short as long as possible.
  std::sort(tables.begin(), tables.end(), [](const auto& x, const auto& y) { return x.size() < y.size(); });
  return open;
}

// Elements that are touched: low + i for each i of `marks`.
struct Touched {
  std::int64_t low = 0;
  MarkSet marks;
};

// All sums of one value from each table.
Result<Touched> sums(const Open& open, std::int64_t atMost) {
  if (open.none) return Touched{};
  std::int64_t low = open.base, high = open.base;
  for (const auto& t : open.tables) {
    low += t.front();
    high += t.back();
  }
  if (high - low + 1 > atMost)
    return fail("TooMany", message("its elements lie in a range of {} places, too many to mark each", high - low + 1),
                Forbids::Program);
  Touched touched{low, MarkSet::ofZero()};
  for (std::vector<std::int64_t> offsets : open.tables) {
    const std::int64_t first = offsets.front();
    for (std::int64_t& offset : offsets) offset -= first;
    touched.marks.addEach(offsets);
  }
  return touched;
}

Result<Touched> touchedBy(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                          std::int64_t atMost) {
  auto open = openTables(kernel, access, chosen);
  return open ? sums(*open, atMost) : Result<Touched>(Failure(open.error()));
}

}  // namespace

Result<std::vector<std::int64_t>> spanOf(const Access& a) {
  std::vector<std::int64_t> span;
  if (!a.tile) {
    for (int i = 0; i < a.elements; ++i) span.push_back(i);
    return span;
  }
  if (a.memory == device::Memory::Fragment) return std::vector<std::int64_t>{0};
  std::int64_t leading = ir::constantOr(a.tile->leading, -1);
  if (leading < 0) return notSeparable(a, message("has rows of an unknown distance"));
  for (int r = 0; r < a.tile->rows; ++r)
    for (int c = 0; c < a.tile->columns; ++c) span.push_back(r * leading + c);
  std::sort(span.begin(), span.end());
  return span;
}

void chooseBlock(Chosen& chosen, const device::Kernel& kernel, std::int64_t block) {
  auto at = device::blockAt(kernel, block);
  for (int i = 0; i < 3; ++i) chosen.block[i] = at[std::size_t(i)];
}

void chooseThread(Chosen& chosen, const device::Kernel& k, std::int64_t thread) {
  const auto at = device::placeAt(k.block, thread);
  for (int i = 0; i < 3; ++i) chosen.thread[i] = at[std::size_t(i)];
}

Result<std::vector<std::int64_t>> elementsOf(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                             std::int64_t atMost) {
  auto touched = touchedBy(kernel, access, chosen, atMost);
  if (!touched) return Failure(touched.error());
  std::vector<std::int64_t> out;
  touched->marks.forEach([&](std::int64_t i) { out.push_back(touched->low + i); });
  return out;
}

namespace {

// All sums of one value from each table, as runs; nothing where more than so many would have to be looked at.
std::optional<arith::Runs> runsOfSums(std::int64_t base, std::vector<std::vector<std::int64_t>> values,
                                      std::int64_t atMost) {
  std::vector<arith::Runs> tables;
  for (std::vector<std::int64_t>& table : values) tables.push_back(arith::runsOf(std::move(table)));
  // Those of the smallest steps first, which fill the gaps between runs and leave few of them.
  std::ranges::stable_sort(tables, {},
                           [](const arith::Runs& runs) { return runs.size() < 2 ? 0 : runs[1].first - runs[0].first; });
  arith::Runs touched{{base, 1}};
  for (const arith::Runs& table : tables) {
    if (std::int64_t(table.size()) > atMost / std::int64_t(touched.size())) return std::nullopt;
    touched = arith::sum(touched, table);
  }
  return touched;
}

}  // namespace

Result<arith::Runs> elementRuns(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                std::int64_t atMost) {
  auto open = openTables(kernel, access, chosen);
  if (!open) return Failure(open.error());
  if (open->none) return arith::Runs{};
  if (auto runs = runsOfSums(open->base, std::move(open->tables), atMost)) return std::move(*runs);
  return fail("TooMany", message("its elements lie in more than {} places apart, too many to add up", atMost),
              Forbids::Program);
}

namespace {

// How many sums of one value from each table there are, where the tables count like digits: each step is at least the
// reach of all smaller ones, so that no two sums meet. Nothing where they don't.
std::optional<std::int64_t> countDigits(const std::vector<std::vector<std::int64_t>>& tables) {
  std::vector<const std::vector<std::int64_t>*> order;
  for (const auto& t : tables)
    if (t.size() > 1) order.push_back(&t);
  auto step = [](const std::vector<std::int64_t>* t) {
    std::int64_t least = (*t)[1] - (*t)[0];
    for (std::size_t i = 2; i < t->size(); ++i) least = std::min(least, (*t)[i] - (*t)[i - 1]);
    return least;
  };
  std::sort(order.begin(), order.end(), [&](auto* x, auto* y) { return step(x) < step(y); });
  std::int64_t reach = 0, product = 1;
  bool digits = true;
  for (auto* t : order) {
    digits &= step(t) > reach;
    reach += t->back() - t->front();
    product *= std::int64_t(t->size());
  }
  return digits ? std::optional(product) : std::nullopt;
}

// How many sums of one value from each table there are: by the quickest of three ways that can tell.
Result<std::int64_t> countSums(const Open& open, std::int64_t atMost) {
  constexpr std::int64_t kFewRuns = 1 << 15;  // as quick as a million marks
  if (const auto product = countDigits(open.tables)) return *product;
  if (const auto runs = runsOfSums(open.base, open.tables, kFewRuns)) return arith::sizeOf(*runs);
  auto touched = sums(open, atMost);
  if (!touched) return Failure(touched.error());
  return touched->marks.count();
}

// An access's tables of more than one value, each from 0 on, in order; and what is added to their sums.
struct Shifted {
  std::vector<std::vector<std::int64_t>> tables;
  std::int64_t base = 0;
};

Shifted shifted(Open open) {
  Shifted s{{}, open.base};
  for (std::vector<std::int64_t>& table : open.tables) {
    s.base += table.front();
    if (table.size() == 1) continue;
    const std::int64_t first = table.front();
    for (std::int64_t& value : table) value -= first;
    s.tables.push_back(std::move(table));
  }
  std::ranges::sort(s.tables);
  return s;
}

// What `tables` have beyond `common`, both in order; nothing where that is more than one table, or one is missing.
std::optional<std::vector<std::int64_t>> beyond(const std::vector<std::vector<std::int64_t>>& tables,
                                                const std::vector<std::vector<std::int64_t>>& common) {
  std::vector<std::vector<std::int64_t>> more;
  std::ranges::set_difference(tables, common, std::back_inserter(more));
  if (more.size() > 1 || tables.size() != common.size() + more.size()) return std::nullopt;
  return more.empty() ? std::vector<std::int64_t>{0} : std::move(more.front());
}

// However accesses differ: the runs of each, joined; nothing where there are too many runs.
std::optional<std::int64_t> countJoined(const std::vector<Shifted>& all) {
  constexpr std::int64_t kMostRuns = 1 << 17;
  arith::Runs runs;
  for (const Shifted& s : all) {
    const auto own = runsOfSums(s.base, s.tables, kMostRuns);
    if (!own || std::int64_t(runs.size() + own->size()) > kMostRuns) return std::nullopt;
    runs.insert(runs.end(), own->begin(), own->end());
  }
  return arith::sizeOf(arith::joined(std::move(runs)));
}

Result<std::int64_t> countTogether(const Access& first, std::vector<Open> accesses, std::int64_t atMost) {
  std::vector<Shifted> all;
  for (Open& open : accesses)
    if (!open.none) all.push_back(shifted(std::move(open)));
  if (all.empty()) return 0;
  std::vector<std::vector<std::int64_t>> common = all.front().tables;
  for (const Shifted& s : all) {
    std::vector<std::vector<std::int64_t>> both;
    std::ranges::set_intersection(common, s.tables, std::back_inserter(both));
    common = std::move(both);
  }
  std::set<std::int64_t> places;  // at which what is common begins
  for (const Shifted& s : all) {
    const auto own = beyond(s.tables, common);
    if (!own) {
      if (const auto joined = countJoined(all)) return *joined;
      return notSeparable(first, message("differs in more than one loop from one access to another"));
    }
    for (const std::int64_t value : *own) places.insert(s.base + value);
  }
  std::vector<std::vector<std::int64_t>> tables = common;
  tables.emplace_back(places.begin(), places.end());
  std::ranges::sort(tables, {}, [](const auto& table) { return table.size(); });
  return countSums({0, std::move(tables)}, atMost);
}

}  // namespace

Result<Footprints> footprintsOf(const KernelAccesses& kernel, std::span<const Access* const> accesses,
                                const Chosen& chosen, std::int64_t atMost) {
  Footprints made{{}, 0};
  std::vector<Open> all;
  for (const Access* access : accesses) {
    auto open = openTables(kernel, *access, chosen);
    if (!open) return Failure(open.error());
    const auto own = open->none ? Result<std::int64_t>(0) : countSums(*open, atMost);
    if (!own) return Failure(own.error());
    made.each.push_back(*own);
    all.push_back(std::move(*open));
  }
  const std::int64_t most = all.empty() ? 0 : std::ranges::max(made.each);
  if (std::accumulate(made.each.begin(), made.each.end(), std::int64_t(0)) == most) {
    made.together = most;  // of one access, or of one that alone touches anything
  } else {
    made.together = countTogether(*accesses.front(), std::move(all), atMost);
  }
  return made;
}

Result<std::int64_t> footprint(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                               std::int64_t atMost) {
  auto open = openTables(kernel, access, chosen);
  if (!open) return Failure(open.error());
  return open->none ? Result<std::int64_t>(0) : countSums(*open, atMost);
}

Result<std::int64_t> touchedUnits(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                  int bytesPerUnit, std::int64_t atMost) {
  auto touched = touchedBy(kernel, access, chosen, atMost);
  if (!touched) return Failure(touched.error());
  std::int64_t units = 0, last = -1;
  touched->marks.forEach([&](std::int64_t i) {
    const std::int64_t unit = (touched->low + i) * access.bytes / bytesPerUnit;
    units += unit != last;
    last = unit;
  });
  return units;
}

Result<Owners> ownersOf(const KernelAccesses& kernel, const Access& access, std::int64_t element, std::int64_t atMost) {
  auto separated = separateJoined(kernel, access);
  if (!separated) return Failure(separated.error());
  auto span = spanOf(access);
  if (!span) return Failure(span.error());
  Owners out;
  auto depends = [&](Axis axis, int number) { return separated->dependsOn(axis, number); };
  const device::Kernel& k = *kernel.kernel;
  for (int i = 0; i < 3; ++i) {
    if (!depends(Axis::Block, i)) out.repeated *= double(k.grid[std::size_t(i)]);
    bool warpAxis = access.tile && i == 0;  // a tile's 32 lanes are one owner
    if (!depends(Axis::Thread, i) && !warpAxis) out.repeated *= double(k.block[std::size_t(i)]);
  }
  for (int l : access.loops)
    if (!depends(Axis::Loop, l)) out.repeated *= double(kernel.loops[std::size_t(l)].extent);

  std::vector<JoinedPart> parts = separated->parts;
  std::ranges::stable_sort(
      parts, {}, [](const JoinedPart& p) { return std::pair(p.variables.front().axis, -p.variables.front().number); });
  // Reach of the parts from i on, so that a branch that can't arrive is left at once.
  std::vector<std::int64_t> least(parts.size() + 1, span->front()), most(parts.size() + 1, span->back());
  for (std::size_t i = parts.size(); i-- > 0;) {
    auto [lo, hi] = std::minmax_element(parts[i].adds.begin(), parts[i].adds.end());
    least[i] = least[i + 1] + *lo;
    most[i] = most[i + 1] + *hi;
  }
  Owner owner;
  std::function<void(std::size_t, std::int64_t)> search = [&](std::size_t i, std::int64_t rest) {
    if (!out.complete || rest < least[i] || rest > most[i]) return;
    if (i == parts.size()) {
      if (!std::binary_search(span->begin(), span->end(), rest)) return;
      device::WarpState state;
      for (int axis = 0; axis < 3; ++axis) {
        if (depends(Axis::Block, axis)) state.set(k.blockIdx[std::size_t(axis)].get(), owner.block[std::size_t(axis)]);
        if (depends(Axis::Thread, axis))
          state.set(k.threadIdx[std::size_t(axis)].get(), owner.thread[std::size_t(axis)]);
      }
      for (const auto& [l, v] : owner.loops) state.set(kernel.loops[std::size_t(l)].var.get(), v);
      bool known = true;
      if (!activeLanes(access.guards, state, known)) return;
      if (std::int64_t(out.owners.size()) == atMost) {
        out.complete = false;
      } else {
        out.owners.push_back(owner);
      }
      return;
    }
    const JoinedPart& p = parts[i];
    for (std::size_t v = 0; v < p.adds.size(); ++v) {
      // A branch that can't arrive is left before its owner is written down.
      if (rest - p.adds[v] < least[i + 1] || rest - p.adds[v] > most[i + 1]) continue;
      auto values = std::int64_t(v);
      for (const IndexVariable& variable : p.variables | std::views::reverse) {
        const std::int64_t value = values % variable.extent;
        values /= variable.extent;
        if (variable.axis == Axis::Loop) {
          owner.loops[variable.number] = value;
        } else {
          (variable.axis == Axis::Block ? owner.block : owner.thread)[std::size_t(variable.number)] = value;
        }
      }
      search(i + 1, rest - p.adds[v]);
    }
  };
  search(0, element - separated->constant);
  // Parts that join axes, and axes counted from z down, are searched in an order of their own.
  const auto number = [](const std::array<std::int64_t, 3>& at) { return std::array{at[2], at[1], at[0]}; };
  std::ranges::stable_sort(out.owners, {},
                           [&](const Owner& o) { return std::pair(number(o.block), number(o.thread)); });
  return out;
}

}  // namespace loom::model
