#include "core/exec/reference.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/exec/declared_regions.h"
#include "core/exec/definition.h"
#include "core/exec/whole_run.h"
#include "core/ir/visit.h"
#include "core/lower/sequential.h"

namespace loom::exec {

using namespace ir;

namespace {

constexpr std::int64_t kWholeRunLimit = 30'000'000;  // statements; some seconds

// Which parameters the function reads before it has written them, in program order.
class Use : public Visitor {
 public:
  std::set<const BufferNode*> written, readFirst;
  bool narrow = false, exact = true;

 protected:
  void visitBlock(const BlockNode& n) override {
    for (const Buffer& b : n.allocs) narrow = narrow || isNarrow(*b);
    // An initial value comes before the reads of the update.
    if (n.init) visit(n.init);
    visit(n.body);
  }
  void visitLoad(const LoadNode& n) override {
    if (!written.count(n.buffer.get())) readFirst.insert(n.buffer.get());
    Visitor::visitLoad(n);
  }
  void visitStore(const StoreNode& n) override {
    Visitor::visitStore(n);
    narrow = narrow || isNarrow(*n.buffer);
    written.insert(n.buffer.get());
  }
  void visitBinary(const BinaryNode& n) override {
    if (n.dtype.isFloat() && (n.kind == ExprKind::Div || n.kind == ExprKind::FloorDiv || n.kind == ExprKind::Mod)) {
      exact = false;
    }
    Visitor::visitBinary(n);
  }
  void visitCall(const CallNode& n) override {
    if (n.dtype.isFloat() && n.op != "if_then_else") exact = false;
    Visitor::visitCall(n);
  }
  void visitImmediate(const ExprNode& n) override {
    if (n.kind == ExprKind::FloatImm) {
      double v = static_cast<const FloatImmNode&>(n).value;
      if (v != std::floor(v)) exact = false;
    }
  }

 private:
  static bool isNarrow(const BufferNode& b) { return b.dtype.isFloat() && b.dtype.bits <= 16; }
};

}  // namespace

struct Reference::Impl {
  Function function;
  std::map<int, InputValues> contents;
  InputRanges ranges;
  std::vector<int> outputs;
  bool exact = true;
  ScalarCompiler compiler;
  std::map<int, Definition> definitions;  // by buffer number
  std::map<int, InputValues> inputs;      // by buffer number
  std::vector<ElementLayout> layouts;     // by buffer number
  std::vector<std::unordered_map<std::int64_t, Value>> known;
  std::map<int, int> bufferOfParameter;
  std::optional<std::map<int, WholeResult>> whole;
  std::vector<Finding> findings;
  std::vector<Value> variables;

  Value element(int buffer, std::int64_t offset) {
    if (offset < 0) return Value{0};
    auto definition = definitions.find(buffer);
    if (definition == definitions.end()) {
      auto input = inputs.find(buffer);
      return input == inputs.end() ? Value{0} : input->second.at(offset);
    }
    auto& memory = known[std::size_t(buffer)];
    if (auto found = memory.find(offset); found != memory.end()) return found->second;
    Value v = compute(buffer, definition->second, offset);
    memory.emplace(offset, v);
    return v;
  }

  Value compute(int buffer, const Definition& d, std::int64_t offset) {
    // Iterators of blocks are variables of their own, so that what an operand computes on the way disturbs nothing.
    Value start{0};
    if (auto input = inputs.find(buffer); input != inputs.end()) start = input->second.at(offset);
    const auto indices = layouts[std::size_t(buffer)].indicesOf(offset);
    if (!indices) return start;  // between the elements
    for (std::size_t n = d.spatial.size(); n-- > 0;) variables[std::size_t(d.spatial[n])].i = (*indices)[n];
    auto load = [&](int b, std::int64_t at) { return element(b, at); };
    std::int64_t count = 1;
    for (const auto& r : d.reductions) {
      variables[std::size_t(r.variable)].i = 0;
      count *= r.extent;
    }
    const auto& accesses = compiler.accesses();
    if (d.hasInit) start = evaluate(d.init, accesses, variables.data(), start, load);
    for (std::int64_t i = 0; i < count; ++i) {
      start = evaluate(d.update, accesses, variables.data(), start, load);
      for (std::size_t r = d.reductions.size(); r-- > 0;) {
        Value& v = variables[std::size_t(d.reductions[r].variable)];
        if (++v.i < d.reductions[r].extent) break;
        v.i = 0;
      }
    }
    return start;
  }
};

Reference::Reference(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reference::Reference(Reference&&) noexcept = default;
Reference& Reference::operator=(Reference&&) noexcept = default;
Reference::~Reference() = default;
const Function& Reference::function() const { return impl_->function; }
const std::map<int, InputValues>& Reference::contents() const { return impl_->contents; }
const InputRanges& Reference::inputs() const { return impl_->ranges; }
const std::vector<Finding>& Reference::findings() const { return impl_->findings; }
const std::vector<int>& Reference::outputs() const { return impl_->outputs; }
bool Reference::isExact() const { return impl_->exact; }

Result<Reference> Reference::create(const Function& original, std::uint64_t seed) {
  auto impl = std::make_unique<Impl>();
  impl->function = original;
  Use use;
  use.visit(original->body);
  impl->exact = use.exact;
  impl->ranges = inputRanges(original);
  for (std::size_t p = 0; p < original->params.size(); ++p) {
    const Buffer& b = original->params[p].buffer;
    if (!b) return fail("NotExecutable", "a parameter is a number, not a buffer", Forbids::Environment);
    if (auto layout = ScalarCompiler::layoutOf(b); !layout) return Failure(layout.error());
    if (use.written.count(b.get())) impl->outputs.push_back(int(p));
    if (!use.written.count(b.get()) || use.readFirst.count(b.get())) {
      InputValues& values = impl->contents[int(p)] = inputValues(seed, int(p), b->dtype, use.narrow);
      if (auto range = impl->ranges.ranges.find(int(p)); range != impl->ranges.ranges.end()) {
        std::int64_t elements = 1;
        for (const Expr& extent : b->shape) elements *= constantOr(extent, 1);
        drawFrom(values, range->second, elements);
      }
    }
  }
  for (std::size_t p = 0; p < original->params.size(); ++p) {
    int number = impl->compiler.buffer(original->params[p].buffer);
    impl->bufferOfParameter[int(p)] = number;
    if (auto found = impl->contents.find(int(p)); found != impl->contents.end()) impl->inputs[number] = found->second;
  }
  impl->findings = undeclaredAccesses(original, impl->contents, seed);
  if (auto definitions = findDefinitions(original, impl->compiler)) {
    for (auto& [buffer, d] : *definitions) impl->definitions.emplace(buffer, std::move(d));
    for (const Buffer& b : impl->compiler.buffers()) {
      auto layout = ScalarCompiler::layoutOf(b);
      if (!layout) return Failure(layout.error());
      impl->layouts.push_back(std::move(*layout));
    }
    impl->known.resize(impl->layouts.size());
    impl->variables.resize(impl->compiler.variables());
    return Reference(std::move(impl));
  }
  // Tensor intrinsics as the loops that they stand for.
  Function plain = original;
  if (!runsAsThreads(original)) {
    if (auto loops = lower::sequential(original)) plain = *loops;
  }
  auto whole = runWhole(plain, impl->contents, kWholeRunLimit);
  if (!whole) return Failure(whole.error());
  impl->whole = std::move(whole->parameters);
  std::ranges::move(whole->findings, std::back_inserter(impl->findings));
  return Reference(std::move(impl));
}

std::optional<Value> Reference::at(int parameter, std::int64_t offset) {
  if (impl_->whole) {
    const WholeResult& r = impl_->whole->at(parameter);
    if (!r.written[std::size_t(offset)]) return std::nullopt;
    return r.values[std::size_t(offset)];
  }
  const int buffer = impl_->bufferOfParameter.at(parameter);
  if (!impl_->layouts[std::size_t(buffer)].indicesOf(offset)) return std::nullopt;
  return impl_->element(buffer, offset);
}

}  // namespace loom::exec
