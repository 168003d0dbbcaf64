#include "core/device/operation.h"

#include <algorithm>
#include <bit>

#include "core/device/build.h"
#include "core/device/operations/families.h"
#include "core/device/refusal.h"
#include "core/layout/fragment_scope.h"

namespace loom::device {

int OperationRow::find(std::string_view operand) const {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].name == operand) return int(i);
  return -1;
}

int OperationRow::findValue(std::string_view value) const {
  const auto found = std::ranges::find(values, value);
  return found == values.end() ? -1 : int(found - values.begin());
}

bool OperandRow::takes(DType element) const {
  return dtypes.empty() || std::ranges::find(dtypes, element) != dtypes.end();
}

bool OperationFamily::has(std::string_view call) const {
  return std::ranges::any_of(rows, [&](const OperationRow& row) { return row.call == call; });
}

const OperationRow* findOperation(std::string_view name) {
  for (const OperationFamily* family : operationFamilies())
    for (const OperationRow& row : family->rows)
      if (row.name == name) return &row;
  return nullptr;
}

const OperationRow* findProduct(const ProductTile& tile, DType factors, DType sum) {
  for (const OperationFamily* family : operationFamilies())
    for (const OperationRow& row : family->rows)
      if (row.tile == tile && std::ranges::any_of(row.products, [&](const ProductTypes& p) {
            return p.factors == factors && p.summand == sum && p.result == sum;
          }))
        return &row;
  return nullptr;
}

const BufferPlace* placeOf(const OperationNode& operation, std::string_view operand) {
  const int i = operation.row->find(operand);
  return i < 0 ? nullptr : &operation.places[std::size_t(i)];
}

const ProductTypes* productOf(const OperationNode& operation) {
  if (!operation.row->multiplies()) return nullptr;
  auto is = [&](std::string_view operand, DType element) {
    return placeOf(operation, operand)->buffer->dtype == element;
  };
  for (const ProductTypes& types : operation.row->products)
    if (is("a", types.factors) && is("b", types.factors) && is("c", types.summand) && is("d", types.result))
      return &types;
  return nullptr;
}

int blocksThatGet(const OperationNode& operation) {
  const int value = operation.row->findValue("blocks");
  if (value < 0) return 1;
  const Expr& blocks = operation.values[std::size_t(value)];
  // A bit each, for some block of the cluster shifted to its place.
  const auto* call = ir::asCall(blocks);
  return std::popcount(std::uint64_t(ir::constantOr(call ? call->args[0] : blocks, 1)));
}

const OperandRow* registersOf(const OperationNode& operation, const ir::BufferNode* buffer) {
  const OperandRow* first = nullptr;
  for (std::size_t i = 0; i < operation.places.size(); ++i) {
    const OperandRow& operand = operation.row->operands[i];
    if (operand.inMemory()) continue;
    if (operation.places[i].buffer.get() == buffer) return &operand;
    if (!first) first = &operand;
  }
  return first;
}

std::string filled(std::string_view text, const OperationNode& operation, const OperandTexts& texts) {
  return withNames(text, [&](std::string_view name) -> std::string {
    const auto* textOf = &texts.element;
    constexpr std::string_view kApart = ", element";
    if (name.starts_with('&') || name.starts_with('+')) {
      textOf = name.starts_with('&') ? &texts.address : &texts.sum;
      name.remove_prefix(1);
    } else if (name.ends_with(kApart)) {
      textOf = &texts.apart;
      name.remove_suffix(kApart.size());
    }
    if (const BufferPlace* place = placeOf(operation, name)) return (*textOf)(*place);
    if (name == "barrier") return texts.barrier(operation.barrier);
    if (name == "map") return texts.map(operation.map);
    if (name == "slot") return operation.slot ? texts.value(operation.slot) : "0";
    const int value = operation.row->findValue(name);
    return value < 0 ? "" : texts.value(operation.values[std::size_t(value)]);
  });
}

namespace {

// The data of the first buffer among a call's arguments. Null where there is none.
const Expr* firstData(const ir::CallNode& call) {
  const auto found = std::ranges::find_if(call.args, [](const Expr& e) { return ir::asVar(e) != nullptr; });
  return found == call.args.end() ? nullptr : &*found;
}

// The family with this call whose fragments have the scope. Where none has, the first with the call, which says what is
// wrong about it; null for other calls.
const OperationFamily* familyOfCall(std::string_view call, std::string_view scope) {
  const FragmentFamily* fragments = familyOf(scope);
  const OperationFamily* first = nullptr;
  for (const OperationFamily* family : operationFamilies()) {
    if (!family->has(call)) continue;
    if (fragments && family->fragments == fragments) return family;
    if (!first) first = family;
  }
  return first;
}

}  // namespace

bool isOperation(std::string_view call) { return familyOfCall(call, {}) != nullptr; }

std::optional<Group> groupOf(std::string_view call) {
  const OperationFamily* family = familyOfCall(call, {});
  if (!family) return std::nullopt;
  return std::ranges::find(family->rows, call, &OperationRow::call)->group;
}

Result<ir::Stmt> inOrder(const ir::CallNode& call, const InOrder& context) {
  const Expr* data = firstData(call);
  const ir::MatchBuffer* view = data ? context.viewOf(*data) : nullptr;
  return familyOfCall(call.op, view ? view->buffer->scope : std::string())->inOrder(call, context);
}

std::optional<bool> loadsByColumns(const ir::CallNode& call) {
  const OperationFamily* family = familyOfCall(call.op, {});
  return family ? family->loadsByColumns(call) : std::nullopt;
}

Result<OperationNode> readOperation(const ir::CallNode& call, const ReadContext& context) {
  if (isOperation(call.op)) {
    const Expr* data = firstData(call);
    const auto buffer = data ? context.buffer(ir::asVar(*data)) : Result<Buffer>(Buffer());
    const OperationFamily* family = familyOfCall(call.op, buffer && *buffer ? (*buffer)->scope : std::string());
    return family->read(*family, call, context);
  }
  return notAKernel(message("T.{} isn't an operation that kernels here can hold", call.op),
                    context.block ? std::vector<Id>{context.block->id} : std::vector<Id>{}, {}, Forbids::Environment);
}

const FragmentFamily* familyOf(std::string_view scope) {
  const auto* row = layout::findFragmentScope(scope);
  if (!row) return nullptr;
  for (const OperationFamily* family : operationFamilies())
    if (family->fragments && family->fragments->name == row->family()) return family->fragments;
  return nullptr;
}

}  // namespace loom::device
