// The lessons' kernels with one thing changed at random: a barrier or statement taken out, a guard dropped, an index
// shifted, a number in an index or a condition replaced, a loop one iteration shorter. What the executor neither finds
// a fault in nor a wrong element means the same, which is so of few: a longer loop inside a guard, the factor in an
// initialisation's `k_0 * 4 + k_1 == 0`, a wider guard of registers that nobody uses.
// TILELOOM_MUTATIONS=FIRST..LAST runs other seeds and prints each survivor.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "core/device/build.h"
#include "core/device/operations/families.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::random_mutation_test {
namespace {

namespace dev = loom::device;

// The same operation on memory of the other order. Null where the hardware has none.
const dev::OperationRow* turned(const dev::OperationRow& row) {
  auto differs = [](const dev::OperandRow& a, const dev::OperandRow& b) {
    return a.operand == b.operand && a.where == b.where && (!a.inMemory() || a.rowMajor != b.rowMajor);
  };
  for (const dev::OperationFamily* family : dev::operationFamilies()) {
    if (family->rows.empty() || &row < family->rows.data() || &row > &family->rows.back()) continue;
    for (const dev::OperationRow& other : family->rows)
      if (other.call == row.call && std::ranges::equal(row.operands, other.operands, differs)) return &other;
  }
  return nullptr;
}

// Walks a kernel in a fixed order, counts what could be changed, and changes the n-th of it.
class Change : public ir::Mutator {
 public:
  explicit Change(int n) : n_(n) {}
  std::string what;
  int count = 0;

  dev::Stmt body(const dev::Stmt& s) {
    dev::Stmt next = s;
    switch (s->kind) {
      case dev::StmtKind::Sync:
        if (chosen()) return note("barrier taken out"), nullptr;
        break;
      case dev::StmtKind::If:
        if (chosen()) return note("guard dropped"), dev::as<dev::IfNode>(s)->yes;
        break;
      case dev::StmtKind::Store:
        place_ = dev::as<dev::StoreNode>(s)->to.buffer->name;
        if (chosen()) return note("store taken out"), nullptr;
        if (chosen()) {
          note("store shifted");
          return dev::edit<dev::StoreNode>(s, [](dev::StoreNode& n) { n.to.at = {shifted(n.to.index())}; });
        }
        break;
      case dev::StmtKind::Operation: {
        const auto& operation = *dev::as<dev::OperationNode>(s);
        place_ = dev::placeOf(operation, "d")->buffer->name;
        if (chosen()) return note("operation taken out"), nullptr;
        if (dev::placeOf(operation, "m") && turned(*operation.row) && chosen()) {
          note("layout turned");
          return dev::edit<dev::OperationNode>(s, [](dev::OperationNode& n) { n.row = turned(*n.row); });
        }
        break;
      }
      case dev::StmtKind::Loop: place_ = dev::as<dev::LoopNode>(s)->var->name; break;
      case dev::StmtKind::Block: block_ = dev::as<dev::BlockNode>(s)->name; break;
      case dev::StmtKind::Seq: break;
    }
    next = dev::mapExpressions(s, [&](const ir::Expr& e) { return rewrite(e); });
    return dev::mapChildren(next, [&](const dev::Stmt& child) { return body(child); });
  }

  ir::Expr rewrite(const ir::Expr& e) override {
    auto* number = ir::asInt(e);
    if (!number || number->dtype.isBool()) return Mutator::rewrite(e);
    std::int64_t n = number->value;
    for (std::int64_t other : {n + 1, n * 2, n - 1}) {
      if (other == n || other < 1 || !chosen()) continue;
      note(std::to_string(n) + " became " + std::to_string(other));
      return ir::intImm(other, number->dtype);
    }
    return e;
  }

 protected:
  ir::Expr rewriteLoad(const ir::Expr& e) override {
    const auto& load = *ir::as<ir::LoadNode>(e);
    if (chosen()) {
      note("load of " + load.buffer->name + " shifted");
      return ir::load(load.buffer, {shifted(load.indices[0])});
    }
    return Mutator::rewriteLoad(e);
  }
  // The stride of a vector stays 1.
  ir::Expr rewriteRamp(const ir::Expr& e) override {
    const auto& ramp = *ir::as<ir::RampNode>(e);
    return std::make_shared<const ir::RampNode>(rewrite(ramp.base), ramp.stride, e->dtype.lanes);
  }

 private:
  static ir::Expr shifted(const ir::Expr& index) {
    if (index->kind != ir::ExprKind::Ramp) return index + ir::intImm(1, index->dtype);
    const auto& ramp = *ir::as<ir::RampNode>(index);
    return std::make_shared<const ir::RampNode>(shifted(ramp.base), ramp.stride, index->dtype.lanes);
  }
  bool chosen() { return count++ == n_; }
  void note(const std::string& text) { what = text + " (block " + block_ + ", " + place_ + ")"; }

  int n_;
  std::string block_, place_;
};

struct Subject {
  std::string name;
  ir::Function original, scheduled;
  dev::Program program;
  int changes = 0;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Kernels of the lessons' schedules: the last state and two on the way of each, at extents so small that all of them
// runs; the SIMT ones also at extents that don't divide.
std::vector<Subject> subjects() {
  std::vector<Subject> all;
  auto add = [&](const std::string& name, const std::string& function, const std::string& lines) {
    auto replay = replayed(function, lines);
    for (std::size_t back : {1, 3, 6}) {
      if (back > replay.steps.size()) continue;
      auto scheduled = replay.steps[replay.steps.size() - back].state.module().functions.front();
      Subject s{name, parse(function), scheduled, {}, 0};
      s.name += fmt::format(", step {}", replay.steps.size() - back + 1);
      auto program = lower::lower(s.scheduled);
      if (!program) continue;
      s.program = std::move(*program);
      Change count(-1);
      for (const dev::Kernel& k : s.program.kernels) count.body(k.body);
      s.changes = count.count;
      all.push_back(std::move(s));
    }
  };
  const std::string folder = "tests/oracle/cases/lessons/";
  std::string function = readText(folder + "tensorcore.func.py"), lines = readText(folder + "tensorcore.sched.py");
  function = replaced(function, "(1024, 1024), \"float16\"", "(256, 128), \"float16\"");
  function = replaced(function, "(1024, 1024)", "(256, 256)");
  function = replaced(function, "1024, 1024, 1024", "256, 256, 128");
  add("tensorcore", function, replaced(replaced(lines, "[8, 4, 2]", "[2, 4, 2]"), "[16, 2, 2]", "[2, 2, 2]"));
  for (const char* name :
       {"fp32_v1_one_dim_threads", "fp32_v2_two_dim_threads", "fp32_v3_shared_memory", "fp32_v4_registers"}) {
    lines = readText(folder + name + ".sched.py");
    function = readText(folder + name + std::string(".func.py"));
    for (auto [x, y, k] : {std::array{"64", "96", "24"}, std::array{"50", "37", "22"}}) {
      add(std::string(name) + " at " + x, replaced(replaced(replaced(function, "2048", k), "1024", x), "512", y),
          lines);
    }
  }
  return all;
}

std::string memoryOf(const dev::Program& program, const std::string& buffer) {
  for (const dev::Kernel& k : program.kernels) {
    for (const dev::Allocation& a : k.allocations) {
      if (a.buffer->name == buffer) return a.fragment ? "fragment" : a.buffer->scope;
    }
  }
  return "global";
}

// "" when nothing is wrong.
std::string complaint(const Subject& s, const dev::Program& program, Reference& reference) {
  auto executable = prepare(program);
  if (!executable) return "not executable: " + executable.error().message.english();
  GlobalMemory memory(*executable, reference.contents(), {});
  auto findings = execute(*executable, {}, memory).value();
  for (const Finding& f : findings) {
    if (!isFault(f.kind)) continue;
    // Every fault says where and who.
    EXPECT_FALSE(f.blockName.empty() || f.threads.empty() || f.buffer.empty()) << describe(f);
    EXPECT_TRUE(f.kind != Finding::Kind::RaceInBlock || f.threads.size() == 2) << describe(f);
    return std::string(nameOf(f.kind)) + " in " + memoryOf(program, f.buffer) + " memory: " + describe(f).english();
  }
  int output = reference.outputs().front();
  const Area& area = memory.at(s.scheduled->params[std::size_t(output)].buffer->data.get());
  for (std::int64_t e = 0; e < area.elements; ++e) {
    if (!(area.states[e] & kWritten)) return fmt::format("never written: element {}", e);
    if (reference.at(output, e)->f != area.values[e].f) return fmt::format("wrong: element {}", e);
  }
  return "";
}

TEST(RandomMutation, IsFoundUnlessItMeansTheSame) {
  unsigned first = 1, last = 200;
  const char* given = std::getenv("TILELOOM_MUTATIONS");
  if (given) std::sscanf(given, "%u..%u", &first, &last);
  auto all = subjects();
  ASSERT_GE(all.size(), 10u);
  std::map<std::string, std::unique_ptr<Reference>> references;
  int found = 0, survived = 0;
  std::map<std::string, int> kinds;
  for (unsigned seed = first; seed <= last; ++seed) {
    std::mt19937 dice(seed);
    const Subject& s = seed % 3 == 0 ? all.front() : all[dice() % all.size()];  // a third for tensor cores
    auto& reference = references[s.name];
    if (!reference) reference = std::make_unique<Reference>(Reference::create(s.original, 1).value());
    Change change(int(dice() % unsigned(s.changes)));
    dev::Program program = s.program;
    for (dev::Kernel& k : program.kernels) k.body = change.body(k.body);
    ASSERT_FALSE(change.what.empty());
    std::string text = complaint(s, program, *reference);
    (text.empty() ? survived : found)++;
    ++kinds[text.empty() ? "survived" : text.substr(0, text.find(':'))];
    if (text.empty()) std::printf("seed %u survives: %s: %s\n", seed, s.name.c_str(), change.what.c_str());
    if (given && !text.empty())
      std::printf("seed %u: %s: %s: %s\n", seed, s.name.c_str(), change.what.c_str(), text.c_str());
  }
  for (const auto& [kind, count] : kinds) std::printf("%5d %s\n", count, kind.c_str());
  RecordProperty("found", found);
  if (!given) {
    EXPECT_LE(survived, 8);
    EXPECT_GE(found, 192);
    for (const char* part : {"global memory", "shared memory", "local memory", "fragment memory", "out_of_bounds",
                             "uninitialised", "race_in_block", "race_between_blocks", "misaligned", "wrong"}) {
      EXPECT_THAT(kinds, testing::Contains(testing::Key(testing::HasSubstr(part))));
    }
  }
}

}  // namespace
}  // namespace loom::exec::random_mutation_test
