#include "core/tune/rules/operands_made_plain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"
#include "core/schedule/read_place.h"
#include "core/schedule/read_value.h"
#include "core/schedule/warnings.h"
#include "core/tune/rules/contraction.h"
#include "core/tune/rules/linear_index.h"
#include "core/tune/rules/update.h"

namespace loom::tune {

namespace {

using namespace ir;

constexpr int kMostSteps = 4;  // until the operands of a block are plain

// Step lines after which a block may be a contraction, and why; none: its operands are plain, or nothing is known that
// makes them so.
struct PlainOperands {
  std::vector<std::string> lines;
  Message why;
  bool cuts = false;  // whether iterators become several, which blocks without tiles are better without
};

// Iterators of which some index has the quotient by a number that divides their extents, and that number; without
// those that are divided by several. And which of what the block reads is read so, or by the remainder.
struct Divided {
  std::map<int, std::int64_t> iterators;
  std::map<int, std::size_t> reads;  // and how many indices they have
};
Divided dividedIn(const BlockNode& block) {
  Divided all;
  std::map<int, std::int64_t>& divided = all.iterators;
  const auto note = [&](const BinaryNode& quotient) {
    const std::int64_t by = constantOr(quotient.b, 0);
    for (std::size_t n = 0; n < block.iters.size(); ++n) {
      const std::int64_t extent = constantOr(block.iters[n].domain.extent, 0);
      if (quotient.a.get() != block.iters[n].var.get() || by < 2 || extent % by != 0 || extent == by) continue;
      const auto [known, isNew] = divided.try_emplace(int(n), by);
      if (!isNew && known->second != by) known->second = 0;
    }
  };
  for (const LoadNode* load : loadsIn(block.body))
    for (const Expr& index : load->indices)
      forEachExpr(index, [&](const Expr& e) {
        const auto* quotient = asBinary(e, ExprKind::FloorDiv);
        if (quotient == nullptr && asBinary(e, ExprKind::FloorMod) == nullptr) return;
        if (quotient != nullptr) note(*quotient);
        if (const int read = readOf(block, *load); read >= 0) all.reads[read] = load->indices.size();
      });
  std::erase_if(divided, [](const auto& one) { return one.second == 0; });
  return all;
}

// How many products of a batch differ in iterators by whose quotients an operand is read, as an image is that grows:
// `X[r, h // 2] * F[r, c, h % 2]` is a product for each h. Where quotient and remainder are iterators of their own, one
// operand has the one and the other the other, and all these are one product. 1: there are none.
std::int64_t dividedBatch(const BlockNode& block, const Contraction& product) {
  const Divided divided = dividedIn(block);
  std::int64_t batch = 1;
  for (const int n : product.batch)
    if (divided.iterators.contains(n)) batch *= product.extents[std::size_t(n)];
  return batch;
}

PlainOperands cutIterators(const BlockNode& block, const Divided& divided) {
  std::vector<std::string> names, parts, cut;
  for (int n = 0; n < int(block.iters.size()); ++n) {
    names.push_back(fmt::format("v{}", n));
    const auto by = divided.iterators.find(n);
    if (by == divided.iterators.end()) {
      parts.push_back(names.back());
      continue;
    }
    parts.push_back(fmt::format("{} // {}", names.back(), by->second));
    parts.push_back(fmt::format("{} % {}", names.back(), by->second));
    cut.push_back(fmt::format("{} // {}", block.iters[std::size_t(n)].var->name, by->second));
  }
  PlainOperands made;
  made.cuts = true;
  made.lines.push_back(
      fmt::format("sch.transform_block_layout(b, lambda {}: ({}))", fmt::join(names, ", "), fmt::join(parts, ", ")));
  // An index that is (v1 * 32 + v2) // 32 now is simplified where a layout is transformed, even to the one it is.
  for (const auto& [read, dimensions] : divided.reads) {
    std::string all = "d0";
    for (std::size_t d = 1; d < dimensions; ++d) all += fmt::format(", d{}", d);
    made.lines.push_back(fmt::format("t = sch.cache_read(b, {}, \"global\")", read));
    made.lines.push_back(fmt::format("sch.transform_layout(b, (\"read\", {}), lambda {}: ({}))", read, all, all));
  }
  made.why = message("operands are read by {}: each is an iterator of its own", fmt::to_string(fmt::join(cut, ", ")));
  return made;
}

// Whether a condition of the block reads memory, as one on where another buffer says that elements are.
bool asksMemory(const BlockNode& block) {
  bool asks = false;
  forEachExpr(block.body, [&](const Expr& e) {
    const auto* call = asCall(e);
    asks |= e->kind == ExprKind::Select && readsMemory(as<SelectNode>(e)->condition);
    asks |= call && call->op == "if_then_else" && !call->args.empty() && readsMemory(call->args[0]);
  });
  return asks;
}

// Loads at places that other buffers hold, as indices of what the block reads.
std::vector<int> gatheredIn(const BlockNode& block) {
  std::vector<int> reads;
  if (asksMemory(block)) return reads;  // a copy would go to places that the block doesn't
  for (const LoadNode* load : loadsIn(block.body)) {
    if (std::ranges::none_of(load->indices, readsMemory)) continue;
    if (const int read = readOf(block, *load); read >= 0) reads.push_back(read);
  }
  return reads;
}

// Whether the block says that it reads single elements of just the buffers that its text reads, in the text's order.
bool saysWhatItReads(const Block& block) {
  const std::vector<BufferRegion> found = schedule::readsOfBody(block);
  const auto isElement = [](const BufferRegion& region) {
    return std::ranges::all_of(region.region, [](const Range& range) { return constantOr(range.extent, 0) == 1; });
  };
  return std::ranges::equal(block->reads, found, {}, &BufferRegion::buffer, &BufferRegion::buffer) &&
         (std::ranges::all_of(block->reads, isElement) || !std::ranges::all_of(found, isElement));
}

// What is inlined into a block has it look again at what it reads.
std::vector<std::string> lookAgain(int read) {
  return {fmt::format("t = sch.cache_read(b, {}, \"global\")", read), "sch.compute_inline(t)"};
}

// Of a block that says something else than it reads, the first region with a buffer that it does read, and names once;
// -1: there is none.
int firstRead(const BlockNode& block) {
  for (const LoadNode* load : loadsIn(block.body)) {
    const bool isOwn = std::ranges::find(block.writes, load->buffer, &BufferRegion::buffer) != block.writes.end();
    if (!isOwn && std::ranges::count(block.reads, load->buffer, &BufferRegion::buffer) == 1)
      return readOf(block, *load);
  }
  return -1;
}

// A buffer that is read at several places: the reads at the first of them go to a copy.
PlainOperands readApart(const BlockNode& block) {
  for (const LoadNode* load : loadsIn(block.body)) {
    if (schedule::readPlaces(block, load->buffer).size() < 2 || readOf(block, *load) < 0) continue;
    return {{fmt::format("sch.annotate(b, \"{}\", 1)", schedule::kReadPlace),
             fmt::format("t = sch.cache_read(b, {}, \"global\")", readOf(block, *load))},
            message("{} reads {} at several places: at one of them it reads a copy", block.name, load->buffer->name)};
  }
  return {};
}

// Whether an expression divides whole numbers by one that isn't known.
bool mayDivideByZero(const Expr& e) {
  bool may = false;
  forEachExpr(e, [&](const Expr& part) {
    for (const ExprKind kind : {ExprKind::Div, ExprKind::Mod, ExprKind::FloorDiv, ExprKind::FloorMod})
      if (const auto* division = asBinary(part, kind); division && !division->dtype.isFloat())
        may |= constantOr(division->b, 0) == 0;
  });
  return may;
}

// What a block makes of elements of a buffer, and the number of that buffer among its reads.
struct MadeOperand {
  std::size_t read = 0;
  schedule::ReadValue value;
};
std::optional<MadeOperand> madeOperand(const BlockNode& block, const Buffer& buffer) {
  const auto read = std::ranges::find(block.reads, buffer, &BufferRegion::buffer);
  auto value = schedule::readValueOf(block, buffer);
  if (read == block.reads.end() || !value || mayDivideByZero(value->value)) return std::nullopt;
  return MadeOperand{std::size_t(read - block.reads.begin()), std::move(*value)};
}

// A factor of a product: an element, cast or not, or what is made of elements.
struct Factor {
  const LoadNode* element = nullptr;  // null: none
  std::optional<MadeOperand> made;
};
Factor factorOf(const BlockNode& block, const Expr& e) {
  Factor factor;
  factor.element = asLoad(withoutCasts(e));
  forEachExpr(e, [&](const Expr& part) {
    const LoadNode* load = asLoad(part);
    if (load == nullptr || factor.made) return;
    factor.made = madeOperand(block, load->buffer);
    if (factor.made && !structuralEqual(withoutCasts(factor.made->value.whole), withoutCasts(e))) factor.made.reset();
  });
  return factor;
}

// The first factor of a sum of products that is made of elements, where both factors are such or elements themselves:
// once these are copied, the block is a product of two.
std::optional<MadeOperand> madeFactor(const BlockNode& block) {
  const auto update = block.body->kind == StmtKind::Store ? updateOf(*as<StoreNode>(block.body)) : std::nullopt;
  const auto* product = update ? asBinary(withoutCasts(update->value), ExprKind::Mul) : nullptr;
  if (product == nullptr || update->combiner != ExprKind::Add) return std::nullopt;
  const Factor a = factorOf(block, product->a), b = factorOf(block, product->b);
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (!one->made || !(other->made || other->element)) continue;
    // One that is only cast is copied as what it becomes where the other one's elements have that type.
    const bool isTypeOfOther = !other->made && one->made->value.value->dtype == other->element->buffer->dtype;
    if (!one->element || isTypeOfOther) return one->made;
  }
  return std::nullopt;
}

// A buffer that isn't read where a condition says so, or what else is made of one.
std::optional<MadeOperand> madeElement(const BlockNode& block) {
  for (const BufferRegion& read : block.reads) {
    auto made = madeOperand(block, read.buffer);
    if (made && !asLoad(withoutCasts(made->value.whole))) return made;
  }
  return std::nullopt;
}

PlainOperands valueCopied(const BlockNode& block, const MadeOperand& made) {
  return {{fmt::format("sch.annotate(b, \"{}\", 1)", schedule::kReadValue),
           fmt::format("t = sch.cache_read(b, {}, \"global\")", made.read)},
          message("what {} makes of elements of {} is a block of its own, computed while they are copied", block.name,
                  block.reads[made.read].buffer->name)};
}

PlainOperands linesFor(const schedule::State& state, Id id, bool mayCut) {
  const Block held = state.tree().block(id);
  const bool isContraction = contractionOf(state, id).contraction.has_value();
  PlainOperands made;
  if (const std::vector<int> gathered = gatheredIn(*held); !gathered.empty()) {
    for (const int read : gathered) made.lines.push_back(fmt::format("xg = sch.reindex(b, (\"read\", {}))", read));
    // The block still says that it reads where the places are.
    for (std::string& line : lookAgain(gathered.front())) made.lines.push_back(std::move(line));
    made.why = message("what {} reads at places that another buffer holds is copied", held->name);
  } else if (const auto value = isContraction ? madeFactor(*held) : madeElement(*held)) {
    made = valueCopied(*held, *value);
  } else if (const Divided divided = dividedIn(*held); mayCut && !divided.iterators.empty()) {
    made = cutIterators(*held, divided);
  } else if (made = readApart(*held); made.lines.empty() && !saysWhatItReads(held) && firstRead(*held) >= 0) {
    made = {lookAgain(firstRead(*held)),
            message("what {} reads is found anew: it says something else, or in another order", held->name)};
  }
  if (!made.lines.empty()) made.lines.insert(made.lines.begin(), fmt::format("b = sch.get_block(\"{}\")", held->name));
  return made;
}

// Whether nothing of the iterators that were cut is left in the batch of a block that was a product before. Where both
// operands have the quotient, as heads do that share keys, the block stays as it is: it lies as matrices.
bool leavesBatch(const schedule::State& before, Id block, const schedule::State& after, const std::string& name) {
  const auto was = contractionOf(before, block).contraction;
  if (!was) return true;
  const auto is = contractionOf(after, blocksByName(after)->at(name)).contraction;
  return is && is->b0 * dividedBatch(*before.tree().block(block), *was) == was->b0;
}

bool isReduction(const BlockNode& block) {
  return std::ranges::any_of(block.iters, [](const IterVar& v) { return v.type == IterType::Reduce; });
}

}  // namespace

PreparedProgram madePlain(const schedule::State& state, const schedule::Environment& environment) {
  PreparedProgram made{state, {}, {}, {}};
  if (state.module().functions.size() != 1) return made;
  for (const auto& [name, block] : blocksByName(state).value_or(std::map<std::string, Id>())) {
    PreparedProgram more{made.state, {}, {}, {}};
    const auto now = [&more, &name = name] { return blocksByName(more.state)->at(name); };
    bool cuts = false, mayCut = true;
    const auto isPlain = [&] {
      const Block block = more.state.tree().block(now());
      const auto product = contractionOf(more.state, now()).contraction;
      return product && saysWhatItReads(block) && !madeFactor(*block) &&
             (!mayCut || dividedBatch(*block, *product) == 1);
    };
    if (!isReduction(*more.state.tree().block(now()))) continue;
    for (int steps = 0; !isPlain() && steps < kMostSteps; ++steps) {
      const PlainOperands plain = linesFor(more.state, now(), mayCut);
      PreparedProgram next = more;
      if (!next.apply("R4", "multi-level tiling", name, plain.lines, plain.why, environment)) break;
      // What a guard kept inside of a buffer a block of its own would read without it.
      if (!blocksByName(next.state) || !schedule::warnings(more.state, next.state).empty()) break;
      if (plain.cuts && !leavesBatch(more.state, now(), next.state, name)) {
        mayCut = false;
        continue;
      }
      more = std::move(next);
      cuts |= plain.cuts;
    }
    const auto product = contractionOf(more.state, now()).contraction;
    const bool hasTiles = product && (product->fillsThreads() || (product->isThin() && !cuts));
    if (!more.lines.empty() && hasTiles) made.append(std::move(more));
  }
  return made;
}

}  // namespace loom::tune
