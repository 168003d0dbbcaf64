#include "core/exec/whole_run.h"

#include <algorithm>

#include "core/device/memory_place.h"
#include "core/exec/buffer_memory.h"
#include "core/exec/runs_as_threads.h"
#include "core/exec/statement_tree.h"
#include "core/ir/build.h"

namespace loom::exec {

using namespace ir;
using Kind = StatementNode::Kind;

namespace {

// The axis of the blocks that have a slice each of a buffer of the cluster: blockIdx.z.
constexpr int kSlices = 5;

// Those that run a statement; all of them where none is left out by a condition.
using Threads = std::vector<RunThread*>;

class WholeRun {
 public:
  WholeRun(const Function& function, const std::map<int, InputValues>& contents, std::int64_t limit)
      : function_(function), virtualThreads_(function), contents_(contents), left_(limit) {}

  Result<WholeRunOutcome> run() {
    auto tree = statementTree(function_, virtualThreads_, compiler_);
    if (!tree) return Failure(tree.error());
    threaded_ = runsAsThreads(function_);
    barriers_ = has(*tree, Kind::Barrier);
    if (threaded_) measure(*tree);
    for (const Buffer& b : compiler_.buffers()) {
      if (auto made = allocate(b); !made) return Failure(made.error());
    }
    RunThread first;
    first.variables.resize(compiler_.variables());
    inBlock_ = {&first};
    run(*tree, inBlock_);
    if (left_ < 0) {
      return fail("NotExecutable", message("the function is too large to be run as a whole"), Forbids::Environment);
    }
    WholeRunOutcome outcome;
    outcome.findings = log_.take();
    outcome.placesBarriers = barriers_;
    for (std::size_t p = 0; p < function_->params.size(); ++p) {
      for (std::size_t b = 0; b < compiler_.buffers().size(); ++b) {
        if (function_->params[p].buffer != compiler_.buffers()[b]) continue;
        outcome.parameters[int(p)] = {std::move(memory_[b].values), std::move(memory_[b].written),
                                      std::move(memory_[b].unknown)};
      }
    }
    return outcome;
  }

 private:
  static bool has(const StatementNode& n, Kind kind) {
    return n.kind == kind || std::ranges::any_of(n.children, [&](const auto& child) { return has(child, kind); });
  }
  // How many threads a block has along each axis, and how many blocks along blockIdx.z have slices of one buffer.
  void measure(const StatementNode& n) {
    if (n.axis == kSlices && ofCluster()) missing_.resize(std::max(missing_.size(), std::size_t(n.extent)));
    if (n.axis >= 0 && n.axis < 3) size_[n.axis] = std::max(size_[n.axis], n.extent);
    for (const StatementNode& child : n.children) measure(child);
  }

  bool ofCluster() const {
    return std::ranges::any_of(compiler_.buffers(), [](const Buffer& b) { return b->scope == device::kSharedCluster; });
  }

  Result<void> allocate(const Buffer& b) {
    const std::int64_t threads = size_[0] * size_[1] * size_[2], blocks = std::int64_t(missing_.size());
    auto memory = memoryOf(b, {threaded_, barriers_, threads, blocks}, virtualThreads_.copies(*b));
    if (!memory) return Failure(memory.error());
    for (std::size_t p = 0; p < function_->params.size(); ++p) {
      auto found = contents_.find(int(p));
      if (function_->params[p].buffer == b && found != contents_.end()) memory->fill(found->second);
    }
    memory_.push_back(std::move(*memory));
    return {};
  }

  // --- findings ---

  void report(Finding::Kind kind, const StatementNode& at, const RunThread& thread, int buffer, std::int64_t element,
              bool write, const Touch* other = nullptr) {
    if (!log_.isNew(kind, 0, at.site)) return;
    Finding f;
    f.kind = kind;
    f.kernel = function_->name;
    f.ofOriginal = true;
    f.block = block_ ? block_->block : Id{};
    f.blockName = block_ ? block_->name : "";
    if (buffer >= 0) {
      f.buffer = compiler_.buffers()[std::size_t(buffer)]->name;
      f.elements = memory_[std::size_t(buffer)].elements;
    }
    f.element = element;
    f.write = write;
    f.loops = loops_;
    f.blockIdx = blockIdxOf(thread);
    f.threads.push_back(thread.place);
    if (other) {
      const bool wrote = other->writeEpoch >= other->readEpoch;
      const std::uint16_t number = wrote || !write ? other->writer : std::uint16_t(other->reader & kThreadMask);
      f.otherBlockName = f.blockName;
      f.otherBlockIdx = f.blockIdx;
      for (const RunThread* t : inBlock_) {
        if (t->number == number && number != thread.number) f.threads.push_back(t->place);
      }
      for (const auto& [epoch, place] : blockStarts_) {
        if (epoch <= std::max(other->writeEpoch, other->readEpoch)) f.otherBlockIdx = place;
      }
    }
    log_.add(std::move(f));
  }
  void reportRace(Conflict conflict, const StatementNode& at, const RunThread& thread, int buffer, std::int64_t element,
                  bool write, const Touch& touch) {
    if (conflict == Conflict::None) return;
    report(conflict == Conflict::InBlock ? Finding::Kind::RaceInBlock : Finding::Kind::RaceBetweenBlocks, at, thread,
           buffer, element, write, &touch);
  }
  std::array<std::int64_t, 3> blockIdxOf(const RunThread& t) const {
    return {blockIdx_[0], blockIdx_[1], missing_.size() > 1 ? t.block : blockIdx_[2]};
  }
  Clock clockOf(const BufferMemory& m) const {
    return {clock_.epoch, clock_.blockStart, m.shared ? clock_.blockStart : clock_.kernelStart, clock_.epoch};
  }

  // --- values ---

  // Sets `isUnknown_` if the value follows from a read of what was never written.
  Value value(const ScalarCode& c, RunThread& t, const StatementNode& at) {
    return evaluate(c, compiler_.accesses(), t.variables.data(), Value{0}, [&](int buffer, std::int64_t offset) {
      BufferMemory& m = memory_[std::size_t(buffer)];
      if (offset < 0) {
        report(Finding::Kind::OutOfBounds, at, t, buffer, -1, false);
        return Value{0};
      }
      const std::size_t place = m.placeOf(t, offset);
      if (threaded_ && !m.written[place] && !m.input) {
        report(Finding::Kind::Uninitialised, at, t, buffer, offset, false);
        isUnknown_ = true;
      }
      isUnknown_ |= m.unknown[place] != 0;
      if (!m.touches.empty()) {
        Touch& touch = m.touches[place];
        reportRace(noteRead(touch, clockOf(m), t.number, at.site), at, t, buffer, offset, false, touch);
      }
      return m.values[place];
    });
  }

  // After a statement for whose threads nobody knows which parts of it they run, or where: all that it may store.
  void forget(const StatementNode& n, const Threads& threads) {
    if (n.kind == Kind::Store)
      for (const RunThread* t : threads) memory_[std::size_t(n.target.buffer)].forget(*t);
    for (const StatementNode& child : n.children) forget(child, threads);
  }

  // --- statements ---

  void run(const StatementNode& n, const Threads& threads) {
    if (threads.empty() || (left_ -= std::int64_t(threads.size())) < 0) return;
    if (const std::uint32_t loops = threaded_ ? n.apart & ~apart_ : 0) return runApart(n, threads, loops);
    runTogether(n, threads);
  }

  // For one iteration after another of loops over virtual threads, the innermost's being the slowest to change.
  void runApart(const StatementNode& n, const Threads& threads, std::uint32_t loops) {
    const auto iterations = [&](const RunThread& t) {
      std::vector<std::int64_t> of;
      for (std::size_t l = t.ofVirtual.size(); l-- > 0;)
        if (loops >> l & 1) of.push_back(t.ofVirtual[l]);
      return of;
    };
    std::map<std::vector<std::int64_t>, std::pair<Threads, Threads>> groups;  // those that run it, and all in the block
    for (RunThread* t : threads) groups[iterations(*t)].first.push_back(t);
    for (RunThread* t : inBlock_) groups[iterations(*t)].second.push_back(t);
    apart_ |= loops;
    for (auto& [of, group] : groups) {
      if (group.first.empty()) continue;
      const Threads outer = std::exchange(inBlock_, std::move(group.second));
      runTogether(n, group.first);
      inBlock_ = outer;
    }
    apart_ &= ~loops;
  }

  // All threads a statement before any the next one.
  void runTogether(const StatementNode& n, const Threads& threads) {
    Threads unsure;
    const auto note = [&](RunThread* t) {
      if (std::exchange(isUnknown_, false)) unsure.push_back(t);
    };
    runParts(n, threads, note);
    if (!unsure.empty()) forget(n, unsure);
  }

  // Calls `note` for each thread after it has evaluated what decides which parts it runs, and where they store.
  void runParts(const StatementNode& n, const Threads& threads, const std::function<void(RunThread*)>& note) {
    switch (n.kind) {
      case Kind::For:
        if (threaded_ && n.axis == StatementNode::kVirtualAxis && n.extent >= 0) return runVirtual(n, threads);
        if (threaded_ && ((n.axis >= 0 && n.axis < 3) || (n.axis == kSlices && missing_.size() > 1)))
          return runThreads(n, threads);
        if (threaded_ && n.axis >= 3 && n.axis < StatementNode::kVirtualAxis) return runBlocks(n, threads);
        return runLoop(n, threads, note);
      case Kind::Block: return runBlock(n, threads, note);
      case Kind::Store: return runStore(n, threads, note);
      case Kind::If: {
        Threads yes, no;
        for (RunThread* t : threads) {
          (value(n.codes[0], *t, n).i ? yes : no).push_back(t);
          note(t);
        }
        run(n.children[0], yes);
        return run(n.children[1], no);
      }
      case Kind::Let:
        for (RunThread* t : threads) {
          t->variables[std::size_t(n.variable)] = value(n.codes[0], *t, n);
          note(t);
        }
        return run(n.children[0], threads);
      case Kind::Barrier: return runBarrier(n, threads);
      case Kind::Seq:
        for (const StatementNode& child : n.children) run(child, threads);
    }
  }

  void runLoop(const StatementNode& n, const Threads& threads, const std::function<void(RunThread*)>& note) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    std::int64_t most = 0;
    for (RunThread* t : threads) {
      ranges.emplace_back(value(n.codes[0], *t, n).i, value(n.codes[1], *t, n).i);
      note(t);
      most = std::max(most, ranges.back().second);
    }
    loops_.emplace_back(n.name, 0);
    for (std::int64_t i = 0; i < most && left_ >= 0; ++i) {
      Threads inside;
      for (std::size_t l = 0; l < threads.size(); ++l) {
        if (i >= ranges[l].second) continue;
        threads[l]->variables[std::size_t(n.variable)].i = ranges[l].first + i;
        inside.push_back(threads[l]);
      }
      loops_.back().second = i;
      run(n.children[0], inside);
    }
    loops_.pop_back();
  }

  void startBlock() {
    ++clock_.epoch;
    clock_.blockStart = clock_.epoch;
    if (!inKernel_) clock_.kernelStart = clock_.epoch;
    blockStarts_.emplace_back(clock_.epoch, blockIdx_);
    for (BufferMemory& m : memory_) m.startBlock();
  }

  void runBlocks(const StatementNode& n, const Threads& threads) {
    const int axis = n.axis - 3;
    if (boundBlocks_ >> axis & 1) {  // a second loop over the same axis: each block has its place already
      for (RunThread* t : threads) t->variables[std::size_t(n.variable)].i = blockIdx_[std::size_t(axis)];
      return run(n.children[0], threads);
    }
    boundBlocks_ |= 1u << axis;
    const bool outermost = !inKernel_;
    for (std::int64_t i = 0; i < n.extent && left_ >= 0; ++i) {
      blockIdx_[std::size_t(axis)] = i;
      startBlock();
      inKernel_ = true;
      for (RunThread* t : threads) t->variables[std::size_t(n.variable)].i = i;
      run(n.children[0], threads);
    }
    blockIdx_[std::size_t(axis)] = 0;
    boundBlocks_ &= ~(1u << axis);
    if (outermost) inKernel_ = false;
  }

  // Those of a block, or the blocks that have slices of a buffer, whose threads run together.
  void runThreads(const StatementNode& n, const Threads& threads) {
    const auto axis = std::size_t(n.axis);
    const auto placeOf = [&](RunThread& t) -> std::int64_t& { return n.axis == kSlices ? t.block : t.place[axis]; };
    if (boundThreads_ >> axis & 1) {
      Threads inside;
      for (RunThread* t : threads) {
        if (placeOf(*t) >= n.extent) continue;
        t->variables[std::size_t(n.variable)].i = placeOf(*t);
        inside.push_back(t);
      }
      return run(n.children[0], inside);
    }
    const bool outermost = !inKernel_;
    if (outermost) startBlock();
    inKernel_ = true;
    boundThreads_ |= 1u << axis;
    std::vector<RunThread> made;
    made.reserve(threads.size() * std::size_t(std::max<std::int64_t>(0, n.extent)));
    for (std::int64_t i = 0; i < n.extent; ++i) {
      for (const RunThread* t : threads) {
        RunThread& next = made.emplace_back(*t);
        placeOf(next) = i;
        const auto& [x, y, z] = next.place;
        next.number = std::uint16_t(((next.block * size_[2] + z) * size_[1] + y) * size_[0] + x);
        next.variables[std::size_t(n.variable)].i = i;
      }
    }
    runAll(n, made, threads);
    boundThreads_ &= ~(1u << axis);
    if (outermost) inKernel_ = false;
  }

  // As lowering interleaves them: what doesn't contain others is run for all virtual threads before the next.
  void runVirtual(const StatementNode& n, const Threads& threads) {
    std::vector<RunThread> made;
    made.reserve(threads.size() * std::size_t(std::max<std::int64_t>(0, n.extent)));
    for (std::int64_t i = 0; i < n.extent; ++i) {
      for (const RunThread* t : threads) {
        RunThread& next = made.emplace_back(*t);
        next.ofVirtual.push_back(i);
        next.variables[std::size_t(n.variable)].i = i;
      }
    }
    runAll(n, made, threads);
  }

  // How many of the threads are of each block.
  std::vector<std::size_t> byBlock(const Threads& threads) const {
    std::vector<std::size_t> count(missing_.size());
    for (const RunThread* t : threads) ++count[std::size_t(t->block)];
    return count;
  }

  // Runs what is inside a loop by the threads that it made of those around it.
  void runAll(const StatementNode& n, std::vector<RunThread>& made, const Threads& around) {
    Threads all;
    for (RunThread& t : made) all.push_back(&t);
    // Barriers are for those that a condition around these loops leaves out, too.
    const std::vector<std::size_t> before = missing_, inside = byBlock(around), outside = byBlock(inBlock_);
    for (std::size_t b = 0; b < missing_.size(); ++b) missing_[b] += outside[b] - std::min(outside[b], inside[b]);
    if (n.axis == kSlices) std::ranges::fill(missing_, missing_[0]);
    Threads outer = std::exchange(inBlock_, all);
    run(n.children[0], all);
    inBlock_ = std::move(outer);
    missing_ = before;
  }

  void runBarrier(const StatementNode& n, const Threads& threads) {
    ++clock_.epoch;
    const std::vector<std::size_t> here = byBlock(threads), all = byBlock(inBlock_);
    const auto misses = [&](const RunThread* t) {
      const auto b = std::size_t(t->block);
      return here[b] < all[b] || missing_[b] > 0;
    };
    const auto waits = std::ranges::find_if(threads, misses);
    if (waits == threads.end()) return;
    if (!log_.isNew(Finding::Kind::Deadlock, 0, n.site)) return;
    Finding f;
    f.kind = Finding::Kind::Deadlock;
    f.kernel = function_->name;
    f.ofOriginal = true;
    f.block = block_ ? block_->block : Id{};
    f.blockName = block_ ? block_->name : "";
    f.loops = loops_;
    f.blockIdx = blockIdxOf(**waits);
    f.threads.push_back((*waits)->place);
    for (const RunThread* t : inBlock_) {
      const bool comes = t->block != (*waits)->block || std::ranges::find(threads, t) != threads.end();
      if (f.threads.size() < 2 && !comes) f.threads.push_back(t->place);
    }
    log_.add(std::move(f));
  }

  // All threads read before the first writes, as the lanes of a warp do.
  void runStore(const StatementNode& n, const Threads& threads, const std::function<void(RunThread*)>& note) {
    struct Stored {
      std::int64_t offset;
      Value value;
      bool isUnknown;
    };
    std::vector<Stored> stores;
    stores.reserve(threads.size());
    for (RunThread* t : threads) {
      indices_.resize(n.codes.size() - 1);
      for (std::size_t d = 0; d < indices_.size(); ++d) indices_[d] = value(n.codes[d + 1], *t, n);
      const std::int64_t offset = offsetOf(n.target, indices_.data());
      note(t);
      const Value v = value(n.codes[0], *t, n);
      stores.push_back({offset, v, std::exchange(isUnknown_, false)});
    }
    BufferMemory& m = memory_[std::size_t(n.target.buffer)];
    for (std::size_t l = 0; l < threads.size(); ++l) {
      const auto [offset, v, isUnknown] = stores[l];
      if (offset < 0) {
        report(Finding::Kind::OutOfBounds, n, *threads[l], n.target.buffer, -1, true);
        continue;
      }
      const std::size_t place = m.placeOf(*threads[l], offset);
      if (!m.touches.empty()) {
        Touch& touch = m.touches[place];
        const Conflict conflict = noteWrite(touch, clockOf(m), threads[l]->number);
        const bool same = m.written[place] && m.values[place].i == v.i && touch.readEpoch < touch.writeEpoch;
        if (!same) reportRace(conflict, n, *threads[l], n.target.buffer, offset, true, touch);
        writtenBy(touch, clock_, threads[l]->number, n.site);
      }
      m.values[place] = v;
      m.written[place] = 1;
      m.unknown[place] = isUnknown;
    }
  }

  void runBlock(const StatementNode& n, const Threads& threads, const std::function<void(RunThread*)>& note) {
    const std::size_t count = n.iterators.size();
    Threads inside, starting;
    std::vector<Value> values(count);
    for (RunThread* t : threads) {
      for (std::size_t i = 0; i < count; ++i) values[i] = value(n.codes[i], *t, n);
      for (std::size_t i = 0; i < count; ++i) t->variables[std::size_t(n.iterators[i])] = values[i];
      const bool runs = value(n.codes[count], *t, n).i;
      note(t);
      if (!runs) continue;
      inside.push_back(t);
      bool first = true;
      for (std::size_t r = 0; r < n.reductions.size(); ++r) {
        first = first && t->variables[std::size_t(n.reductions[r])].i == value(n.codes[count + 1 + r], *t, n).i;
      }
      note(t);
      if (first) starting.push_back(t);
    }
    const StatementNode* outer = std::exchange(block_, &n);
    if (n.hasInit) run(n.children[0], starting);
    run(n.children.back(), inside);
    block_ = outer;
  }

  Function function_;
  VirtualThreads virtualThreads_;
  const std::map<int, InputValues>& contents_;
  std::int64_t left_;
  ScalarCompiler compiler_;
  std::vector<BufferMemory> memory_;  // by the compiler's buffer number
  std::vector<Value> indices_;        // of the store that runs
  bool isUnknown_ = false;            // what was evaluated since the last statement to ask
  bool threaded_ = false, barriers_ = false;
  std::array<std::int64_t, 3> size_{1, 1, 1};  // threads of a block
  std::array<std::int64_t, 3> blockIdx_{};
  unsigned boundBlocks_ = 0, boundThreads_ = 0;  // axes
  bool inKernel_ = false;
  Threads inBlock_;          // all threads that the loops around have made
  std::uint32_t apart_ = 0;  // loops over virtual threads of whose iterations one runs
  // Those of outer loops that a condition left out, by block of those that run together.
  std::vector<std::size_t> missing_{0};
  Clock clock_;
  std::vector<std::pair<std::uint32_t, std::array<std::int64_t, 3>>> blockStarts_;
  std::vector<std::pair<std::string, std::int64_t>> loops_;
  const StatementNode* block_ = nullptr;
  FindingLog log_;
};

}  // namespace

Result<WholeRunOutcome> interpret(const Function& function, const std::map<int, InputValues>& contents,
                                  std::int64_t limit) {
  return WholeRun(function, contents, limit).run();
}

}  // namespace loom::exec
