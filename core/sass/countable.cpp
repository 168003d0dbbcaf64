#include "core/sass/countable.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/sass/warpgroup_product.h"

namespace loom::sass {
namespace {

using std::string_view;

string_view stemOf(string_view opcode) { return opcode.substr(0, opcode.find('.')); }

constexpr std::array<ProductShape, 11> kShapes = {{{"16816", 16, 8, 16},
                                                   {"1688", 16, 8, 8},
                                                   {"1684", 16, 8, 4},
                                                   {"16832", 16, 8, 32},
                                                   {"16864", 16, 8, 64},
                                                   {"168128", 16, 8, 128},
                                                   {"168256", 16, 8, 256},
                                                   {"8816", 8, 8, 16},
                                                   {"8832", 8, 8, 32},
                                                   {"88128", 8, 8, 128},
                                                   {"884", 8, 8, 4}}};

}  // namespace

const ProductShape* findProductShape(string_view modifier) {
  const auto found = std::ranges::find(kShapes, modifier, &ProductShape::name);
  return found == kShapes.end() ? nullptr : &*found;
}

namespace {

const ProductShape* shapeOf(const Instruction& instruction) {
  if (instruction.pipe != Pipe::Tensor) return nullptr;
  string_view rest = instruction.opcode;
  const string_view stem = stemOf(rest);
  rest.remove_prefix(std::min(rest.size(), stem.size() + 1));
  const bool sparse = rest.starts_with("SP.");
  const string_view shape = rest.substr(0, rest.find('.'));
  // Of float16, "884" is one of four steps of Volta's, in which quads of lanes do a product each.
  if (sparse || (stem == "HMMA" && shape == "884")) return nullptr;
  return findProductShape(shape);
}

}  // namespace

double tensorFlops(const Instruction& instruction) {
  if (const auto together = warpgroupProductOf(instruction)) return together->flops();
  const ProductShape* s = shapeOf(instruction);
  return s ? 2 * s->m * s->n * s->k : 0;
}

std::optional<TensorBytes> tensorBytes(const Instruction& instruction) {
  if (const auto p = warpgroupProductOf(instruction)) {
    constexpr int kWarp = 32 * 4;  // bytes of a register of all lanes
    return TensorBytes{p->registersOfA ? double(p->a() * kWarp) : 0, 0, double(p->sums() * kWarp)};
  }
  const ProductShape* s = shapeOf(instruction);
  if (!s) return std::nullopt;
  const string_view opcode = instruction.opcode, stem = stemOf(opcode);
  auto says = [&](string_view type) { return opcode.find(type) != string_view::npos; };
  double operand = 2, sum = says(".F32") ? 4 : 2;
  if (stem == "DMMA") {
    operand = sum = 8;
  } else if (stem == "IMMA") {
    operand = says(".S4") || says(".U4") ? 0.5 : 1, sum = 4;
  } else if (stem == "BMMA") {
    operand = 0.125, sum = 4;
  } else if (stem != "HMMA") {
    return std::nullopt;
  } else if (says(".TF32")) {
    operand = 4;
  }
  return TensorBytes{s->m * s->k * operand, s->k * s->n * operand, s->m * s->n * sum};
}

Result<void> checkCountable(const Kernel& sass) {
  for (const Instruction& i : sass.instructions) {
    const std::optional<Opcode> known = opcodeOf(i.opcode);
    if ((!known || known->counted) && (i.pipe != Pipe::Tensor || tensorFlops(i) > 0)) continue;
    return fail("UnknownInstruction", message("what {} does on sm_{} isn't counted", i.opcode, sass.architecture),
                Forbids::Environment);
  }
  return {};
}

}  // namespace loom::sass
