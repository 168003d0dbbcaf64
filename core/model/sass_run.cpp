#include "core/model/sass_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/layout/request.h"
#include "core/model/lanes.h"
#include "core/model/sass_machine.h"

namespace loom::model {
namespace {

// Adding a multiple of 128 to all addresses changes no cost: an access repeats few patterns.
struct Pattern {
  layout::Request request;  // addresses less those of a multiple of 128
  InstructionRun cost;
};

bool same(const layout::Request& a, const layout::Request& b) { return a.active == b.active && a.address == b.address; }

class Runner {
 public:
  Runner(const SassKernel& sass, const device::Kernel& kernel, const SassRunOptions& options)
      : sass_(sass), kernel_(kernel), options_(options), code_(decodeSass(sass)) {}

  Result<SassRun> run() {
    SassRun out;
    std::int64_t perBlock = (kernel_.threads() + 31) / 32;
    out.warps = perBlock * kernel_.blocks();
    out.instructions.resize(sass_.instructions.size());
    recent_.resize(sass_.instructions.size());
    patterns_.resize(sass_.instructions.size());
    total_.assign(sass_.instructions.size(), {});
    if (auto first = warp(0, 0); !first) return Failure(first.error());
    double allowed = std::max(1.0, options_.instructionsInAll / std::max(1.0, spent_));
    auto blocks =
        std::int64_t(std::clamp(allowed / double(perBlock), 0.0, double(std::min<std::int64_t>(kernel_.blocks(), 8))));
    std::vector<InstructionRun> reference = total_;
    auto more = [&](std::int64_t block, std::int64_t w) -> Result<Done> {
      std::vector<InstructionRun> before = total_;
      if (auto done = warp(block, int(w)); !done) return Failure(done.error());
      for (std::size_t i = 0; out.exact && i < total_.size(); ++i)
        out.exact = total_[i].executions - before[i].executions == reference[i].executions &&
                    total_[i].requests - before[i].requests == reference[i].requests &&
                    total_[i].sectors - before[i].sectors == reference[i].sectors &&
                    total_[i].wavefronts - before[i].wavefronts == reference[i].wavefronts;
      ++out.warpsRun;
      return Done{};
    };
    out.warpsRun = 1;
    if (blocks >= 1) {
      // All warps of some blocks, the first and the last among them.
      for (std::int64_t b = 0; b < blocks; ++b) {
        std::int64_t block = blocks == 1 ? 0 : b * (kernel_.blocks() - 1) / (blocks - 1);
        for (std::int64_t w = 0; w < perBlock; ++w) {
          if (block == 0 && w == 0) continue;
          if (auto done = more(block, w); !done) return Failure(done.error());
        }
      }
    } else {
      auto warps = std::min<std::int64_t>(perBlock, std::int64_t(allowed));
      for (std::int64_t n = 1; n < warps; ++n)
        if (auto done = more(n * (kernel_.blocks() - 1) / warps, n * perBlock / warps); !done)
          return Failure(done.error());
    }
    out.exact = (out.exact && out.warpsRun > 1) || out.warpsRun == out.warps;
    double scale = double(out.warps) / double(out.warpsRun);
    for (std::size_t i = 0; i < total_.size(); ++i) {
      const InstructionRun& t = total_[i];
      out.instructions[i] = {t.executions * scale, t.requests * scale,   t.lines * scale,
                             t.sectors * scale,    t.wavefronts * scale, t.conflicts * scale};
    }
    return out;
  }

 private:
  struct Done {};

  Result<Done> unknown(std::size_t at, const char* what) {
    const Instruction& i = sass_.instructions[at];
    return fail("SassUnknown", fmt::format("{} of {} {} at {:#x} isn't known", what, i.opcode, i.operands, i.address),
                Forbids::Environment);
  }

  Result<Done> warp(std::int64_t block, int number) {
    WarpState place;
    place.place(kernel_, block, number);
    SassMachine machine(kernel_, block, number, place.threads());
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
      const SassOp& op = code_[now.at];
      InstructionRun& count = total_[now.at];
      count.executions += 1;
      spent_ += 1;
      if (--budget < 0)
        return fail("SassTooLong",
                    fmt::format("a warp runs more than {:.0f} instructions", options_.instructionsAtMost),
                    Forbids::Environment);
      LaneFlags guard = machine.flags(op.guard);
      std::uint32_t active = guard.bits & now.lanes;
      switch (op.kind) {
        case SassOp::Kind::Exit:
          if (!guard.known) return unknown(now.at, "the condition");
          now.lanes &= ~active;
          break;
        case SassOp::Kind::Branch: {
          LaneFlags also = machine.flags(op.condition);
          if (!guard.known || !also.known) return unknown(now.at, "the condition");
          active &= also.bits;
          if (!active) break;
          if (op.target < 0) return unknown(now.at, "the target");
          if (active == now.lanes) {
            now.at = std::size_t(op.target);
          } else {
            waiting.push_back({std::size_t(op.target), active});
            now.lanes &= ~active;
            ++now.at;
          }
          continue;
        }
        case SassOp::Kind::Memory:
          if (!guard.known) return unknown(now.at, "the condition");
          if (active) {
            layout::Request request;
            request.active = active;
            request.width = sass_.instructions[now.at].bytes;
            request.store = sass_.instructions[now.at].pipe == Pipe::SharedStore;
            if (!machine.addresses(op.sources.front(), active, request.address)) return unknown(now.at, "the address");
            access(now.at, request, count);
          }
          machine.forget(op, active, now.lanes);
          break;
        case SassOp::Kind::Refused: return unknown(now.at, "the meaning");
        default: machine.execute(op, guard.known ? active : now.lanes, guard.known, now.lanes); break;
      }
      ++now.at;
    }
  }

  void access(std::size_t at, layout::Request& request, InstructionRun& count) {
    const Instruction& i = sass_.instructions[at];
    if (i.pipe == Pipe::LdMatrix && i.matrices < 4) request.active &= (std::uint32_t{1} << 8 * i.matrices) - 1;
    std::int64_t base = -1;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      auto& a = request.address[std::size_t(lane)];
      if (!(request.active >> lane & 1)) {
        a = 0;
        continue;
      }
      if (base < 0) base = a & ~std::int64_t{127};
      a -= base;
    }
    count.requests += 1;
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

  const SassKernel& sass_;
  const device::Kernel& kernel_;
  SassRunOptions options_;
  std::vector<SassOp> code_;
  std::vector<InstructionRun> total_;
  std::vector<std::vector<Pattern>> patterns_;
  std::vector<std::size_t> recent_;
  double spent_ = 0;
};

}  // namespace

Result<SassRun> runSass(const SassKernel& sass, const device::Kernel& kernel, const SassRunOptions& options) {
  return Runner(sass, kernel, options).run();
}

}  // namespace loom::model
