#include "core/model/compiled.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/model/enumerate.h"
#include "core/sass/countable.h"
#include "core/sass/run.h"

namespace loom::model {
namespace {

using device::Memory;

// The instruction's access: its memory and direction. Nothing for arithmetic.
std::optional<std::pair<bool, bool>> sharedAndWrite(sass::Pipe p) {
  switch (p) {
    case sass::Pipe::GlobalLoad: return std::pair(false, false);
    case sass::Pipe::GlobalStore: return std::pair(false, true);
    case sass::Pipe::SharedLoad:
    case sass::Pipe::LdMatrix: return std::pair(true, false);
    case sass::Pipe::SharedStore: return std::pair(true, true);
    default: return std::nullopt;
  }
}

class Compiled {
 public:
  Compiled(const KernelAccesses& kernel, const KernelCount& count, const sass::Kernel& sass,
           const codegen::Source& source, const CountOptions& options)
      : kernel_(kernel), count_(count), sass_(sass), source_(source), options_(options) {
    warps_ = double((kernel.kernel->threads() + 31) / 32) * double(kernel.kernel->blocks());
    std::int64_t at = 0;
    for (const sass::Instruction& i : sass_.instructions) {
      if (i.opcode == "EXIT" && !i.predicated) at = std::max(at, i.address);
    }
    end_ = at;
    for (std::size_t i = 0; i < kernel.accesses.size(); ++i)
      if (isShared(kernel.accesses[i].memory) && movesByItself(kernel.accesses[i]))
        out_.wavefrontsByThemselves += count.accesses[i].wavefronts;
    auto run = sass::run(sass, *kernel.kernel);
    if (run) {
      ran(*run);
    } else {
      out_.how = message("trip counts taken from the program, since {}", run.error().message);
      loops();
      instructions();
    }
    hot();
  }
  CompiledCount out_;

 private:
  ir::Id blockOf(const sass::Instruction& i) const {
    if (i.line < 1 || i.line > int(source_.lines.size())) return {};
    return source_.lines[std::size_t(i.line - 1)].block;
  }

  // Anchors, strongest first: what they are, and how often the whole grid's warps do it.
  struct Anchor {
    sass::Pipe pipe;
    ir::Id block;      // none: whatever the line
    double total = 0;  // warp instructions times `unit` per instruction
    bool bytes = false;
    Message what;
    int line = 0;  // of the CUDA text; 0: any
  };

  std::vector<Anchor> anchors() const {
    std::vector<Anchor> found;
    double tensor = 0;
    std::map<ir::Id, double> fma;
    for (std::size_t i = 0; i < kernel_.work.size(); ++i) {
      const Work& w = kernel_.work[i];
      if (w.tensorFlops > 0) tensor += count_.work[i].executions * w.tensorFlops / sass::kTensorProduct;
      if (w.flops > 0 && w.dtype == ir::DType::Float(32)) fma[w.block] += count_.work[i].executions * w.flops / 2;
    }
    if (tensor > 0) found.push_back({sass::Pipe::Tensor, {}, tensor, false, message("tensor products"), 0});
    for (const auto& [block, total] : fma)
      found.push_back({sass::Pipe::Fma, block, total, false, message("multiply-adds"), 0});
    // A barrier is executed by all warps, whatever the conditions around the statements near it.
    std::set<int> lines;
    for (const sass::Instruction& i : sass_.instructions)
      if (i.pipe == sass::Pipe::Barrier) lines.insert(i.line);
    for (int line : lines) {
      double total = fromLine(line);
      if (total > 0) found.push_back({sass::Pipe::Barrier, {}, total, false, message("barriers"), line});
    }
    std::map<std::pair<sass::Pipe, ir::Id>, double> stores;
    for (std::size_t i = 0; i < kernel_.accesses.size(); ++i) {
      const Access& a = kernel_.accesses[i];
      if (!a.write || a.tile || (a.memory != Memory::Global && !isShared(a.memory)) || accumulates(a)) continue;
      sass::Pipe p = isShared(a.memory) ? sass::Pipe::SharedStore : sass::Pipe::GlobalStore;
      stores[{p, a.block}] += count_.accesses[i].executions * a.bytes * a.elements;
    }
    for (const auto& [key, total] : stores)
      found.push_back({key.first, key.second, total, true, message("stored bytes"), 0});
    return found;
  }

  // Sums in memory are what compilers keep in registers: the number of their stores says nothing.
  bool accumulates(const Access& store) const {
    for (const Access& a : kernel_.accesses)
      for (const Access& b : kernel_.accesses)
        if (a.buffer == store.buffer && a.block == store.block && b.buffer == a.buffer && a.write && !b.write &&
            a.statement == b.statement)
          return true;
    return false;
  }

  static bool matches(const Anchor& a, const sass::Instruction& i, ir::Id block) {
    if (i.pipe != a.pipe) return false;
    if (a.pipe == sass::Pipe::Fma && !i.opcode.starts_with("FFMA")) return false;
    return (!a.block || a.block == block) && (a.line == 0 || a.line == i.line);
  }

  void loops() {
    out_.loops.resize(sass_.loops.size());
    for (std::size_t i = 0; i < out_.loops.size(); ++i) {
      CompiledLoop& l = out_.loops[i];
      double around = sass_.loops[i].parent < 0 ? warps_ : out_.loops[std::size_t(sass_.loops[i].parent)].iterations;
      l.iterations = fromLine(sass_.loops[i].line);
      l.how = message("as often as the program's loop on its line");
      if (l.iterations <= 0) {
        l.iterations = around;
        l.how = message("assumed: as often as what is around it");
      }
    }
    for (const Anchor& a : anchors()) {
      std::map<int, double> units;  // by loop: instructions, or bytes
      for (const sass::Instruction& i : sass_.instructions)
        if (matches(a, i, blockOf(i)))
          units[i.loop] += a.bytes                        ? i.bytes
                           : a.pipe == sass::Pipe::Tensor ? sass::tensorFlops(i) / sass::kTensorProduct
                                                          : 1;
      // What isn't in the loops around was peeled; the loop with the most copies does the rest, but for one pass of
      // each remainder.
      auto main = std::max_element(units.begin(), units.end(),
                                   [](const auto& x, const auto& y) { return x.second < y.second; });
      if (main == units.end() || main->first < 0) continue;
      CompiledLoop& l = out_.loops[std::size_t(main->first)];
      if (l.anchored) continue;
      double elsewhere = 0;
      for (const auto& [loop, n] : units) {
        if (loop == main->first) continue;
        if (loop >= 0 && !isAround(loop, main->first) && !out_.loops[std::size_t(loop)].anchored) {
          int p = sass_.loops[std::size_t(loop)].parent;
          out_.loops[std::size_t(loop)].iterations = p < 0 ? warps_ : out_.loops[std::size_t(p)].iterations;
          out_.loops[std::size_t(loop)].how = message("assumed: a remainder, passed once");
        }
        elsewhere += n * (loop < 0 ? warps_ : out_.loops[std::size_t(loop)].iterations);
      }
      if (elsewhere >= a.total) continue;
      l.iterations = (a.total - elsewhere) / main->second;
      l.anchored = true;
      l.how = message("{:.0f} {} by {:.0f} a pass", a.total - elsewhere, a.what, main->second);
    }
    // A loop doesn't run less often than the loop around it, unless a condition skips it; nor an outer one more often.
    for (std::size_t i = out_.loops.size(); i-- > 0;) {
      int p = sass_.loops[i].parent;
      if (p < 0 || out_.loops[std::size_t(p)].anchored || !out_.loops[i].anchored) continue;
      out_.loops[std::size_t(p)].iterations = std::min(out_.loops[std::size_t(p)].iterations, out_.loops[i].iterations);
    }
    for (const CompiledLoop& l : out_.loops)
      out_.exact &= l.anchored || l.how.id() == "as often as the program's loop on its line";
  }

  bool isAround(int outer, int inner) const {
    for (int at = inner; at >= 0; at = sass_.loops[std::size_t(at)].parent)
      if (at == outer) return true;
    return false;
  }

  double fromLine(int line) const {
    if (line < 1 || line > int(source_.lines.size())) return 0;
    const auto& ids = source_.lines[std::size_t(line - 1)].ids;
    for (const LoopInfo& l : kernel_.loops) {
      if (!l.id || std::find(ids.begin(), ids.end(), l.id) == ids.end()) continue;
      const LoopInfo* deepest = &l;
      for (const LoopInfo& m : kernel_.loops)
        if (m.id && std::find(ids.begin(), ids.end(), m.id) != ids.end()) deepest = &m;
      double n = warps_;
      for (const LoopInfo* at = deepest; at; at = at->parent < 0 ? nullptr : &kernel_.loops[std::size_t(at->parent)])
        n *= double(at->extent);
      return n;
    }
    return 0;
  }

  // The access at the width of an instruction: several neighbours at once, the loop over them that many times shorter.
  struct Widened {
    KernelAccesses kernel;
    Access access;
  };
  std::optional<Widened> widened(const Access& a, int bytes) const {
    int own = a.bytes * a.elements;
    if (bytes == own) return Widened{kernel_, a};
    if (bytes < own || bytes % own != 0 || a.tile) return std::nullopt;
    int ratio = bytes / own;
    for (int l : a.loops) {
      const LoopInfo& loop = kernel_.loops[std::size_t(l)];
      if (loop.extent % ratio != 0) continue;
      for (const Term& t : termsOf(a.index)) {
        if (!t.atom || ir::asVar(t.atom) != loop.var.get() || t.coefficient != a.elements) continue;
        Widened w{kernel_, a};
        w.kernel.loops[std::size_t(l)].extent /= ratio;
        w.access.index = ir::substitute(
            a.index,
            ir::VarMap{{loop.var.get(), ir::binary(ir::ExprKind::Mul, loop.var, ir::intImm(ratio, loop.var->dtype))}});
        w.access.elements *= ratio;
        return w;
      }
    }
    return std::nullopt;
  }

  bool isWritten(const ir::Buffer& b) const {
    return std::any_of(kernel_.accesses.begin(), kernel_.accesses.end(),
                       [&](const Access& a) { return a.write && a.buffer == b; });
  }

  // Accesses that an instruction may be: of its block (or of any, when its line says nothing), memory and direction.
  std::vector<int> candidates(const sass::Instruction& i) const {
    auto kind = sharedAndWrite(i.pipe);
    if (!kind) return {};
    std::vector<int> all, inBlock, wide;
    ir::Id block = blockOf(i);
    for (int n = 0; n < int(kernel_.accesses.size()); ++n) {
      const Access& a = kernel_.accesses[std::size_t(n)];
      bool shared = isShared(a.memory);
      if (movesByItself(a)) continue;
      if ((shared != kind->first) || (!shared && a.memory != Memory::Global) || a.write != kind->second) continue;
      // Compilers load tiles of float16 with ldmatrix, of 8 bits and of bfloat16 with either.
      const bool tileLoad = shared && a.tile && !a.write && a.bytes <= 2;
      if (i.pipe == sass::Pipe::LdMatrix ? !tileLoad : tileLoad && a.buffer->dtype == ir::DType::Float(16)) continue;
      // LDG….CONSTANT reads what the kernel never writes; a plain LDG is needed only for what it does write.
      if (i.pipe == sass::Pipe::GlobalLoad && !i.toShared &&
          isWritten(a.buffer) == (i.opcode.find(".CONSTANT") != std::string::npos))
        continue;
      all.push_back(n);
      if (a.block == block) inBlock.push_back(n);
    }
    std::vector<int>& from = inBlock.empty() ? all : inBlock;
    int best = 0;
    for (int n : from) {
      const Access& a = kernel_.accesses[std::size_t(n)];
      // A load as wide as the statement's own, or one that neighbours could join to.
      bool fits = a.tile || widened(a, i.bytes).has_value();
      bool mergeable = !a.tile && widened(a, 2 * a.bytes * a.elements).has_value() && isShared(a.memory);
      int score = !fits ? 0 : i.bytes > a.bytes * a.elements || !mergeable ? 2 : 1;
      if (score > best) wide.clear();
      best = std::max(best, score);
      if (score == best) wide.push_back(n);
    }
    return wide;
  }

  void memory(int index, double executions) {
    const sass::Instruction& i = sass_.instructions[std::size_t(index)];
    CompiledAccess m;
    m.instruction = index;
    m.accesses = candidates(i);
    m.bytes = i.bytes;
    m.executions = executions;
    double share = 1;
    if (m.accesses.size() != 1 || i.toShared) out_.exact = false;  // of a copy only the loads are looked at here
    if (m.accesses.empty() && executions > 0 && !out_.problem)
      out_.problem =
          fail("UnknownAccess", message("what {} on sm_{} accesses isn't known", i.opcode, sass_.architecture),
               Forbids::Environment)
              .value();
    for (int n : m.accesses) {
      const Access& a = kernel_.accesses[std::size_t(n)];
      auto cost = cached(n, i.bytes);
      if (cost.requests <= 0) continue;
      double part = 1.0 / double(m.accesses.size());
      if (i.predicated) {
        double all = warps_;
        for (int l : a.loops) all *= double(kernel_.loops[std::size_t(l)].extent);
        share = std::min(1.0, count_.accesses[std::size_t(n)].executions / all);
        // How the statement's conditions fall to its instructions isn't known here.
        if (share < 1) out_.exact = false;
      }
      double scale = i.pipe == sass::Pipe::LdMatrix ? i.matrices / 4.0 : 1;
      const double lanes = i.pipe == sass::Pipe::LdMatrix ? 8.0 * i.matrices : cost.lanes / cost.requests;
      m.lanes += part * share * executions * lanes;
      m.lines += part * share * executions * cost.lines / cost.requests;
      m.sectors += part * share * executions * cost.sectors / cost.requests;
      m.wavefronts += part * share * scale * executions * cost.wavefronts / cost.requests;
      m.conflicts += part * share * scale * executions * cost.conflicts / cost.requests;
    }
    m.executions *= share;
    add(std::move(m));
  }

  const AccessCost& cached(int n, int bytes) {
    auto [at, fresh] = costs_.try_emplace({n, bytes});
    if (!fresh) return at->second;
    const Access& a = kernel_.accesses[std::size_t(n)];
    auto wide = a.tile ? std::nullopt : widened(a, bytes);
    at->second = wide && bytes != a.bytes * a.elements ? countAccess(wide->kernel, wide->access, options_)
                                                       : count_.accesses[std::size_t(n)];
    if (!wide && !a.tile) out_.exact = false;
    return at->second;
  }

  // Those of the candidates that cost a request what the instruction's requests were seen to cost; all where none does.
  std::vector<int> likely(const sass::Instruction& i, const sass::InstructionRun& r, std::vector<int> of) {
    if (of.size() < 2 || r.requests <= 0) return of;
    constexpr double kAlike = 0.05;
    const bool exact = out_.exact;  // what is only compared makes nothing less exact
    std::vector<int> alike;
    for (int n : of) {
      const AccessCost cost = cached(n, i.bytes);
      if (cost.requests <= 0) continue;
      const bool shared = sharedAndWrite(i.pipe)->first;
      const double seen = (shared ? r.wavefronts : r.sectors) / r.requests;
      const double own = (shared ? cost.wavefronts : cost.sectors) / cost.requests;
      if (std::abs(own - seen) <= kAlike * seen) alike.push_back(n);
    }
    out_.exact = exact;
    return alike.empty() ? of : alike;
  }

  void ran(const sass::Run& run) {
    out_.exact = run.exact;
    out_.how = run.granted > 0 ? message(
                                     "modelled from {} of {} warps, each wait for another role as one try that "
                                     "succeeds",
                                     run.warpsRun, run.warps)
                               : message("modelled from {} of {} warps", run.warpsRun, run.warps);
    out_.granted = run.granted;
    for (const sass::Loop& l : sass_.loops) {
      double n = 0;
      for (std::size_t i = 0; i < sass_.instructions.size(); ++i)
        if (sass_.instructions[i].address == l.last) n = run.instructions[i].executions;
      out_.loops.push_back({n, out_.how, true});
    }
    for (std::size_t n = 0; n < sass_.instructions.size(); ++n) {
      const sass::Instruction& i = sass_.instructions[n];
      const sass::InstructionRun& r = run.instructions[n];
      out_.executions.push_back(r.executions);
      if (r.executions > 0) out_.executed[i.pipe] += r.executions;
      out_.instructions += r.executions;
      if (!sharedAndWrite(i.pipe)) continue;
      CompiledAccess m;
      m.instruction = int(n);
      m.accesses = likely(i, r, candidates(i));
      m.executions = r.requests;
      m.lanes = r.lanes;
      m.lines = r.lines;
      m.sectors = r.sectors;
      m.joinedLines = r.joinedLines;
      m.joinedSectors = r.joinedSectors;
      m.partialSectors = r.partialSectors;
      m.wavefronts = r.wavefronts;
      m.conflicts = r.conflicts;
      m.bytes = i.bytes;
      add(std::move(m));
    }
  }

  void add(CompiledAccess m) {
    const sass::Instruction& i = sass_.instructions[std::size_t(m.instruction)];
    auto [shared, write] = *sharedAndWrite(i.pipe);
    if (i.toShared) {
      out_.sharedStoreWavefronts += m.wavefronts;
      out_.sharedStoreConflicts += m.conflicts;
    }
    if (shared) {
      (write ? out_.sharedStoreWavefronts : out_.sharedLoadWavefronts) += m.wavefronts;
      (write ? out_.sharedStoreConflicts : out_.sharedLoadConflicts) += m.conflicts;
    } else {
      (write ? out_.globalStoreRequests : out_.globalLoadRequests) += m.executions;
      (write ? out_.globalStoreSectors : out_.globalLoadSectors) += m.sectors;
    }
    out_.memory.push_back(std::move(m));
  }

  void instructions() {
    for (int n = 0; n < int(sass_.instructions.size()); ++n) {
      const sass::Instruction& i = sass_.instructions[std::size_t(n)];
      out_.executions.push_back(0);
      if (i.address > end_ && i.loop < 0 && i.pipe == sass::Pipe::Control) continue;  // the trap behind the last EXIT
      double& executions = out_.executions.back();
      executions = i.loop < 0 ? warps_ : out_.loops[std::size_t(i.loop)].iterations;
      out_.executed[i.pipe] += executions;
      out_.instructions += executions;
      if (sharedAndWrite(i.pipe)) memory(n, executions);
    }
  }

  void hot() {
    double most = 0;
    for (int l = 0; l < int(sass_.loops.size()); ++l) {
      double n = 0;
      std::map<sass::Pipe, int> mix;
      for (const sass::Instruction& i : sass_.instructions) {
        if (i.loop != l) continue;
        ++n;
        ++mix[i.pipe];
      }
      n *= out_.loops[std::size_t(l)].iterations;
      if (n <= most) continue;
      most = n;
      out_.hotLoop = l;
      out_.hotMix = std::move(mix);
    }
  }

  const KernelAccesses& kernel_;
  const KernelCount& count_;
  const sass::Kernel& sass_;
  const codegen::Source& source_;
  const CountOptions& options_;
  std::map<std::pair<int, int>, AccessCost> costs_;
  double warps_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, double>> executedByOpcode(const sass::Kernel& sass, const CompiledCount& compiled) {
  std::map<std::string, double> sums;
  for (std::size_t n = 0; n < sass.instructions.size() && n < compiled.executions.size(); ++n) {
    const std::string& opcode = sass.instructions[n].opcode;
    if (compiled.executions[n] > 0) sums[opcode.substr(0, opcode.find('.'))] += compiled.executions[n];
  }
  std::vector<std::pair<std::string, double>> all(sums.begin(), sums.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

CompiledCount countCompiled(const KernelAccesses& kernel, const KernelCount& count, const sass::Kernel& sass,
                            const codegen::Source& source, const CountOptions& options) {
  return std::move(Compiled(kernel, count, sass, source, options).out_);
}

}  // namespace loom::model
