#include "core/codegen/vector_store.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "core/device/cluster_memory.h"
#include "core/device/half_pairs.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"

namespace loom::codegen {
namespace {

using namespace device;
using ir::ExprKind;

class VectorStore {
 public:
  VectorStore(const StoreNode& n, const VectorText& text)
      : n_(n), text_(text), lanes_(n.value->dtype.lanes), pairs_(isOfPairs(n.value)) {
    ir::forEachExpr(n.value, [&](const Expr& e) {
      if (const auto other = loadInBlock(e)) blockOf_[other->load] = other->block;
    });
  }

  std::vector<VectorLine> lines() && {
    const ir::LoadNode* whole = loadOf(n_.value);
    if (const ir::CallNode* padded = lower::zeroPadded(n_.value)) {
      chosen(*padded);
    } else if (whole && whole->dtype.element() == n_.to.buffer->dtype) {
      line(0, access(n_.to.buffer, n_.to.index(), false) + " = " + load(*whole) + ";");
    } else if (pairs_ && lanes_ == 2) {
      onePair();
    } else {
      loopOverLanes();
    }
    return std::move(lines_);
  }

 private:
  // A load, or what one has become that reads another block's memory; null for other expressions.
  static const ir::LoadNode* loadOf(const Expr& e) {
    const auto other = loadInBlock(e);
    return other ? other->load : ir::asLoad(e);
  }
  static bool isOfPairs(const Expr& value) {
    const auto isOperand = [](const Expr& e) {
      return loadOf(e) || e->kind == ExprKind::Broadcast || asGathered(e) != nullptr;
    };
    return asGathered(value) || isHalfArithmetic(value, isOperand);
  }

  void line(int depth, std::string text) { lines_.push_back({depth, std::move(text)}); }

  // The elements of a ramp as one of `type`, and a pointer to that.
  std::string accessAs(const std::string& type, const Buffer& b, const Expr& ramp, bool constant) const {
    return "*" + pointerTo(type, b, ramp, constant);
  }
  std::string pointerTo(const std::string& type, const Buffer& b, const Expr& ramp, bool constant) const {
    const std::string address = text_.address(b, ir::as<ir::RampNode>(ramp)->base);
    return fmt::format("reinterpret_cast<{}{}*>({})", constant ? "const " : "", type, address);
  }
  std::string access(const Buffer& b, const Expr& ramp, bool constant) const {
    return accessAs(vectorTypeName(b->dtype, b->dtype.bytes() * ramp->dtype.lanes), b, ramp, constant);
  }

  // The elements of a load as one of `type`.
  std::string loadAs(const std::string& type, const ir::LoadNode& l) const {
    if (n_.loadsHere) return loadedHere(pointerTo(type, l.buffer, l.indices[0], true));
    const auto block = blockOf_.find(&l);
    if (block == blockOf_.end()) return accessAs(type, l.buffer, l.indices[0], !text_.written(l.buffer));
    return fmt::format("cluster_load<{}>({}, {})", type,
                       text_.address(l.buffer, ir::as<ir::RampNode>(l.indices[0])->base),
                       text_.print.print(block->second));
  }
  std::string load(const ir::LoadNode& l) const {
    return loadAs(vectorTypeName(l.buffer->dtype, l.buffer->dtype.bytes() * l.dtype.lanes), l);
  }

  // What lies outside isn't read: the vector is loaded where the condition holds, and is else 0.
  void chosen(const ir::CallNode& padded) {
    const ir::LoadNode& from = *ir::asLoad(padded.args[1]);
    const std::string value = text_.names.enter("value");
    line(0, "{");
    line(1, fmt::format("{} {} = {{}};", typeOfAll(n_.to.buffer->dtype), value));
    line(1, fmt::format("if ({}) {} = {};", text_.print.print(padded.args[0]), value, load(from)));
    line(1, fmt::format("{} = {};", access(n_.to.buffer, n_.to.index(), false), value));
    line(0, "}");
    text_.names.leave(value);
  }

  // Both lanes in one expression.
  void onePair() {
    const auto pair = [&](const ir::LoadNode* l) { return loadAs(pairTypeName(l->buffer->dtype), *l); };
    const std::string target = accessAs(pairTypeName(n_.to.buffer->dtype), n_.to.buffer, n_.to.index(), false);
    // x = x + y reads as x += y.
    const auto* sum = ir::asBinary(n_.value, ExprKind::Add);
    const auto* l = sum ? ir::asLoad(sum->a) : nullptr;
    const bool onto = l && l->buffer == n_.to.buffer && ir::structuralEqual(l->indices[0], n_.to.index());
    const std::string value = text_.print.printPairs(onto ? sum->b : n_.value, pair);
    line(0, target + (onto ? " += " : " = ") + value + ";");
  }

  // Lanes are computed one by one, or two at a time, between vector loads and a vector store; the compiler keeps them
  // in registers.
  void loopOverLanes() {
    line(0, "{");
    std::unordered_map<const ir::LoadNode*, std::string> lanesOf;
    ir::forEachExpr(n_.value, [&](const Expr& x) {
      auto* l = ir::asLoad(x);
      if (!l || l->dtype.lanes <= 1 || lanesOf.count(l)) return;
      const std::string name = text_.names.enter(fmt::format("{}_lanes", text_.name(l->buffer)));
      lanesOf[l] = name;
      declare(l->buffer->dtype, name);
      line(1, fmt::format("*reinterpret_cast<{}*>({}) = {};", typeOfAll(l->buffer->dtype), name, load(*l)));
    });
    const std::string result = text_.names.enter("result");
    const std::string lane = text_.names.enter(pairs_ ? "pair" : "lane");
    declare(n_.to.buffer->dtype, result);
    line(1, "#pragma unroll");
    const auto element = [&](const ir::LoadNode* l) { return fmt::format("{}[{}]", lanesOf.at(l), lane); };
    const std::string value = pairs_ ? text_.print.printPairs(n_.value, element)  //
                                     : text_.print.printLane(n_.value, lane, element);
    line(1, fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = {3};", lane, parts(), result, value));
    line(1, fmt::format("{} = *reinterpret_cast<{}*>({});", access(n_.to.buffer, n_.to.index(), false),
                        typeOfAll(n_.to.buffer->dtype), result));
    line(0, "}");
    text_.names.leave(lane);
    text_.names.leave(result);
    for (auto& [load, name] : lanesOf) text_.names.leave(name);
  }
  int parts() const { return pairs_ ? lanes_ / 2 : lanes_; }
  std::string typeOfAll(ir::DType element) const { return vectorTypeName(element, element.bytes() * lanes_); }
  void declare(ir::DType element, const std::string& name) {
    line(1, fmt::format("alignas({}) {} {}[{}];", element.bytes() * lanes_,
                        pairs_ ? pairTypeName(element) : typeName(element), name, parts()));
  }

  const StoreNode& n_;
  const VectorText& text_;
  const int lanes_;
  const bool pairs_;
  // Of loads from the shared memory of a block of the cluster: its number.
  std::unordered_map<const ir::LoadNode*, Expr> blockOf_;
  std::vector<VectorLine> lines_;
};

}  // namespace

std::vector<VectorLine> vectorStoreLines(const StoreNode& n, const VectorText& text) {
  return VectorStore(n, text).lines();
}

}  // namespace loom::codegen
