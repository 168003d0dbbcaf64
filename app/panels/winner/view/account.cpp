#include "app/panels/winner/view/account.h"

#include <algorithm>
#include <cmath>

#include "app/session/state_model.h"

namespace loom::session {

namespace {

using Kind = ComparedFigure::Kind;

constexpr double kLeastShare = 0.1;      // of a kernel's time: a pipe with less of it accounts for none
constexpr double kLeastMove = 1 / 30.0;  // of the time
constexpr double kLeastRatio = 1.1;
constexpr double kLeastProducts = 2;  // percent of the time
constexpr std::size_t kMostPipes = 2, kMostCounts = 5;

bool isPartOfTime(const ComparedFigure& f) { return f.label != model::kColdMemory; }

// Rates and intensities follow from the others.
bool accounts(const ComparedFigure& f) {
  switch (f.kind) {
    case Kind::kPredicted:
    case Kind::kClock:
    case Kind::kProducts:
    case Kind::kLaunch:
    case Kind::kBlocks:
    case Kind::kThreads:
    case Kind::kRegisters:
    case Kind::kSpills:
    case Kind::kShared:
    case Kind::kOccupancy:
    case Kind::kBlocksFit:
    case Kind::kWaves:
    case Kind::kTraffic:
    case Kind::kConflicts:
    case Kind::kInstructions: return true;
    case Kind::kPipe: return isPartOfTime(f);
    default: return false;
  }
}

// Conflicts as written only where those of the machine code aren't known.
std::vector<ComparedFigure> accountingOf(const StateModel& model) {
  std::vector<ComparedFigure> figures;
  std::ranges::copy_if(performanceOf(model).figures, std::back_inserter(figures), accounts);
  // Where one kernel is at the power limit, it counts that another isn't.
  if (const auto* estimate = model.estimate(); estimate != nullptr && !estimate->powerBound && estimate->megahertz > 0)
    figures.push_back({Kind::kClock, "", estimate->megahertz, {}});
  const bool areCompiled = std::ranges::any_of(
      figures, [](const ComparedFigure& f) { return f.kind == Kind::kConflicts && f.label == "as compiled"; });
  if (areCompiled)
    std::erase_if(figures,
                  [](const ComparedFigure& f) { return f.kind == Kind::kConflicts && f.label != "as compiled"; });
  return figures;
}

bool isCount(Kind kind) { return kind > Kind::kLaunch; }

// What a kernel has none of is no figure of it; other figures are missing where they aren't known.
bool isNoneIfMissing(Kind kind) { return kind == Kind::kTraffic || kind == Kind::kConflicts || kind == Kind::kSpills; }

bool tells(const AccountRow& row, const std::vector<AccountRow>& rows) {
  const auto largest = [](const AccountRow& r) {
    double most = 0;
    for (const auto& value : r.values) most = std::max(most, value.value_or(0));
    return most;
  };
  if (row.kind == Kind::kSpills || row.kind == Kind::kConflicts) return largest(row) > 0;
  if ((row.kind == Kind::kTraffic || row.kind == Kind::kClock) && row.values.size() > 1)
    return std::ranges::any_of(row.values, [&](const auto& value) { return value != row.values.front(); });
  if (row.kind != Kind::kPipe) return true;
  const auto whole = std::ranges::find(rows, Kind::kPredicted, &AccountRow::kind);
  for (std::size_t n = 0; whole != rows.end() && n < row.values.size(); ++n)
    if (row.values[n].value_or(0) >= kLeastShare * whole->values[n].value_or(0) && row.values[n]) return true;
  return false;
}

double moved(const ComparedRow& row) { return std::abs(row.after.value_or(0) - row.before.value_or(0)); }

// How many times as much, whichever has more; what only one has counts as much more.
double ratioOf(const ComparedRow& row) {
  const double a = row.before.value_or(0), b = row.after.value_or(0);
  if (a <= 0 && b <= 0) return 1;
  return a <= 0 || b <= 0 ? HUGE_VAL : std::max(a / b, b / a);
}

// Whether blocks take another number of turns on the multiprocessors: one more, and most of them may idle during it.
bool isOtherTurns(const ComparedRow& row) {
  return row.kind == Kind::kWaves && std::ceil(row.before.value_or(0)) != std::ceil(row.after.value_or(0));
}

// The counts among the figures of two kernels that moved, those that moved most first.
std::vector<ComparedRow> countsAmong(const std::vector<ComparedRow>& rows) {
  std::vector<ComparedRow> counts;
  for (ComparedRow row : rows) {
    if (!isCount(row.kind)) continue;
    if (isNoneIfMissing(row.kind)) row.before = row.before.value_or(0), row.after = row.after.value_or(0);
    if (row.before && row.after && ratioOf(row) >= kLeastRatio) counts.push_back(std::move(row));
  }
  std::ranges::stable_sort(counts, std::greater(),
                           [](const ComparedRow& row) { return std::pair(isOtherTurns(row), ratioOf(row)); });
  return counts;
}

}  // namespace

std::vector<AccountRow> accountOf(const std::vector<const StateModel*>& models) {
  std::vector<AccountRow> rows;
  for (std::size_t n = 0; n < models.size(); ++n) {
    if (models[n] == nullptr) continue;
    for (const ComparedFigure& f : accountingOf(*models[n])) {
      auto row =
          std::ranges::find_if(rows, [&](const AccountRow& r) { return r.kind == f.kind && r.label == f.label; });
      if (row == rows.end()) row = rows.insert(rows.end(), {f.kind, f.label, {}});
      row->values.resize(models.size());
      row->values[n] = f.value;
    }
  }
  std::ranges::stable_sort(rows, {}, &AccountRow::kind);
  std::vector<AccountRow> told;
  std::ranges::copy_if(rows, std::back_inserter(told), [&](const AccountRow& row) { return tells(row, rows); });
  return told;
}

std::vector<ComparedRow> movedCounts(const StateModel& before, const StateModel& after) {
  return countsAmong(compared(accountingOf(before), accountingOf(after)));
}

std::vector<ComparedRow> whatMoved(const StateModel& before, const StateModel& after, std::optional<double> gain) {
  const std::vector<ComparedRow> rows = compared(accountingOf(before), accountingOf(after));
  std::vector<ComparedRow> moves, pipes, counts = countsAmong(rows);
  double whole = 0;
  for (const ComparedRow& row : rows) {
    if (row.kind == Kind::kProducts && row.before && row.after && moved(row) >= kLeastProducts) moves.push_back(row);
    if (row.kind == Kind::kPredicted) whole = std::max(row.before.value_or(0), row.after.value_or(0));
    if (row.kind == Kind::kPipe) pipes.push_back(row);
  }
  const auto isAgainst = [&](const ComparedRow& row) { return gain && (*gain > 1) == (*row.after > *row.before); };
  std::erase_if(pipes, [&](const ComparedRow& row) {
    return moved(row) < kLeastMove * whole || whole <= 0 || (row.before && row.after && isAgainst(row));
  });
  std::ranges::stable_sort(pipes, std::greater(), moved);
  pipes.resize(std::min(pipes.size(), kMostPipes));
  counts.resize(std::min(counts.size(), kMostCounts));
  moves.insert(moves.end(), pipes.begin(), pipes.end());
  moves.insert(moves.end(), counts.begin(), counts.end());
  return moves;
}

}  // namespace loom::session
