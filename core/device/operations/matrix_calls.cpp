// TensorIR's calls on tiles of matrices, read by the rows of a family: which operands and elements a call may have, and
// which row it is, stands there.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/device/operations/call_arguments.h"
#include "core/device/operations/families.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"

namespace loom::device {
namespace {

using namespace ir;

std::string textOf(const ProductTile& t) { return fmt::format("{}×{}×{}", t.m, t.n, t.k); }

// What a call has, by which its row is found.
struct Wanted {
  std::optional<Operand> operand;  // of the fragment
  DType element;                   // of the fragment
  std::optional<bool> rowMajor;    // of the memory
  std::optional<ProductTile> tile;
};

// One call's fragments and memory against what the family has and what other calls say.
class Rules {
 public:
  Rules(const OperationFamily& family, const CallNode& call, const ReadContext& context)
      : family_(family), call_(call), context_(context) {}

  // The row of the call that `wanted` fits; nothing that is left open counts. Null where none fits.
  const OperationRow* find(const Wanted& wanted) const {
    for (const OperationRow& row : family_.rows)
      if (row.call == call_.op && fits(row, wanted)) return &row;
    return nullptr;
  }
  // Error "NotAKernel", which says whether the operand, its elements or the order is what no row has.
  Result<const OperationRow*> row(const Buffer& fragment, std::optional<bool> rowMajor, const Message& role) const {
    const auto* scope = layout::findFragmentScope(fragment->scope);
    if (!scope || scope->family() != family_.fragments->name) return notAFragment(fragment);
    const FragmentShape* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    const ProductTile& tile = shape->tile;
    if (const OperationRow* found = find({scope->operand, fragment->dtype, rowMajor, tile})) return found;
    const OperationRow* some = find({});
    if (!find({scope->operand, fragment->dtype, {}, tile})) {
      const auto held = std::ranges::find_if(some->operands, [](const OperandRow& o) { return !o.inMemory(); });
      if (!find({scope->operand, {}, {}, {}}))
        if (auto fine = operand(fragment, held->operand, role); !fine) return Failure(fine.error());
      return refuse(find({scope->operand, fragment->dtype, {}, {}})
                        ? message("{} takes {} of {} in a tile {}, which {} doesn't have", nameOf(context_.block),
                                  fragment->name, fragment->dtype.str(), textOf(tile), family_.fragments->name)
                        : message("{} takes {} of {}, which {} doesn't have", nameOf(context_.block), fragment->name,
                                  fragment->dtype.str(), family_.fragments->name),
                    fragment, {}, {}, Forbids::Hardware);
    }
    return refuse(*rowMajor ? message("{} takes {} from memory that lies by rows, which {} doesn't have",
                                      nameOf(context_.block), fragment->name, family_.fragments->name)
                            : message("{} takes {} from memory that lies by columns, which {} doesn't have",
                                      nameOf(context_.block), fragment->name, family_.fragments->name),
                  fragment, {}, {}, Forbids::Hardware);
  }

  Result<void> tile(const Buffer& fragment, const ProductTile& size) const {
    FragmentUse& use = (*context_.uses)[fragment.get()];
    if (use.tile && *use.tile != size) {
      return refuse(message("{} is a fragment of tile {} in {} and of tile {} in {}", fragment->name, textOf(*use.tile),
                            nameOf(use.user), textOf(size), nameOf(context_.block)),
                    fragment, use.user, message("sch.tensorize both blocks with intrinsics of one tile"),
                    Forbids::Program);
    }
    if (const auto own = family_.fragments->tiles; std::ranges::find(own, size) == own.end()) {
      std::string all;
      for (const ProductTile& tile : own) all += (all.empty() ? "" : ", ") + textOf(tile);
      return refuse(message("{} takes tiles of {}; kernels here have {}", nameOf(context_.block), textOf(size), all),
                    fragment, {}, message("sch.tensorize with an intrinsic of {}", textOf(own.front())),
                    Forbids::Environment);
    }
    use.tile = size;
    if (!use.user) use.user = context_.block;
    return {};
  }

  // An operand's order is part of its C++ type; an accumulator has none.
  Result<void> order(const Buffer& fragment, bool rowMajor) const {
    FragmentShape* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == Operand::Accumulator) return {};
    auto text = [](bool row) { return row ? "row-major" : "column-major"; };
    FragmentUse& use = (*context_.uses)[fragment.get()];
    if (use.rowMajor && *use.rowMajor != rowMajor) {
      return refuse(message("{} is loaded {} in {} and {} in {}: a fragment has one layout", fragment->name,
                            text(*use.rowMajor), nameOf(use.loader), text(rowMajor), nameOf(context_.block)),
                    fragment, use.loader, message("sch.tensorize both loads with the same intrinsic"),
                    Forbids::Hardware);
    }
    use.rowMajor = rowMajor;
    if (!use.loader) use.loader = context_.block;
    shape->rowMajor = rowMajor;
    return {};
  }

  // `fragment` where the operation wants `wanted`.
  Result<void> operand(const Buffer& fragment, Operand wanted, const Message& role) const {
    const FragmentShape* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == wanted) return {};
    const std::string_view family = family_.fragments->name, want = layout::scopeOf(family, wanted);
    return refuse(message("{} takes {} as {}, but that is in {} and this in {}", nameOf(context_.block), fragment->name,
                          role, want, layout::scopeOf(family, shape->operand)),
                  fragment, {}, message("sch.cache_read or cache_write with the scope \"{}\"", want),
                  Forbids::Hardware);
  }

  // The tile of the product of these fragments, which all must have.
  Result<ProductTile> tileOf(const std::vector<BufferPlace>& fragments) const {
    const FragmentShape* first = shapeOf(fragments.front().buffer);
    for (const BufferPlace& place : fragments) {
      const FragmentShape* shape = shapeOf(place.buffer);
      if (!shape || !first) return notAFragment(place.buffer);
      if (shape->tile == first->tile) continue;
      return refuse(
          message("{} multiplies {}, a fragment of tile {}, into {} of tile {}", nameOf(context_.block),
                  place.buffer->name, textOf(shape->tile), fragments.front().buffer->name, textOf(first->tile)),
          place.buffer, {}, message("sch.tensorize both blocks with intrinsics of one tile"), Forbids::Program);
    }
    return first->tile;
  }

  Failure noProduct(const OperationNode& n) const {
    auto dtype = [&](const char* operand) { return placeOf(n, operand)->buffer->dtype.str(); };
    return refuse(message("{} multiplies {} by {} and adds to {}, which tensor cores don't do in one step",
                          nameOf(context_.block), dtype("a"), dtype("b"), dtype("c")),
                  placeOf(n, "d")->buffer, {}, {}, Forbids::Hardware);
  }

  Result<void> rows(const Buffer& memory, const Expr& leading, int stride) const {
    auto* elements = asInt(leading);
    const int bytes = memory->dtype.bytes();
    if (!elements || elements->value * bytes % stride == 0) return {};
    Message remedy;
    if (memory->scope.starts_with("shared")) {
      remedy = message("sch.storage_align of {} with a factor and an offset that are multiples of {}", memory->name,
                       stride / bytes);
    }
    return refuse(message("{} takes rows of {} that lie {} elements apart; for tensor cores it must be a multiple "
                          "of {} ({} bytes)",
                          nameOf(context_.block), memory->name, elements->value, stride / bytes, stride),
                  memory, {}, remedy, Forbids::Hardware);
  }

 private:
  static bool fits(const OperationRow& row, const Wanted& wanted) {
    const OperandRow *held = nullptr, *memory = nullptr;
    for (const OperandRow& o : row.operands) {
      const OperandRow*& slot = o.inMemory() ? memory : held;
      if (!slot) slot = &o;
    }
    return (!wanted.operand || held->operand == *wanted.operand) &&
           (wanted.element == DType() || held->takes(wanted.element)) &&
           (!wanted.rowMajor || memory->rowMajor == *wanted.rowMajor) && (!wanted.tile || row.tile == *wanted.tile);
  }
  FragmentShape* shapeOf(const Buffer& fragment) const {
    for (Allocation& a : *context_.allocations) {
      if (a.buffer == fragment && a.fragment) return &*a.fragment;
    }
    return nullptr;
  }
  Failure notAFragment(const Buffer& b) const {
    return refuse(message("{} isn't a {} fragment", b->name, family_.fragments->name), b, {}, {}, Forbids::Program);
  }
  Failure refuse(Message message, const Buffer& buffer, const Block& other, Message remedy, Forbids forbids) const {
    std::vector<Id> subjects;
    if (context_.block) subjects.push_back(context_.block->id);
    if (other) subjects.push_back(other->id);
    subjects.push_back(buffer->id);
    return notAKernel(std::move(message), std::move(subjects), std::move(remedy), forbids);
  }

  const OperationFamily& family_;
  const CallNode& call_;
  const ReadContext& context_;
};

#define LOOM_MUST(expression) \
  if (auto value = (expression); !value) return Failure(std::move(value).error())

Result<OperationNode> readProduct(const OperationFamily& family, const CallNode& call, const Arguments& args,
                                  const Rules& rules) {
  OperationNode n;
  n.row = rules.find({});
  n.places.resize(4);
  for (std::size_t i = 0; i < 4; ++i) LOOM_TAKE(n.places[i], args.fragment(2 * i, 2 * i + 1));
  static const Message kRoles[] = {message("result"), message("first factor"), message("second factor"),
                                   message("summand")};
  for (std::size_t i = 0; i < 4; ++i)
    LOOM_MUST(rules.operand(n.places[i].buffer, n.row->operands[i].operand, kRoles[i]));
  // Products of one call differ in their tiles and elements alone.
  ProductTile tile;
  LOOM_TAKE(tile, rules.tileOf(n.places));
  for (const OperationRow& row : family.rows) {
    if (!row.multiplies() || row.call != call.op || row.tile != tile) continue;
    n.row = &row;
    if (productOf(n)) return n;
  }
  return rules.noProduct(n);
}

Result<OperationNode> readMove(const Arguments& args, const Rules& rules, BufferPlace fragment, bool load) {
  OperationNode n;
  BufferPlace memory;
  Expr leading;
  bool rowMajor = true;
  LOOM_TAKE(memory, args.pointer(5));
  LOOM_TAKE(leading, args.expression(6));
  LOOM_TAKE(rowMajor, args.rowMajor(7));
  LOOM_TAKE(n.row, rules.row(fragment.buffer, rowMajor, load ? message("what is loaded") : message("what is stored")));
  n.values = {std::move(leading)};
  n.places = {std::move(fragment), std::move(memory)};
  const bool first = n.row->operands[0].inMemory();
  if (first) std::swap(n.places[0], n.places[1]);
  LOOM_MUST(rules.rows(n.places[first ? 0 : 1].buffer, n.values[0], n.row->operands[first ? 0 : 1].stride));
  if (load) LOOM_MUST(rules.order(n.places[first ? 1 : 0].buffer, rowMajor));
  return n;
}

}  // namespace

Result<OperationNode> readMatrixCall(const OperationFamily& family, const CallNode& call, const ReadContext& context) {
  const Arguments args(call, context);
  const Rules rules(family, call, context);
  if (call.op == "tvm_mma_sync" || call.op == "tvm_bmma_sync") return readProduct(family, call, args, rules);
  BufferPlace fragment;
  ProductTile tile;
  LOOM_TAKE(fragment, args.fragment(0, 4));
  LOOM_TAKE(tile.m, args.size(1));
  LOOM_TAKE(tile.n, args.size(2));
  LOOM_TAKE(tile.k, args.size(3));
  LOOM_MUST(rules.tile(fragment.buffer, tile));
  if (call.op != "tvm_fill_fragment")
    return readMove(args, rules, std::move(fragment), call.op == "tvm_load_matrix_sync");
  OperationNode n;
  LOOM_TAKE(n.row, rules.row(fragment.buffer, {}, message("what is filled")));
  n.places = {std::move(fragment)};
  n.values.resize(1);
  LOOM_TAKE(n.values[0], args.expression(5));
  return n;
}

#undef LOOM_MUST

// --- fragments ---

FragmentForms fragmentForms(const ir::Stmt& nest) {
  FragmentForms forms;
  ir::forEachStmt(nest, [&](const ir::Stmt& s) {
    const auto* evaluated = s->kind == ir::StmtKind::Evaluate ? ir::as<ir::EvaluateNode>(s) : nullptr;
    const CallNode* c = evaluated ? asCall(evaluated->value) : nullptr;
    const bool loads = c && c->op == "tvm_load_matrix_sync";
    const bool ofWarpgroup = c && c->op.starts_with("ptx_wgmma");
    if (!loads && !ofWarpgroup && !(c && (c->op == "tvm_fill_fragment" || c->op == "tvm_store_matrix_sync")))
      return true;
    const VarNode* data = c->args.size() > 4 ? asVar(c->args[0]) : nullptr;
    if (!data) return true;
    const auto size = [&](std::size_t i) {
      const std::int64_t all = constantOr(c->args[i], 0);
      return std::in_range<int>(all) ? int(all) : 0;
    };
    // What k is says nothing of a warpgroup's sum.
    const ProductTile tile{size(1), size(2), ofWarpgroup ? 16 : size(3)};
    FragmentForm& form = forms.try_emplace(data, FragmentForm{tile, true}).first->second;
    // Columns of a wider sum can be stored by themselves.
    if (ofWarpgroup && tile.n > form.tile.n) form.tile = tile;
    if (loads && matrixCallLoadsByColumns(*c).value_or(false)) form.rowMajor = false;
    return true;
  });
  return forms;
}

Result<FragmentShape> FragmentFamily::shapeOf(const BufferNode& b, const std::vector<std::int64_t>& extents,
                                              const FragmentForm* form) const {
  const Operand operand = layout::findFragmentScope(b.scope)->operand;
  // A fragment that is loaded by columns has the tile as it lies in memory.
  const auto sidesOf = [&](const ProductTile& tile) {
    std::array<int, 2> sides{tile.rows(operand), tile.columns(operand)};
    if (form && !form->rowMajor) std::swap(sides[0], sides[1]);
    return sides;
  };
  const auto isWhole = [&](const ProductTile& tile) {
    const std::size_t n = extents.size();
    return n < 2 || (extents[n - 2] % sidesOf(tile)[0] == 0 && extents[n - 1] % sidesOf(tile)[1] == 0);
  };
  auto found = form ? std::ranges::find(tiles, form->tile) : std::ranges::find_if(tiles, isWhole);
  const ProductTile tile = found == tiles.end() ? tiles.front() : *found;
  const std::array<int, 2> sides = sidesOf(tile);
  const std::size_t n = extents.size();
  for (std::size_t d = n < 2 ? 0 : n - 2; d < n; ++d) {
    const int side = sides[d + 2 - n];
    if (extents[d] % side != 0) {
      return notAKernel(message("{} is {} elements wide along dimension {}; {} fragments come in tiles of {}", b.name,
                                extents[d], d, name, side),
                        {b.id}, {}, Forbids::Hardware);
    }
  }
  return FragmentShape{operand, tile, true};
}

Failure FragmentFamily::refuseElements(const BufferNode& b, const Block& block) const {
  bool writes = false;
  if (block)
    for (const BufferRegion& r : block->writes) writes |= r.buffer->name == b.name;
  return notAKernel(
      writes ? message("{} is spread over the registers of a warp ({}), but {} writes it element by element: only a "
                       "tensor intrinsic knows which lane holds what",
                       b.name, b.scope, nameOf(block))
             : message("{} is spread over the registers of a warp ({}), but {} reads it element by element: only a "
                       "tensor intrinsic knows which lane holds what",
                       b.name, b.scope, nameOf(block)),
      block ? std::vector<Id>{block->id, b.id} : std::vector<Id>{b.id}, remedy ? remedy(b, block) : Message());
}

}  // namespace loom::device
