#include "core/exec/reference.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "core/exec/batch.h"
#include "core/exec/byte_products.h"
#include "core/exec/declared_regions.h"
#include "core/exec/definition.h"
#include "core/exec/runs_as_threads.h"
#include "core/exec/uncertain.h"
#include "core/exec/whole_run.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"
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
  std::map<int, ElementDefinition> definitions;  // by buffer number
  std::map<int, InputValues> inputs;             // by buffer number
  std::vector<ElementLayout> layouts;            // by buffer number
  std::map<int, int> bufferOfParameter;
  std::optional<std::map<int, WholeResult>> whole;
  std::map<int, double> largest;  // absolute value of an output of `whole`, where it has been asked for
  std::vector<Finding> findings;
  bool threaded = false, barriers = false;
  std::vector<Value> variables;

  // What is known of a buffer so far. Inputs of moderate size are drawn once; they are small integers, and as bytes
  // what a sum reads of them stays in the caches.
  struct Memory {
    std::vector<Value> values;
    std::vector<std::uint8_t> known;
    std::vector<std::int8_t> drawn;
    std::array<std::vector<double>, 2> errors;  // without and with products that drop digits; -1: not known
    bool isFloat = false;                       // of drawn ones
    Value drawnAt(std::int64_t offset) const {
      Value v;
      if (isFloat) {
        v.f = drawn[std::size_t(offset)];
      } else {
        v.i = drawn[std::size_t(offset)];
      }
      return v;
    }
  };
  static constexpr std::int64_t kDrawn = std::int64_t(1) << 24;
  std::vector<Memory> memories;  // by buffer number
  // A stack for each element that is being computed for another one.
  std::vector<std::unique_ptr<BatchValue[]>> stacks;
  std::size_t depth = 0;

  Value element(int buffer, std::int64_t offset, bool together = true) {
    if (offset < 0) return Value{0};
    Memory& memory = memories[std::size_t(buffer)];
    if (!memory.drawn.empty()) return memory.drawnAt(offset);
    if (!memory.known.empty() && memory.known[std::size_t(offset)]) return memory.values[std::size_t(offset)];
    auto definition = definitions.find(buffer);
    if (definition == definitions.end()) {
      auto input = inputs.find(buffer);
      if (input == inputs.end()) return Value{0};
      bytesOf(buffer);
      return input->second.at(offset);
    }
    if (memory.known.empty()) {
      const auto all = std::size_t(layouts[std::size_t(buffer)].footprint());
      memory.values.resize(all);
      memory.known.resize(all);
    }
    compute(buffer, definition->second, offset, together ? kBatch : 1);
    return memories[std::size_t(buffer)].values[std::size_t(offset)];
  }

  // The bytes of an input that can be kept so; null of other buffers.
  const std::int8_t* bytesOf(int buffer) {
    Memory& memory = memories[std::size_t(buffer)];
    if (!memory.drawn.empty()) return memory.drawn.data();
    const auto input = inputs.find(buffer);
    if (input == inputs.end() || definitions.count(buffer) > 0) return nullptr;
    const std::int64_t all = layouts[std::size_t(buffer)].footprint();
    if (all > kDrawn || !input->second.fitsInByte()) return nullptr;
    draw(memory, input->second, all);
    return memory.drawn.data();
  }

  static void draw(Memory& memory, const InputValues& input, std::int64_t all) {
    memory.isFloat = input.isFloat;
    memory.drawn.resize(std::size_t(all));
    std::array<Value, 256> values;
    for (std::int64_t e = 0; e < all; e += std::int64_t(values.size())) {
      const std::int64_t count = std::min(all - e, std::int64_t(values.size()));
      input.fill(e, 1, count, values.data());
      for (std::int64_t i = 0; i < count; ++i)
        memory.drawn[std::size_t(e + i)] = std::int8_t(numberOf(values[std::size_t(i)], input.isFloat));
    }
  }

  // `n` elements from one on, `stride` apart.
  void row(int buffer, std::int64_t offset, std::int64_t stride, int n, Value* out) {
    const Memory& memory = memories[std::size_t(buffer)];
    if (!memory.drawn.empty()) {
      const std::int8_t* drawn = memory.drawn.data() + offset;
      if (memory.isFloat && stride == 1) {
        for (int i = 0; i < n; ++i) out[i].f = drawn[i];
      } else {
        for (int i = 0; i < n; ++i) out[i] = memory.drawnAt(offset + i * stride);
      }
      return;
    }
    bool known = !memory.known.empty();
    for (int i = 0; i < n && known; ++i) known = memory.known[std::size_t(offset + i * stride)];
    for (int i = 0; i < n; ++i) {
      const std::int64_t at = offset + i * stride;
      out[i] = known ? memory.values[std::size_t(at)] : element(buffer, at);
    }
  }

  // The element and those beside it along the longest dimension, `most` in all.
  void compute(int buffer, const ElementDefinition& d, std::int64_t offset, int most) {
    const ElementLayout& layout = layouts[std::size_t(buffer)];
    Memory& memory = memories[std::size_t(buffer)];
    const auto indices = layout.indicesOf(offset);
    auto put = [&](std::int64_t at, Value v) {
      memory.values[std::size_t(at)] = v;
      memory.known[std::size_t(at)] = 1;
    };
    auto input = inputs.find(buffer);
    auto before = [&](std::int64_t at) { return input == inputs.end() ? Value{0} : input->second.at(at); };
    if (!indices) return put(offset, before(offset));  // between the elements
    // Iterators of blocks are variables of their own, so that what an operand computes on the way disturbs nothing.
    for (std::size_t n = d.spatial.size(); n-- > 0;) variables[std::size_t(d.spatial[n])].i = (*indices)[n];
    const bool products = !d.factors.empty();  // whose rows are quick to compute, also of one element
    if (d.spatial.empty() || (most == 1 && !products)) return put(offset, one(d, before(offset)));
    std::size_t along = d.spatial.size() - 1;
    for (std::size_t n = along; n-- > 0;) {
      if (layout.extents[along] < kBatch && layout.extents[n] > layout.extents[along]) along = n;
    }
    const std::int64_t first = (*indices)[along] / most * most;
    const int count = int(std::min<std::int64_t>(most, layout.extents[along] - first));
    const std::int64_t start = offset - ((*indices)[along] - first) * layout.strides[along];
    if (depth == stacks.size()) stacks.push_back(std::make_unique<BatchValue[]>(66));
    BatchValue* stack = stacks[depth++].get();
    BatchValue& sum = stack[65];
    sum.kind = BatchValue::Kind::Each;
    for (int i = 0; i < count; ++i) sum.each[i] = before(start + i * layout.strides[along]);
    if (together(d, d.spatial[along], first, count, sum, stack)) {
      for (int i = 0; i < count; ++i) put(start + i * layout.strides[along], sum.at(i));
    } else {
      for (int i = 0; i < count; ++i) {
        for (std::size_t n = 0; n < d.spatial.size(); ++n) variables[std::size_t(d.spatial[n])].i = (*indices)[n];
        variables[std::size_t(d.spatial[along])].i = first + i;
        const std::int64_t at = start + i * layout.strides[along];
        put(at, one(d, before(at)));
      }
    }
    --depth;
  }

  // Calls f for every point of the reduction until it returns false.
  template <class Function>
  void overReduction(const ElementDefinition& d, Function&& f) {
    std::int64_t count = 1;
    for (const auto& r : d.reductions) {
      variables[std::size_t(r.variable)].i = 0;
      count *= r.extent;
    }
    for (std::int64_t i = 0; i < count && f(); ++i) {
      for (std::size_t r = d.reductions.size(); r-- > 0;) {
        Value& v = variables[std::size_t(d.reductions[r].variable)];
        if (++v.i < d.reductions[r].extent) break;
        v.i = 0;
      }
    }
  }

  // Where the terms of elements beside each other are products of inputs: their sums, added to `sum`. False where they
  // aren't, or an index goes outside.
  bool addInputs(const ElementDefinition& d, int along, std::int64_t first, int count, BatchValue& sum) {
    if (d.factors.size() != 2 || d.reductions.size() != 1) return false;
    const bool isFloat = d.combine.op == Op::AddF;
    if (!isFloat && d.combine.op != Op::AddI32) return false;
    const auto& [k, terms] = d.reductions.front();
    std::array<ByteFactors, 2> sides;
    for (std::size_t side = 0; side < 2; ++side) {
      const ScalarAccess& a = compiler.accesses()[std::size_t(d.factors[side].access)];
      const std::int8_t* bytes = bytesOf(a.buffer);
      if (!bytes || d.factors[side].variables.size() != a.layout.extents.size()) return false;
      ByteFactors& f = sides[side];
      std::int64_t offset = a.layout.start;
      for (std::size_t n = 0; n < a.layout.extents.size(); ++n) {
        const int v = d.factors[side].variables[n];
        const std::int64_t stride = a.layout.strides[n];
        const std::int64_t begin = v == k ? 0 : v == along ? first : variables[std::size_t(v)].i;
        const std::int64_t end = v == k ? terms : begin + (v == along ? count : 1);
        if (begin < 0 || end > a.layout.extents[n]) return false;
        offset += begin * stride;
        if (v == k) f.ofTerm += stride;
        if (v == along) f.ofResult += stride;
      }
      const InputValues& values = inputs.at(a.buffer);
      f.first = bytes + offset;
      f.most = int(std::max<std::int64_t>({1, -values.low, values.low + std::int64_t(values.span) - 1}));
    }
    std::array<std::int64_t, kBatch> sums{};
    addProducts(sides[0], sides[1], terms, count, sums.data());
    batch::spread(sum, count);
    for (int i = 0; i < count; ++i) {
      Value v = sum.at(i);
      if (isFloat) {
        v.f += double(sums[std::size_t(i)]);
      } else {
        v.i = std::int32_t(v.i + sums[std::size_t(i)]);
      }
      sum.each[i] = v;
    }
    sum.kind = BatchValue::Kind::Each;
    return true;
  }

  bool together(const ElementDefinition& d, int along, std::int64_t first, int count, BatchValue& sum,
                BatchValue* stack) {
    const auto& accesses = compiler.accesses();
    auto step = [&](const ScalarCode& code) {
      if (!evaluateBatch(code, accesses, variables.data(), along, first, count, sum, stack, *this)) return false;
      batch::assign(sum, stack[0], count);
      return true;
    };
    if (d.hasInit && !step(d.init)) return false;
    if (addInputs(d, along, first, count, sum)) return true;
    const auto add = [&] {
      if (!evaluateBatch(d.term, accesses, variables.data(), along, first, count, sum, stack, *this)) return false;
      batch::apply(d.combine.op, sum, stack[0], d.combine.constant.i, count);
      return true;
    };
    bool all = true;
    overReduction(d, [&] { return all = d.term.empty() ? step(d.update) : add(); });
    return all;
  }
  // An element, and by how much it may be off; `cuts`: products drop digits of their factors.
  Uncertain uncertain(int buffer, std::int64_t offset, bool cuts) {
    const Value value = element(buffer, offset, false);
    const auto found = definitions.find(buffer);
    if (found == definitions.end() || offset < 0) return {value, 0};
    const ElementLayout& layout = layouts[std::size_t(buffer)];
    std::vector<double>& errors = memories[std::size_t(buffer)].errors[std::size_t(cuts)];
    if (errors.empty()) errors.assign(std::size_t(layout.footprint()), -1);
    if (errors[std::size_t(offset)] < 0) errors[std::size_t(offset)] = errorOf(buffer, found->second, offset, cuts);
    return {value, errors[std::size_t(offset)]};
  }
  double errorOf(int buffer, const ElementDefinition& d, std::int64_t offset, bool cuts) {
    const auto indices = layouts[std::size_t(buffer)].indicesOf(offset);
    if (!indices || !compiler.buffers()[std::size_t(buffer)]->dtype.isFloat()) return 0;
    for (std::size_t n = d.spatial.size(); n-- > 0;) variables[std::size_t(d.spatial[n])].i = (*indices)[n];
    const auto input = inputs.find(buffer);
    Uncertain sum{input == inputs.end() ? Value{0} : input->second.at(offset), 0};
    const auto step = [&](const ScalarCode& code, bool inSum) {
      const Uncertain next = evaluateUncertain(code, compiler.accesses(), variables.data(), sum, cuts && inSum,
                                               [&](int b, std::int64_t at) { return uncertain(b, at, cuts); });
      const double term = std::abs(next.value.f - sum.value.f);
      sum = next;
      return term;
    };
    if (d.hasInit) step(d.init, false);
    double terms = 0, size = 0;
    overReduction(d, [&] {
      size += step(d.update, !d.reductions.empty());
      ++terms;
      return true;
    });
    return sum.error + terms * kOrderOfSum * size;
  }

  Value one(const ElementDefinition& d, Value start) {
    auto load = [&](int b, std::int64_t at) { return element(b, at); };
    const auto& accesses = compiler.accesses();
    if (d.hasInit) start = evaluate(d.init, accesses, variables.data(), start, load);
    overReduction(d, [&] {
      start = evaluate(d.update, accesses, variables.data(), start, load);
      return true;
    });
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
bool Reference::isThreaded() const { return impl_->whole && impl_->threaded; }
bool Reference::placesBarriers() const { return impl_->barriers; }
const std::vector<int>& Reference::outputs() const { return impl_->outputs; }
bool Reference::isExact() const { return impl_->exact; }

Result<Reference> Reference::create(const Function& given, std::uint64_t seed) {
  auto impl = std::make_unique<Impl>();
  impl->function = given;
  // What is stored through a buffer over a parameter's pointer is the parameter's.
  Function original = given;
  if (const Stmt body = lower::resolveAliases(given->body, given->params); body != given->body) {
    original = edit(*given, [&](FunctionNode& f) { f.body = std::static_pointer_cast<const BlockRealizeNode>(body); });
  }
  Use use;
  use.visit(original->body);
  impl->exact = use.exact;
  impl->ranges = inputRanges(original);
  for (std::size_t p = 0; p < original->params.size(); ++p) {
    const Buffer& b = original->params[p].buffer;
    if (!b) continue;  // a number: lower::instance has put its value where it is used
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
    if (!original->params[p].buffer) continue;
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
    impl->memories.resize(impl->layouts.size());
    impl->variables.resize(impl->compiler.variables());
    return Reference(std::move(impl));
  }
  // Tensor intrinsics as the loops that they stand for.
  Function plain = original;
  impl->threaded = runsAsThreads(original);
  if (!impl->threaded) {
    if (auto loops = lower::sequential(original)) plain = *loops;
  }
  auto whole = interpret(plain, impl->contents, kWholeRunLimit);
  if (!whole) return Failure(whole.error());
  impl->whole = std::move(whole->parameters);
  impl->barriers = whole->placesBarriers;
  std::ranges::move(whole->findings, std::back_inserter(impl->findings));
  return Reference(std::move(impl));
}

std::optional<Value> Reference::at(int parameter, std::int64_t offset, bool together) {
  if (impl_->whole) {
    const WholeResult& r = impl_->whole->at(parameter);
    if (!r.written[std::size_t(offset)]) return std::nullopt;
    return r.values[std::size_t(offset)];
  }
  const int buffer = impl_->bufferOfParameter.at(parameter);
  if (!impl_->layouts[std::size_t(buffer)].indicesOf(offset)) return std::nullopt;
  return impl_->element(buffer, offset, together);
}

bool Reference::isKnown(int parameter, std::int64_t offset) const {
  return !impl_->whole || !impl_->whole->at(parameter).unknown[std::size_t(offset)];
}

double Reference::uncertainty(int parameter, std::int64_t offset, int factorDigits) {
  const bool cuts = factorDigits > 0;
  if (!impl_->whole) return impl_->uncertain(impl_->bufferOfParameter.at(parameter), offset, cuts).error;
  // Of what is run whole nobody knows the terms: as if they were as large as the output's largest element.
  const WholeResult& r = impl_->whole->at(parameter);
  if (!impl_->function->params[std::size_t(parameter)].buffer->dtype.isFloat()) return 0;
  const auto [entry, isNew] = impl_->largest.try_emplace(parameter, 0);
  double& largest = entry->second;
  for (std::size_t e = 0; isNew && e < r.values.size(); ++e)
    if (r.written[e] && std::isfinite(r.values[e].f)) largest = std::max(largest, std::abs(r.values[e].f));
  const double cut = std::ldexp(1.0, -device::kTf32Digits);
  return largest * (1e-9 + (cuts ? 2 * cut + cut * cut : 0));
}

double Reference::nanoseconds(int parameter) const {
  if (impl_->whole) return 5;
  auto found = impl_->definitions.find(impl_->bufferOfParameter.at(parameter));
  if (found == impl_->definitions.end()) return 5;
  double count = 1;
  for (const auto& r : found->second.reductions) count *= double(r.extent);
  return 5 + count * double(found->second.update.size()) * 0.25;
}

}  // namespace loom::exec
