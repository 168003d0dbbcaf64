#include "core/device/operation.h"

#include <fmt/format.h>

#include "core/device/operations/families.h"
#include "core/device/refusal.h"

namespace loom::device {

int OperationRow::find(std::string_view operand) const {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].name == operand) return int(i);
  return -1;
}

const OperationRow* findOperation(std::string_view name) {
  for (const OperationFamily* family : operationFamilies())
    for (const OperationRow& row : family->rows)
      if (row.name == name) return &row;
  return nullptr;
}

const BufferPlace* placeOf(const OperationNode& operation, std::string_view operand) {
  const int i = operation.row->find(operand);
  return i < 0 ? nullptr : &operation.places[std::size_t(i)];
}

std::string filled(std::string_view text, const OperationNode& operation, const OperandTexts& texts) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    std::string_view name = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    const bool address = name.starts_with('&');
    if (address) name.remove_prefix(1);
    if (const BufferPlace* place = placeOf(operation, name)) {
      out += address ? texts.address(*place) : texts.element(*place);
      continue;
    }
    for (std::size_t i = 0; i < operation.values.size(); ++i)
      if (operation.row->values[i] == name) out += texts.value(operation.values[i]);
  }
  return out;
}

namespace {

const OperationFamily* familyOfCall(std::string_view call) {
  for (const OperationFamily* family : operationFamilies())
    for (std::string_view known : family->calls)
      if (known == call) return family;
  return nullptr;
}

}  // namespace

bool isOperation(std::string_view call) { return familyOfCall(call) != nullptr; }

Result<ir::Stmt> inOrder(const ir::CallNode& call, const InOrder& context) {
  return familyOfCall(call.op)->inOrder(call, context);
}

std::optional<bool> loadsByColumns(const ir::CallNode& call) {
  const OperationFamily* family = familyOfCall(call.op);
  return family ? family->loadsByColumns(call) : std::nullopt;
}

Result<OperationNode> readOperation(const ir::CallNode& call, const ReadContext& context) {
  if (const OperationFamily* family = familyOfCall(call.op)) return family->read(call, context);
  return notAKernel(message("T.{} isn't an operation that kernels here can hold", call.op),
                    context.block ? std::vector<Id>{context.block->id} : std::vector<Id>{}, {}, Forbids::Environment);
}

const FragmentFamily* familyOf(std::string_view scope) {
  for (const OperationFamily* family : operationFamilies())
    if (family->fragments && scope.starts_with(family->fragments->scopes)) return family->fragments;
  return nullptr;
}

std::optional<Operand> operandOf(std::string_view scope) {
  const FragmentFamily* family = familyOf(scope);
  if (!family) return std::nullopt;
  return family->operandOf(scope.substr(family->scopes.size()));
}

}  // namespace loom::device
