#include "core/sass/registers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

#include "core/sass/operand_text.h"
#include "core/sass/warpgroup_product.h"

namespace loom::sass {
namespace {

using std::string_view;

struct RegisterOperand {
  string_view text;
  std::vector<int> registers;
  bool address = false;   // in brackets
  bool inverted = false;  // !P0
  bool general() const { return !address && !registers.empty() && registers.front() < kPredicateRegisters; }
  bool predicate() const {
    return text == "PT" || text == "UPT" || (!registers.empty() && (registers.front() / kPredicateRegisters) % 2 == 1);
  }
  // RZ has its place among the operands too.
  bool value() const { return general() || text.find("RZ") != string_view::npos; }
};

// "R4", "R60.64", "[R19+0x10]", "desc[UR4][R2.64+0x8]", "P0", "-|R5|".
RegisterOperand operandOf(string_view text) {
  RegisterOperand o;
  o.text = text;
  const bool constant = text.find("c[") != string_view::npos || text.starts_with("cx[");
  o.address = text.find('[') != string_view::npos && !constant;
  o.inverted = text.starts_with('!');
  if (o.inverted) o.text.remove_prefix(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]))) continue;
    std::size_t digits = at;
    int base = 0, most = 255;
    if (text[digits] == 'U') ++digits;
    if (digits == text.size()) continue;
    if (text[digits] == 'P') {
      base = digits > at ? kUniformPredicates : kPredicateRegisters;
      most = 7;
    } else if (text[digits] == 'R') {
      base = digits > at ? kUniformRegisters : 0;
    } else {
      continue;
    }
    ++digits;
    int number = 0;
    auto parsed = std::from_chars(text.data() + digits, text.data() + text.size(), number);
    if (parsed.ec != std::errc{} || number > most) continue;
    o.registers.push_back(base + number);
    if (string_view(parsed.ptr, text.data() + text.size()).starts_with(".64")) o.registers.push_back(base + number + 1);
  }
  if (text == "PR") {  // all predicates as bits
    for (int p = 0; p < 7; ++p) o.registers.push_back(kPredicateRegisters + p);
  }
  return o;
}

// Registers of a lane for a product of 32 lanes: "HMMA.16816.F32" is 16×8 += 16×16 · 16×8.
struct Product {
  int a = 1, b = 1, c = 1;
};
Product productOf(string_view opcode) {
  const std::size_t point = opcode.find('.');
  string_view shape = opcode.substr(std::min(opcode.size(), point + 1));
  if (shape.starts_with("SP.")) shape.remove_prefix(3);
  shape = shape.substr(0, shape.find('.'));
  const int m = shape.starts_with("16") ? 16 : 8;
  const string_view rest = shape.substr(std::min(shape.size(), std::size_t(m == 16 ? 3 : 2)));
  int k = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), k);
  int bits = 16, sum = 32;
  if (opcode.starts_with("DMMA")) bits = sum = 64;
  if (opcode.starts_with("IMMA")) bits = hasModifier(opcode, "S4") || hasModifier(opcode, "U4") ? 4 : 8;
  if (opcode.starts_with("QMMA")) bits = 8;
  if (opcode.starts_with("BMMA")) bits = 1;
  if (hasModifier(opcode, "TF32")) bits = 32;
  if (opcode.starts_with("HMMA") && !hasModifier(opcode, "F32")) sum = 16;
  auto registers = [](int elements, int width) { return std::max(1, elements * width / (32 * 32)); };
  return {registers(m * k, bits), registers(k * 8, bits), registers(m * 8, sum)};
}

// General registers that the operand stands for: the `n`th value, destination first.
int widthOf(const Instruction& i, string_view stem, int n) {
  const string_view opcode = i.opcode;
  const bool destination = n == 0;
  if (const auto together = warpgroupProductOf(i))
    return n == 1 && together->registersOfA ? together->a() : together->sums();
  if (i.pipe == Pipe::Tensor || stem == "QMMA") {
    const Product p = productOf(opcode);
    return n == 1 ? p.a : n == 2 ? p.b : n == 0 || n == 3 ? p.c : 1;
  }
  if (i.pipe == Pipe::LdMatrix) return destination ? i.matrices : 1;
  if (i.pipe <= Pipe::LocalStore) return std::max(1, i.bytes / 4);
  if (stem == "STSM") return hasModifier(opcode, "4") ? 4 : hasModifier(opcode, "2") ? 2 : 1;
  if (stem == "IMAD" || stem == "UIMAD") {
    if (hasModifier(opcode, "WIDE")) return destination || n == 3 ? 2 : 1;
    if (hasModifier(opcode, "HI")) return n == 3 ? 2 : 1;
    return 1;
  }
  if (stem == "CS2R") return hasModifier(opcode, "32") ? 1 : 2;
  if (stem == "LDC" || stem == "LDCU" || stem == "ULDC")
    return hasModifier(opcode, "128") ? 4 : hasModifier(opcode, "64") ? 2 : 1;
  if (stem == "DADD" || stem == "DMUL" || stem == "DFMA" || stem == "DSETP" || stem == "DMNMX") return 2;
  if (stem == "ISETP" || stem == "UISETP") return hasModifier(opcode, "U64") || hasModifier(opcode, "S64") ? 2 : 1;
  if (stem == "FFMA2" || stem == "FADD2" || stem == "FMUL2") return 2;
  if (stem == "RET" || stem == "BRX" || stem == "JMX") return 2;
  if (stem.starts_with("ATOM") || stem == "RED" || stem == "REDG")
    return hasModifier(opcode, "64") || hasModifier(opcode, "F64") ? 2 : 1;
  // Conversions name the type they make, then the one they take.
  if (stem == "F2F" || stem == "F2I" || stem == "I2F" || stem == "FRND" || stem == "I2I") {
    auto wide = [&](string_view type) { return type == "F64" || type == "U64" || type == "S64"; };
    std::vector<string_view> types;
    for (std::size_t at = opcode.find('.'); at != string_view::npos;) {
      const std::size_t next = opcode.find('.', at + 1);
      const string_view part = opcode.substr(at + 1, next == string_view::npos ? next : next - at - 1);
      if (part.size() >= 2 && (part[0] == 'F' || part[0] == 'U' || part[0] == 'S') &&
          std::isdigit(static_cast<unsigned char>(part[1])) != 0)
        types.push_back(part);
      at = next;
    }
    if (stem == "FRND") return hasModifier(opcode, "F64") ? 2 : 1;
    if (types.size() >= 2) return wide(types[destination ? 0 : 1]) ? 2 : 1;
    // One type alone is F2I's floating source ("F2I.F64.TRUNC"), and what I2F makes.
    if (types.size() == 1 && wide(types[0])) {
      const bool makes = stem == "F2I" ? types[0][0] != 'F' : types[0][0] == 'F';
      return makes == destination ? 2 : 1;
    }
    return 1;
  }
  if (hasModifier(opcode, "64") &&
      (stem == "MOV" || stem == "UMOV" || stem == "IADD" || stem == "UIADD" || stem == "SEL"))
    return 2;
  return 1;
}

}  // namespace

RegisterUse registersOf(const Instruction& i) {
  RegisterUse use;
  const string_view opcode = i.opcode, text = i.operands;
  const string_view stem = opcode.substr(0, opcode.find('.'));
  std::vector<RegisterOperand> operands;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    operands.push_back(operandOf(text.substr(at, end - at)));
    at = end + 2;
  }
  const std::optional<Opcode> known = opcodeOf(opcode);
  const bool comparing = (known && known->writes == Writes::Predicates) || stem == "R2P";
  const bool silent = (known && known->writes == Writes::Nothing) || i.pipe == Pipe::Control;
  bool written = silent || comparing;  // the destination has been met
  int value = written ? 1 : 0;         // place among the values: 0 is the destination
  int predicates = 0;
  const int predicatesWritten = stem == "FCHK" ? 1 : comparing && stem != "R2P" ? 2 : 0;
  bool source = silent;  // a source has been met: what follows is read
  for (std::size_t n = 0; n < operands.size(); ++n) {
    RegisterOperand& o = operands[n];
    std::vector<int>& named = o.registers;
    bool writes = false;
    if (o.address && !written) {  // what only writes a predicate: SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR9], R3
      written = true;
      value = 1;
    }
    if (o.text == "PR") {
      writes = stem == "R2P";
    } else if (o.predicate()) {
      writes = !o.inverted && (comparing ? predicates < predicatesWritten : !source);
      ++predicates;
    } else if (!written) {
      writes = written = true;
      if (o.value()) widen(named, std::max<int>(int(named.size()), widthOf(i, stem, 0)));
      if (!o.value() && !named.empty()) widen(named, widthOf(i, stem, 0));  // uniform
      value = 1;
    } else {
      source = true;
      if (o.address) {
        // Before Ampere the pair of a 64-bit address is named by its first register alone.
        const bool pair = hasModifier(opcode, "E") && text.find(".64") == string_view::npos &&
                          o.text.find(".U32") == string_view::npos &&
                          (i.pipe <= Pipe::GlobalStore || stem.starts_with("ATOM") || stem == "RED");
        if (pair && !named.empty() && named.front() < kPredicateRegisters) widen(named, 2);
      } else {
        const int width = widthOf(i, stem, silent && i.pipe <= Pipe::LocalStore ? 0 : value);
        if (width > 1 && o.text.find('[') == string_view::npos) widen(named, width);
        ++value;
      }
    }
    auto& list = writes ? use.writes : use.reads;
    list.insert(list.end(), named.begin(), named.end());
  }
  return use;
}

}  // namespace loom::sass
