#include "core/sass/run.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "core/device/cluster_places.h"
#include "core/device/lane_values.h"
#include "core/layout/request.h"
#include "core/sass/machine.h"

namespace loom::sass {
namespace {

// Adding a multiple of 128 to all addresses changes no cost: an access repeats few patterns.
struct Pattern {
  layout::Request request;  // addresses less those of a multiple of 128
  InstructionRun cost;
};

bool same(const layout::Request& a, const layout::Request& b) { return a.active == b.active && a.address == b.address; }

constexpr std::int64_t kBlocksAtMost = 64;
// Measured on an H200 (2026-11-21): four stores one after the other to the same 16 sectors in 4 lines take L2 as long
// as one; in 8 or 32 lines each counts, as do those that take turns with stores elsewhere, or come 100 ns later.
constexpr int kLinesJoined = 4;
constexpr std::size_t kInstructionsJoined = 8;

// Blocks that are run for all that are taken to do the same.
struct Stratum {
  std::vector<std::int64_t> run;
  double blocks = 0;
};

// Blocks at the edges of the grid do less, or other things, where an extent isn't a multiple of a block's, and they
// are few: the last of an axis stands for itself, then the first does, and of those between some stand for all. Block
// 0 comes first. Those between are taken in runs of neighbours, spread evenly: where rows begin anywhere, what blocks
// cost repeats every two, four or eight of them, and every other one would tell half of it.
std::vector<Stratum> strata(const std::array<std::int64_t, 3>& grid, std::int64_t most) {
  std::array<std::int64_t, 3> count = {1, 1, 1};
  for (std::int64_t level = 2; level <= most; ++level)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (count[axis] < std::min(level, grid[axis]) && count[0] * count[1] * count[2] / count[axis] * level <= most)
        count[axis] = level;
  std::array<std::vector<Stratum>, 3> along;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t all = grid[axis], n = count[axis];
    along[axis].push_back({{0}, double(n == 1 ? all : n == 2 ? all - 1 : 1)});
    if (n > 2) {
      along[axis].push_back({{}, double(all - 2)});
      constexpr std::int64_t kRun = 8;
      const std::int64_t between = n - 2, runs = (between + kRun - 1) / kRun;
      for (std::int64_t k = 0; k < between; ++k) {
        // The middle of each run lies in the middle of its share of the axis.
        const std::int64_t of = k / kRun, length = std::min(kRun, between - of * kRun);
        const std::int64_t middle = 1 + (2 * of + 1) * (all - 2) / (2 * runs);
        const std::int64_t first = std::clamp<std::int64_t>(middle - length / 2, 1, all - 1 - length);
        along[axis].back().run.push_back(n == all ? 1 + k : first + k % kRun);
      }
    }
    if (n > 1) along[axis].push_back({{all - 1}, 1});
  }
  std::vector<Stratum> found;
  for (const Stratum& z : along[2])
    for (const Stratum& y : along[1])
      for (const Stratum& x : along[0]) {
        Stratum s{{}, z.blocks * y.blocks * x.blocks};
        for (std::int64_t c : z.run)
          for (std::int64_t b : y.run)
            for (std::int64_t a : x.run) s.run.push_back((c * grid[1] + b) * grid[0] + a);
        found.push_back(std::move(s));
      }
  return found;
}

// The same, where blocks are clusters: whole ones, since their blocks may do different things.
std::vector<Stratum> strataOf(const device::Kernel& kernel, std::int64_t most) {
  const std::int64_t size = kernel.blocksOfCluster();
  std::vector<Stratum> found = strata(device::clustersOf(kernel), std::max<std::int64_t>(1, most / size));
  for (Stratum& s : found) {
    const std::vector<std::int64_t> run = std::move(s.run);
    s.run.clear();
    for (const std::int64_t cluster : run)
      for (std::int64_t rank = 0; rank < size; ++rank) s.run.push_back(device::blockOf(kernel, cluster, rank));
    s.blocks *= double(size);
  }
  return found;
}

class Runner {
 public:
  Runner(const Kernel& sass, const device::Kernel& kernel, const RunOptions& options)
      : sass_(sass), kernel_(kernel), options_(options), code_(decode(sass)) {}

  Result<Run> run() {
    Run out;
    std::int64_t perBlock = (kernel_.threads() + 31) / 32;
    out.warps = perBlock * kernel_.blocks();
    out.instructions.resize(sass_.instructions.size());
    recent_.resize(sass_.instructions.size());
    patterns_.resize(sass_.instructions.size());
    total_.assign(sass_.instructions.size(), {});
    if (auto first = warp(0, 0); !first) return Failure(first.error());
    double allowed = std::max(1.0, options_.instructionsInAll / std::max(1.0, spent_));
    auto blocks = std::min(std::int64_t(std::min(allowed / double(perBlock), 1e9)), kBlocksAtMost);
    // Warps of a block may have roles of their own, and blocks of a cluster, but warps of the same number then do the
    // same in every block that has the same number in its cluster.
    const std::int64_t size = kernel_.blocksOfCluster();
    std::vector<std::vector<InstructionRun>> reference(std::size_t(perBlock * size));  // by such numbers
    reference.front() = total_;
    bool sameWarps = true, sameBlocks = true, severalBlocks = false;
    auto more = [&](std::int64_t block, std::int64_t w) -> Result<Done> {
      std::vector<InstructionRun> before = total_;
      if (auto done = warp(block, int(w)); !done) return Failure(done.error());
      for (std::size_t i = 0; i < total_.size(); ++i) {
        before[i].executions = total_[i].executions - before[i].executions;
        before[i].requests = total_[i].requests - before[i].requests;
        before[i].sectors = total_[i].sectors - before[i].sectors;
        before[i].wavefronts = total_[i].wavefronts - before[i].wavefronts;
      }
      const auto alike = [&](const std::vector<InstructionRun>& other) {
        return std::equal(before.begin(), before.end(), other.begin(),
                          [](const InstructionRun& a, const InstructionRun& b) {
                            return a.executions == b.executions && a.requests == b.requests && a.sectors == b.sectors &&
                                   a.wavefronts == b.wavefronts;
                          });
      };
      sameWarps = sameWarps && alike(reference.front());
      const std::int64_t rank = device::rankInCluster(kernel_, block);
      std::vector<InstructionRun>& known = reference[std::size_t(rank * perBlock + w)];
      if (block == device::blockOf(kernel_, 0, rank)) {
        known = std::move(before);
      } else {
        severalBlocks = true;
        sameBlocks = sameBlocks && !known.empty() && alike(known);
      }
      ++out.warpsRun;
      return Done{};
    };
    auto take = [&](double all, double run) {
      add(out, total_, all, run);
      total_.assign(total_.size(), {});
    };
    out.warpsRun = 1;
    if (auto done = shared(out, perBlock, blocks); !done) return Failure(done.error());
    if (out.warpsRun > 1) return out;
    if (blocks >= 1 || size > 1) {
      for (const Stratum& s : strataOf(kernel_, blocks)) {
        for (std::int64_t block : s.run)
          for (std::int64_t w = block == 0 ? 1 : 0; w < perBlock; ++w)
            if (auto done = more(block, w); !done) return Failure(done.error());
        take(s.blocks, double(s.run.size()));
      }
    } else {
      auto warps = std::min<std::int64_t>(perBlock, std::int64_t(allowed));
      for (std::int64_t n = 1; n < warps; ++n)
        if (auto done = more(n * (kernel_.blocks() - 1) / warps, n * perBlock / warps); !done)
          return Failure(done.error());
      take(double(out.warps), double(out.warpsRun));
    }
    const bool alike = sameWarps || (severalBlocks && sameBlocks);
    out.exact = (alike && out.warpsRun > 1) || out.warpsRun == out.warps;
    return out;
  }

 private:
  struct Done {};

  // What `run` blocks or warps did, for all `all` that are taken to do the same.
  void add(Run& out, const std::vector<InstructionRun>& counts, double all, double run) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const InstructionRun& t = counts[i];
      InstructionRun& sum = out.instructions[i];
      sum.executions += t.executions * all / run;
      sum.requests += t.requests * all / run;
      sum.lanes += t.lanes * all / run;
      sum.lines += t.lines * all / run;
      sum.sectors += t.sectors * all / run;
      sum.wavefronts += t.wavefronts * all / run;
      sum.conflicts += t.conflicts * all / run;
      sum.joinedLines += t.joinedLines * all / run;
      sum.joinedSectors += t.joinedSectors * all / run;
      sum.partialSectors += t.partialSectors * all / run;
      if (code_[i].kind == Operation::Granted) out.granted += t.executions * all / run;
    }
  }

  // Blocks that stay and take tile after tile, or clusters of them: the first ones have one more than the last, where
  // the tiles aren't a multiple of the blocks. The first and the last block are run, and those between in which the
  // change is searched for. Runs nothing for other kernels, and takes nothing where a block does neither what the first
  // nor the last does.
  Result<Done> shared(Run& out, std::int64_t perBlock, std::int64_t affordable) {
    const std::int64_t size = kernel_.blocksOfCluster(), all = kernel_.grid[0] / size;
    const bool roles = std::any_of(code_.begin(), code_.end(),
                                   [](const DecodedInstruction& op) { return op.kind == Operation::Granted; });
    if (!roles || kernel_.grid[1] * kernel_.grid[2] != 1 || affordable >= all * size || all < 3) return Done{};
    using Counts = std::vector<InstructionRun>;
    const Counts begun = total_;  // the first warp's
    std::int64_t warps = 1;
    // All blocks of a cluster; a block without clusters is one.
    const auto block = [&](std::int64_t number, std::int64_t from) -> Result<Counts> {
      for (std::int64_t w = from; w < perBlock * size; ++w, ++warps)
        if (auto done = warp(number * size + w / perBlock, int(w % perBlock)); !done) return Failure(done.error());
      Counts counts = std::move(total_);
      total_.assign(code_.size(), {});
      return counts;
    };
    const auto alike = [](const Counts& a, const Counts& b) {
      return std::equal(a.begin(), a.end(), b.begin(),
                        [](const InstructionRun& x, const InstructionRun& y) { return x.executions == y.executions; });
    };
    auto first = block(0, 1), last = first ? block(all - 1, 0) : first;
    if (!last) return Failure(last.error());
    std::int64_t like = 0, unlike = all - 1;  // blocks as the first and as the last
    while (unlike - like > 1 && !alike(*first, *last)) {
      const std::int64_t middle = like + (unlike - like) / 2;
      auto counts = block(middle, 0);
      if (!counts) return Failure(counts.error());
      if (alike(*counts, *first)) {
        like = middle;
      } else if (alike(*counts, *last)) {
        unlike = middle;
      } else {
        total_ = begun;
        return Done{};
      }
    }
    if (alike(*first, *last)) {
      total_ = begun;
      return Done{};
    }
    add(out, *first, double(like + 1), 1);
    add(out, *last, double(all - like - 1), 1);
    out.warpsRun = warps;
    out.exact = false;
    return Done{};
  }

  Result<Done> unknown(std::size_t at, const Message& what) {
    const Instruction& i = sass_.instructions[at];
    return fail("SassUnknown", message("{} of {} {} at {:#x} isn't known", what, i.opcode, i.operands, i.address),
                Forbids::Environment);
  }

  Result<Done> warp(std::int64_t block, int number) {
    stored_.clear();
    device::WarpState place;
    place.place(kernel_, block, number);
    Machine machine(kernel_, sass_, block, number, place.threads());
    struct Group {
      std::size_t at;
      std::uint32_t lanes;
    };
    std::vector<Group> waiting;  // lanes that parted
    Group now{0, place.threads()};
    auto next = [&] {
      if (waiting.empty()) return false;
      auto first = std::min_element(waiting.begin(), waiting.end(), [](auto& a, auto& b) { return a.at < b.at; });
      now = *first;
      waiting.erase(first);
      return true;
    };
    double budget = options_.instructionsAtMost;
    for (;;) {
      for (std::size_t w = 0; w < waiting.size();) {  // those behind go first, those here join
        if (waiting[w].at > now.at) {
          ++w;
        } else if (waiting[w].at == now.at) {
          now.lanes |= waiting[w].lanes;
          if (now.at < code_.size() && code_[now.at].kind == DecodedInstruction::Kind::Meet)
            total_[now.at].executions += 1;
          waiting.erase(waiting.begin() + std::ptrdiff_t(w));
        } else {
          std::swap(now, waiting[w]);
          w = 0;
        }
      }
      if (now.at >= code_.size() || !now.lanes) {
        if (!next()) return Done{};
        continue;
      }
      const DecodedInstruction& op = code_[now.at];
      InstructionRun& count = total_[now.at];
      count.executions += 1;
      spent_ += 1;
      if (--budget < 0)
        return fail("SassTooLong", message("a warp runs more than {:.0f} instructions", options_.instructionsAtMost),
                    Forbids::Environment);
      LaneFlags guard = machine.flags(op.guard);
      std::uint32_t active = guard.bits & now.lanes;
      switch (op.kind) {
        case DecodedInstruction::Kind::Exit:
          if (!guard.known) return unknown(now.at, message("the condition"));
          now.lanes &= ~active;
          break;
        case DecodedInstruction::Kind::Branch: {
          LaneFlags also = machine.flags(op.condition);
          if (!guard.known || !also.known) return unknown(now.at, message("the condition"));
          active &= also.bits;
          if (op.branch == BranchIf::Any && active) active = now.lanes;
          if (op.branch == BranchIf::Parted) {
            const LaneBits together = machine.read(op.sources.front());
            if (!together.known) return unknown(now.at, message("the condition"));
            const std::uint32_t named = together[std::countr_zero(now.lanes)] & place.threads();
            active = guard.bits & now.lanes && now.lanes != named ? now.lanes : 0;
          }
          if (!active) break;
          if (op.target < 0) return unknown(now.at, message("the target"));
          if (active == now.lanes) {
            now.at = std::size_t(op.target);
          } else {
            waiting.push_back({std::size_t(op.target), active});
            now.lanes &= ~active;
            ++now.at;
          }
          continue;
        }
        case DecodedInstruction::Kind::Memory:
          if (!guard.known) return unknown(now.at, message("the condition"));
          if (active) {
            const Instruction& i = sass_.instructions[now.at];
            layout::Request request;
            request.active = active;
            request.width = i.bytes;
            request.store = i.pipe == Pipe::SharedStore;
            if (!machine.addresses(op.sources.back(), active, request.address) || (op.generic && !inShared(request)))
              return unknown(now.at, message("the address"));
            access(now.at, request, count);
            if (i.toShared) {
              request.store = true;
              if (!machine.addresses(op.sources.front(), active, request.address))
                return unknown(now.at, message("the address"));
              copiedTo(request, count);
            }
          }
          machine.forget(op, active, now.lanes);
          break;
        case DecodedInstruction::Kind::Refused: return unknown(now.at, message("the meaning"));
        default: machine.execute(op, guard.known ? active : now.lanes, guard.known, now.lanes); break;
      }
      ++now.at;
    }
  }

  static bool inShared(const layout::Request& request) {
    for (int lane = 0; lane < layout::kLanes; ++lane)
      if (request.active >> lane & 1 && !Machine::isShared(request.address[std::size_t(lane)])) return false;
    return true;
  }

  void access(std::size_t at, layout::Request& request, InstructionRun& count) {
    const Instruction& i = sass_.instructions[at];
    if (i.pipe == Pipe::LdMatrix && i.matrices < 4) request.active &= (std::uint32_t{1} << 8 * i.matrices) - 1;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();  // lanes may go down from the first
    for (int lane = 0; lane < layout::kLanes; ++lane)
      if (request.active >> lane & 1) least = std::min(least, request.address[std::size_t(lane)]);
    const std::int64_t base = least & ~std::int64_t{127};
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      auto& a = request.address[std::size_t(lane)];
      a = request.active >> lane & 1 ? a - base : 0;
    }
    if (i.pipe == Pipe::GlobalStore) store(at, base, request, count);
    count.requests += 1;
    count.lanes += std::popcount(request.active);
    std::vector<Pattern>& known = patterns_[at];
    std::size_t& recent = recent_[at];
    std::size_t found = known.size();
    for (std::size_t n = 0; n < known.size(); ++n) {
      std::size_t p = (recent + n) % known.size();
      if (!same(known[p].request, request)) continue;
      found = p;
      break;
    }
    if (found == known.size()) {
      if (known.size() >= 256) known.clear();
      found = known.size();
      known.push_back({request, costOf(i, request)});
    }
    recent = found;
    const InstructionRun& c = known[found].cost;
    count.lines += c.lines;
    count.sectors += c.sectors;
    count.wavefronts += c.wavefronts;
    count.conflicts += c.conflicts;
  }

  // The other end of a copy past registers.
  static void copiedTo(const layout::Request& request, InstructionRun& count) {
    const auto cost = layout::costOf(layout::phases(request));
    count.wavefronts += cost.wavefronts;
    count.conflicts += cost.conflicts();
  }

  // What L2 makes of a store: stores to few lines that follow one another join where they meet, and sectors that aren't
  // written whole cost more.
  void store(std::size_t at, std::int64_t base, const layout::Request& request, InstructionRun& count) {
    std::array<std::int64_t, layout::kLanes> lanes;  // sectors; a lane's bytes lie in one
    std::size_t n = 0;
    for (int lane = 0; lane < layout::kLanes; ++lane)
      if (request.active >> lane & 1) lanes[n++] = (base + request.address[std::size_t(lane)]) / layout::kSectorBytes;
    std::sort(lanes.begin(), lanes.begin() + std::ptrdiff_t(n));
    std::vector<std::int64_t> sectors;
    double partial = 0, lines = 0;
    constexpr std::int64_t kPerLine = layout::kLineBytes / layout::kSectorBytes;
    for (std::size_t from = 0, to = 0; from < n; from = to) {
      while (to < n && lanes[to] == lanes[from]) ++to;
      partial += std::int64_t(to - from) * request.width < layout::kSectorBytes;
      lines += sectors.empty() || sectors.back() / kPerLine != lanes[from] / kPerLine;
      sectors.push_back(lanes[from]);
    }
    if (lines <= kLinesJoined && stored_ == sectors && at > storedAt_ && at - storedAt_ <= kInstructionsJoined) {
      count.joinedSectors += double(sectors.size());
      count.joinedLines += lines;
    } else {
      count.partialSectors += partial;
    }
    stored_ = std::move(sectors);
    storedAt_ = at;
  }

  static InstructionRun costOf(const Instruction& i, const layout::Request& request) {
    InstructionRun c;
    if (i.pipe == Pipe::GlobalLoad || i.pipe == Pipe::GlobalStore) {
      c.lines = layout::lines(request);
      c.sectors = layout::sectors(request);
    } else {
      auto cost = layout::costOf(i.pipe == Pipe::LdMatrix ? layout::ldmatrixPhases(request) : layout::phases(request));
      c.wavefronts = cost.wavefronts;
      c.conflicts = cost.conflicts();
    }
    return c;
  }

  const Kernel& sass_;
  const device::Kernel& kernel_;
  RunOptions options_;
  std::vector<DecodedInstruction> code_;
  std::vector<InstructionRun> total_;
  std::vector<std::vector<Pattern>> patterns_;
  std::vector<std::size_t> recent_;
  std::vector<std::int64_t> stored_;  // sectors of this warp's last store to global memory
  std::size_t storedAt_ = 0;
  double spent_ = 0;
};

}  // namespace

Result<Run> run(const Kernel& sass, const device::Kernel& kernel, const RunOptions& options) {
  return Runner(sass, kernel, options).run();
}

}  // namespace loom::sass
