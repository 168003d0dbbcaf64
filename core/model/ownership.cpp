#include "core/model/ownership.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>

#include "core/device/lane_values.h"
#include "core/ir/visit.h"
#include "core/model/count.h"
#include "core/model/enumerate.h"
#include "core/model/mark_set.h"

namespace loom::model {
namespace {

constexpr std::int64_t kMostValues = 1 << 22;  // of one variable: each is evaluated

Failure notSeparable(const Access& a, const Message& why) {
  return fail("NotSeparable", message("the index of {} {}", a.buffer->name, why), Forbids::Program);
}

struct Source {
  Axis axis;
  int number;
  std::int64_t extent;
};

std::optional<Source> sourceOf(const KernelAccesses& k, const Access& a, const ir::VarNode* var) {
  for (int i = 0; i < 3; ++i) {
    if (k.kernel->blockIdx[std::size_t(i)].get() == var) return Source{Axis::Block, i, k.kernel->grid[std::size_t(i)]};
    if (k.kernel->threadIdx[std::size_t(i)].get() == var)
      return Source{Axis::Thread, i, k.kernel->block[std::size_t(i)]};
  }
  for (int l : a.loops)
    if (k.loops[std::size_t(l)].var.get() == var) return Source{Axis::Loop, l, k.loops[std::size_t(l)].extent};
  return std::nullopt;
}

// The values of an expression while its only variable takes so many from `first` on; nothing for what isn't arithmetic
// on integers. `var` is null where the expression has none.
std::optional<std::vector<std::int64_t>> valuesOf(const ir::Expr& e, const ir::VarNode* var, std::int64_t first,
                                                  std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  if (ir::asVar(e) != nullptr) {
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  device::WarpState state;
  // As many at a time as a warp has lanes; lanes beyond the last value have that once more.
  for (std::int64_t done = 0; done < count; done += layout::kLanes) {
    device::LaneValues some(first + done);
    if (count > 1) {
      some.uniform = false;
      for (int lane = 0; lane < layout::kLanes; ++lane)
        some.each[std::size_t(lane)] = first + std::min(done + lane, count - 1);
    }
    if (var != nullptr) state.set(var, some);
    const auto made = state.evaluate(e);
    if (!made) return std::nullopt;
    for (std::int64_t v = done; v < std::min(done + layout::kLanes, count); ++v)
      values[std::size_t(v)] = (*made)[int(v - done)];
  }
  return values;
}

// The one value that `chosen` fixes for the variable, or nothing.
std::optional<std::int64_t> fixed(const Source& s, const Chosen& c) {
  const auto& map = s.axis == Axis::Block ? c.block : s.axis == Axis::Thread ? c.thread : c.loops;
  auto at = map.find(s.number);
  return at == map.end() ? std::nullopt : std::optional(at->second);
}

// What remains open of each part of an index: the distinct values it adds. A fixed part adds to `base`.
struct Open {
  std::int64_t base = 0;
  std::vector<std::vector<std::int64_t>> tables;
  bool none = false;  // the guards rule out every choice
};

// Guards that share open variables: they hold or don't for all of these together.
struct GuardGroup {
  std::vector<Guard> guards;
  std::map<const ir::VarNode*, Source> open;
};

using Fixed = std::vector<std::pair<const ir::VarNode*, std::int64_t>>;

Fixed fixedBy(const KernelAccesses& kernel, const Chosen& chosen) {
  Fixed values;
  for (const auto& [axis, v] : chosen.block) values.emplace_back(kernel.kernel->blockIdx[std::size_t(axis)].get(), v);
  for (const auto& [axis, v] : chosen.thread) values.emplace_back(kernel.kernel->threadIdx[std::size_t(axis)].get(), v);
  for (const auto& [loop, v] : chosen.loops) values.emplace_back(kernel.loops[std::size_t(loop)].var.get(), v);
  return values;
}

// A guard that asks for anything but the access's own variables is in no group: it's taken to hold.
std::vector<GuardGroup> guardGroups(const KernelAccesses& kernel, const Access& a, const Fixed& values) {
  std::vector<GuardGroup> groups;
  for (const Guard& g : a.guards) {
    GuardGroup group{{g}, {}};
    bool known = true;
    ir::forEachExpr(g.condition, [&](const ir::Expr& e) {
      known &= e->kind != ir::ExprKind::Load;
      const ir::VarNode* var = ir::asVar(e);
      if (var == nullptr || std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == var; }))
        return;
      const auto source = sourceOf(kernel, a, var);
      known &= source.has_value();
      if (source) group.open.emplace(var, *source);
    });
    if (!known) continue;
    auto meets = [&](const GuardGroup& other) {
      return std::any_of(group.open.begin(), group.open.end(),
                         [&](const auto& v) { return other.open.contains(v.first); });
    };
    for (auto it = groups.begin(); it != groups.end();) {
      if (!meets(*it)) {
        ++it;
        continue;
      }
      group.guards.insert(group.guards.end(), it->guards.begin(), it->guards.end());
      group.open.insert(it->open.begin(), it->open.end());
      it = groups.erase(it);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// The sums of what the group's parts add where its guards hold, ascending; nothing where there are too many values to
// ask. `parts` of the index: those taken into the sums are removed.
std::optional<std::vector<std::int64_t>> guardedSums(const GuardGroup& group, const Fixed& values,
                                                     std::vector<Part>& parts) {
  constexpr std::int64_t kMostAsked = 1 << 14;
  std::int64_t count = 1;
  for (const auto& [var, source] : group.open) {
    if (source.extent > kMostAsked / count) return std::nullopt;
    count *= source.extent;
  }
  struct Digit {
    const ir::VarNode* var;
    std::int64_t extent;
    std::vector<std::int64_t> adds;  // empty: the index doesn't depend on it
  };
  std::vector<Digit> digits;
  for (const auto& [var, source] : group.open) {
    digits.push_back({var, source.extent, {}});
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&, s = source](const Part& p) { return p.axis == s.axis && p.number == s.number; });
    if (part == parts.end()) continue;
    digits.back().adds = std::move(part->adds);
    parts.erase(part);
  }
  std::set<std::int64_t> found;
  device::WarpState state;
  for (const auto& [var, v] : values) state.set(var, v);
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t rest = n, sum = 0;
    for (const Digit& d : digits) {
      const std::int64_t v = rest % d.extent;
      rest /= d.extent;
      state.set(d.var, v);
      if (!d.adds.empty()) sum += d.adds[std::size_t(v)];
    }
    bool known = true;
    if (activeLanes(group.guards, state, known) != 0) found.insert(sum);
  }
  return std::vector<std::int64_t>(found.begin(), found.end());
}

Result<Open> openTables(const KernelAccesses& kernel, const Access& a, const Chosen& chosen) {
  auto separated = separate(kernel, a, chosen);
  if (!separated) return Failure(separated.error());
  Open open;
  open.base = separated->constant;
  auto& tables = open.tables;
  const Fixed values = fixedBy(kernel, chosen);
  for (const GuardGroup& group : guardGroups(kernel, a, values)) {
    auto guarded = guardedSums(group, values, separated->parts);
    if (!guarded) continue;
    open.none |= guarded->empty();
    tables.push_back(std::move(*guarded));
  }
  if (open.none) return open;
  for (const Part& p : separated->parts) {
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

Result<SeparatedIndex> separate(const KernelAccesses& kernel, const Access& a, const Chosen& chosen) {
  SeparatedIndex s;
  for (const Term& t : termsOf(a.index)) {
    if (!t.atom) {
      s.constant += t.coefficient;
      continue;
    }
    const ir::VarNode* var = nullptr;
    bool several = false, reads = false;
    ir::forEachExpr(t.atom, [&](const ir::Expr& e) {
      reads |= e->kind == ir::ExprKind::Load;
      if (auto* v = ir::asVar(e)) {
        several |= var && v != var;
        var = v;
      }
    });
    if (reads) return notSeparable(a, message("reads memory"));
    if (several)
      return notSeparable(a, message("takes two variables together in one term, as a quotient of their sum does"));
    auto source = var ? sourceOf(kernel, a, var) : std::nullopt;
    if (var && !source) return notSeparable(a, message("depends on {}, which is no loop", var->name));
    if (source && source->extent > kMostValues)
      return fail("TooMany", message("{} takes {} values", var->name, source->extent), Forbids::Program);
    const auto value = source ? fixed(*source, chosen) : std::nullopt;
    if (value && (*value < 0 || *value >= source->extent))
      return fail("InvalidArgument", message("{} lies outside 0 … {}", *value, source->extent - 1), Forbids::Input);
    auto values = valuesOf(t.atom, var, value.value_or(0), source && !value ? source->extent : 1);
    if (!values) return notSeparable(a, message("has a term that isn't arithmetic on integers"));
    Part part{source ? source->axis : Axis::Loop, source ? source->number : -1, std::move(*values)};
    for (std::int64_t& adds : part.adds) adds *= t.coefficient;
    if (!source || value) {
      s.constant += part.adds[0];
      continue;
    }
    auto same = std::find_if(s.parts.begin(), s.parts.end(),
                             [&](const Part& p) { return p.axis == part.axis && p.number == part.number; });
    if (same == s.parts.end()) {
      s.parts.push_back(std::move(part));
    } else {
      for (std::size_t i = 0; i < part.adds.size(); ++i) same->adds[i] += part.adds[i];
    }
  }
  return s;
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

}  // namespace

Result<std::int64_t> footprintTogether(const KernelAccesses& kernel, std::span<const Access* const> accesses,
                                       const Chosen& chosen, std::int64_t atMost) {
  std::vector<Shifted> all;
  for (const Access* access : accesses) {
    auto open = openTables(kernel, *access, chosen);
    if (!open) return Failure(open.error());
    if (!open->none) all.push_back(shifted(std::move(*open)));
  }
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
    if (!own)
      return notSeparable(*accesses.front(), message("differs in more than one loop from one access to another"));
    for (const std::int64_t value : *own) places.insert(s.base + value);
  }
  std::vector<std::vector<std::int64_t>> tables = common;
  tables.emplace_back(places.begin(), places.end());
  if (const auto count = countDigits(tables)) return *count;
  std::ranges::sort(tables, {}, [](const auto& table) { return table.size(); });
  auto touched = sums({0, std::move(tables)}, atMost);
  if (!touched) return Failure(touched.error());
  return touched->marks.count();
}

Result<std::int64_t> footprint(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                               std::int64_t atMost) {
  auto open = openTables(kernel, access, chosen);
  if (!open) return Failure(open.error());
  if (open->none) return 0;
  if (const auto product = countDigits(open->tables)) return *product;
  auto touched = sums(*open, atMost);
  if (!touched) return Failure(touched.error());
  return touched->marks.count();
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
  auto separated = separate(kernel, access);
  if (!separated) return Failure(separated.error());
  auto span = spanOf(access);
  if (!span) return Failure(span.error());
  Owners out;
  auto depends = [&](Axis axis, int number) {
    return std::any_of(separated->parts.begin(), separated->parts.end(),
                       [&](const Part& p) { return p.axis == axis && p.number == number; });
  };
  const device::Kernel& k = *kernel.kernel;
  for (int i = 0; i < 3; ++i) {
    if (!depends(Axis::Block, i)) out.repeated *= double(k.grid[std::size_t(i)]);
    bool warpAxis = access.tile && i == 0;  // a tile's 32 lanes are one owner
    if (!depends(Axis::Thread, i) && !warpAxis) out.repeated *= double(k.block[std::size_t(i)]);
  }
  for (int l : access.loops)
    if (!depends(Axis::Loop, l)) out.repeated *= double(kernel.loops[std::size_t(l)].extent);

  std::vector<Part> parts = separated->parts;
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::pair(a.axis, -a.number) < std::pair(b.axis, -b.number);
  });
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
    const Part& p = parts[i];
    for (std::size_t v = 0; v < p.adds.size(); ++v) {
      if (p.axis == Axis::Loop) {
        owner.loops[p.number] = std::int64_t(v);
      } else {
        (p.axis == Axis::Block ? owner.block : owner.thread)[std::size_t(p.number)] = std::int64_t(v);
      }
      search(i + 1, rest - p.adds[v]);
    }
  };
  search(0, element - separated->constant);
  return out;
}

}  // namespace loom::model
