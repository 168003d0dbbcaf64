#include "tests/exec/random_schedule.h"

#include <fmt/format.h>

#include <random>

#include "core/schedule/instruction.h"
#include "core/script/step_line.h"
#include "tests/exec/scheduled.h"

namespace loom::exec {
namespace {

using ir::Id;
using schedule::State;

// Small functions over random extents. Blocks are in order; `reduction` is the one with a T.init.
struct Source {
  std::string text;
  std::vector<std::string> blocks;
  std::string reduction;
};

class Growth {
 public:
  explicit Growth(std::uint64_t seed) : dice_(seed) {
    source_ = makeSource();
    result_.function = source_.text;
    result_.last = State::create(script::parseModule(source_.text, "random.py").value()).value();
  }

  RandomSchedule grow() {
    for (const std::string& b : source_.blocks) apply(fmt::format("{} = sch.get_block(\"{}\")", handle(b), b));
    if (!source_.reduction.empty() && one(10) < 9) {
      scheduleReduction();
    } else {
      for (const std::string& b : source_.blocks) bindElementwise(handle(b));
    }
    for (int n = one(4); n > 0; --n) nonsense();
    return std::move(result_);
  }

 private:
  int one(int n) { return int(dice_() % std::uint64_t(n)); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[std::size_t(one(int(from.size())))];
  }
  bool chance(int percent) { return one(100) < percent; }
  int extent() { return pick<int>({1, 2, 3, 5, 7, 8, 12, 13, 16, 17, 24, 31, 32, 33, 48, 60, 64}); }
  static std::string handle(const std::string& block) { return "b_" + block; }

  // --- functions ---

  static std::string indented(const std::string& body) { return "    " + body + "\n"; }
  static std::string head(const std::string& params) { return "@T.prim_func\ndef main(" + params + "):\n"; }
  static std::string param(const std::string& name, const std::string& shape, const std::string& dtype = "float32") {
    return fmt::format("{}: T.Buffer(({}), \"{}\")", name, shape, dtype);
  }
  static std::string product(int m, int n, int k, const std::string& out, const std::string& b) {
    return fmt::format(R"(    for i, j, k in T.grid({0}, {1}, {2}):
        with T.block("{3}"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                {3}[vi, vj] = T.float32(0)
            {3}[vi, vj] = {3}[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[{4}])
)",
                       m, n, k, out, b);
  }
  static std::string each(int m, int n, const std::string& out, const std::string& value) {
    return fmt::format(R"(    for i, j in T.grid({}, {}):
        with T.block("{}"):
            vi, vj = T.axis.remap("SS", [i, j])
            {}[vi, vj] = {}
)",
                       m, n, out, out, value);
  }

  Source makeSource() {
    int m = extent(), n = extent(), k = extent();
    auto shape = [](int a, int b) { return fmt::format("{}, {}", a, b); };
    std::string dtype = chance(50) ? "float16" : "float32";
    bool transposed = chance(50);
    std::string b = transposed ? "vj, vk" : "vk, vj";
    std::string operands =
        param("A", shape(m, k), dtype) + ", " + param("B", transposed ? shape(n, k) : shape(k, n), dtype);
    switch (one(6)) {
      case 0:
        return {head(param("A", shape(m, n)) + ", " + param("D", shape(m, n))) +
                    fmt::format("    B = T.alloc_buffer(({}, {}))\n", m, n) +
                    each(m, n, "B", "A[vi, vj] * T.float32(2)") +
                    each(m, n, "D", "T.max(B[vi, vj] + T.float32(1), A[vi, vj])"),
                {"B", "D"},
                ""};
      case 1:
        return {head(param("A", shape(n, m)) + ", " + param("D", shape(m, n))) +
                    fmt::format("    B = T.alloc_buffer(({}, {}))\n", m, n) + each(m, n, "B", "A[vj, vi]") +
                    each(m, n, "D", "B[vi, vj] + T.float32(1)"),
                {"B", "D"},
                ""};
      case 2:
        return {head(operands + ", " + param("D", shape(m, n))) +
                    fmt::format("    C = T.alloc_buffer(({}, {}))\n", m, n) + product(m, n, k, "C", b) +
                    each(m, n, "D", "T.max(C[vi, vj], T.float32(0))"),
                {"C", "D"},
                "C"};
      default: return {head(operands + ", " + param("C", shape(m, n))) + product(m, n, k, "C", b), {"C"}, "C"};
    }
  }

  // --- lines ---

  bool apply(const std::string& line) {
    auto calls = script::parseSchedule(line, "random.sched.py");
    if (!calls) throw std::runtime_error(line + ": " + calls.error().message.english());
    auto applied = schedule::apply(result_.last, ++step_, calls->front(), schedule::Environment{&intrinsics()});
    if (!applied) return false;
    result_.last = std::move(applied->next);
    result_.lines.push_back(line);
    return true;
  }
  std::string fresh() { return fmt::format("l{}", ++count_); }

  // Loops around the block, outermost first; fetched under new names.
  std::vector<std::string> loops(const std::string& block) {
    const auto* b = result_.last.lookup(block);
    if (!b || !result_.last.isAlive(b->handles[0])) return {};
    std::size_t n = result_.last.tree().loopsAbove(std::get<schedule::BlockRef>(b->handles[0]).id).size();
    std::vector<std::string> names;
    std::string list;
    for (std::size_t i = 0; i < n; ++i) {
      names.push_back(fresh());
      list += names.back() + ", ";
    }
    if (n == 0 || !apply(list + "= sch.get_loops(" + block + ")")) return {};
    return names;
  }
  std::vector<std::string> split(const std::string& loop, const std::vector<int>& factors) {
    std::vector<std::string> names{fresh()};
    std::string targets = names[0], list = "None";
    for (int f : factors) {
      names.push_back(fresh());
      targets += ", " + names.back();
      list += ", " + std::to_string(f);
    }
    if (!apply(fmt::format("{} = sch.split({}, [{}])", targets, loop, list))) return {};
    return names;
  }
  bool bind(const std::string& loop, const std::string& axis) {
    return apply(fmt::format("sch.bind({}, \"{}\")", loop, axis));
  }

  void bindElementwise(const std::string& block) {
    auto l = loops(block);
    if (l.size() < 2) return;
    if (chance(50)) {
      std::string f = fresh();
      if (!apply(fmt::format("{} = sch.fuse({}, {})", f, l[0], l[1]))) return;
      bool vector = chance(50);
      auto parts = split(f, vector ? std::vector<int>{pick<int>({16, 32, 64}), pick<int>({2, 3, 4, 8})}
                                   : std::vector<int>{pick<int>({16, 32, 33, 64})});
      if (parts.empty()) return;
      bind(parts[0], "blockIdx.x");
      bind(parts[1], "threadIdx.x");
      if (vector) apply(fmt::format("sch.{}({})", chance(70) ? "vectorize" : "unroll", parts[2]));
    } else {
      bind(l[0], "blockIdx.x");
      bind(l[1], "threadIdx.x");
    }
  }

  void scheduleReduction() {
    std::string block = handle(source_.reduction);
    auto l = loops(block);
    int ty = pick<int>({1, 2, 4, 8}), tx = pick<int>({4, 8, 16, 32});
    bool inner = chance(60), virtualThreads = chance(30);
    std::vector<int> rows, columns;
    if (virtualThreads) rows.push_back(2), columns.push_back(pick<int>({1, 2}));
    rows.push_back(ty), columns.push_back(tx);
    if (inner) rows.push_back(pick<int>({1, 2, 3})), columns.push_back(pick<int>({1, 2, 4}));
    auto i = split(l[0], rows), j = split(l[1], columns), k = split(l[2], {pick<int>({1, 2, 4, 8})});
    if (i.empty() || j.empty() || k.empty()) return;
    std::string order;
    std::size_t outer = virtualThreads ? 3 : 2;
    for (std::size_t d = 0; d < outer; ++d) order += i[d] + ", " + j[d] + ", ";
    bool unrolledInside = inner && chance(50);
    order += k[0] + ", " + k[1];
    for (std::size_t d = outer; d < i.size(); ++d) order += ", " + i[d] + ", " + j[d];
    apply("sch.reorder(" + order + ")");
    std::string thread = j[outer - 1], threadRow = i[outer - 1];
    bind(i[0], "blockIdx.y"), bind(j[0], "blockIdx.x");
    if (virtualThreads) bind(i[1], "vthread.y"), bind(j[1], "vthread.x");
    if (chance(90)) bind(threadRow, "threadIdx.y");
    bind(thread, "threadIdx.x");
    if (unrolledInside) apply(fmt::format("sch.unroll({})", j.back()));

    if (chance(60)) {
      std::string c = fresh();
      if (apply(fmt::format("{} = sch.cache_write({}, 0, \"{}\")", c, block, chance(80) ? "local" : "shared")) &&
          apply(fmt::format("sch.reverse_compute_at({}, {})", c, thread)) && chance(40)) {
        auto around = loops(c);
        if (!around.empty()) apply(fmt::format("sch.vectorize({})", around.back()));
      }
    }
    for (int operand = 0; operand < 2; ++operand) {
      if (chance(35)) continue;
      fetch(block, operand, chance(75) ? k[0] : chance(50) ? k[1] : thread, ty, tx);
    }
    if (chance(60)) apply(fmt::format("{} = sch.decompose_reduction({}, {})", fresh(), block, k[0]));
    if (source_.blocks.size() > 1) {
      std::string after = handle(source_.blocks.back());
      if (!chance(50) || !apply(fmt::format("sch.reverse_compute_at({}, {})", after, thread))) bindElementwise(after);
    }
  }

  // A copy of an operand that the block's threads make together.
  void fetch(const std::string& block, int operand, const std::string& at, int ty, int tx) {
    std::string copy = fresh();
    std::string scope = pick<std::string>({"shared", "shared", "shared", "shared.dyn", "local"});
    if (!apply(fmt::format("{} = sch.cache_read({}, {}, \"{}\")", copy, block, operand, scope))) return;
    if (!apply(fmt::format("sch.compute_at({}, {})", copy, at))) return;
    if (scope == "local") return;
    if (chance(20)) {
      // Drawn one after the other: compilers differ in which argument of a call comes first.
      const int offset = pick<int>({4, 8}), factor = pick<int>({8, 16, 32});
      apply(fmt::format("sch.storage_align({}, 0, -2, {}, {})", copy, factor, offset));
    }
    auto around = loops(copy);
    if (around.size() < 2 || chance(15)) return;
    std::string f = fresh();
    if (!apply(fmt::format("{} = sch.fuse({}, {})", f, around[around.size() - 2], around.back()))) return;
    int width = pick<int>({1, 1, 2, 4, 8});
    std::vector<int> factors{ty, tx};
    if (width > 1) factors.push_back(width);
    auto parts = split(f, factors);
    if (parts.empty()) return;
    if (chance(90)) bind(parts[1], "threadIdx.y");
    if (chance(90)) bind(parts[2], "threadIdx.x");
    if (width > 1) apply(fmt::format("sch.vectorize({})", parts[3]));
  }

  // One line on any block that is still there.
  void nonsense() {
    std::string block = handle(pick(source_.blocks));
    auto l = loops(block);
    if (l.empty()) return;
    const std::string& loop = pick(l);
    switch (one(8)) {
      case 0: bind(loop, pick<std::string>({"threadIdx.x", "threadIdx.z", "blockIdx.z", "vthread.x"})); break;
      case 1: apply(fmt::format("sch.vectorize({})", loop)); break;
      case 2: apply(fmt::format("sch.unroll({})", loop)); break;
      case 3: split(loop, {pick<int>({2, 3, 5, 8})}); break;
      case 4: apply(fmt::format("sch.reorder({}, {})", loop, pick(l))); break;
      case 5: {
        const std::string scope = pick<std::string>({"shared", "local", "wmma.matrix_a", "warp"});
        const int operand = one(2);
        apply(fmt::format("{} = sch.cache_read({}, {}, \"{}\")", fresh(), block, operand, scope));
        break;
      }
      case 6: apply(fmt::format("{} = sch.add_unit_loop({})", fresh(), loop)); break;
      default: apply(fmt::format("{} = sch.blockize({})", fresh(), loop)); break;
    }
  }

  std::mt19937_64 dice_;
  Source source_;
  RandomSchedule result_;
  std::uint32_t step_ = 0;
  int count_ = 0;
};

}  // namespace

std::string RandomSchedule::text() const {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

RandomSchedule randomSchedule(std::uint64_t seed) { return Growth(seed).grow(); }

}  // namespace loom::exec
