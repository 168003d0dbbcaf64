#include "core/sass/data_movement.h"

#include "core/device/lane_values.h"
#include "core/sass/machine.h"

namespace loom::sass {
namespace {

using Kind = DecodedInstruction::Kind;

constexpr std::uint32_t kAll = 0xffffffff;
constexpr int kBytesAtMost = 1 << 16;

// One run, with one content of what is read.
class Mover {
 public:
  // `shift`: each byte read is its offset shifted right by so many bits, and cut.
  Mover(const Kernel& sass, const device::Kernel& kernel, int shift, int bytes)
      : sass_(sass), code_(decode(sass)), machine_(kernel, sass, 0, 0, kAll), shift_(shift) {
    written_.assign(std::size_t(bytes), -1);
  }

  // By byte of what is written: its value, or −1.
  Result<std::vector<int>> run() {
    for (std::size_t n = 0; n < code_.size(); ++n) {
      const DecodedInstruction& op = code_[n];
      const Instruction& i = sass_.instructions[n];
      const LaneFlags guard = machine_.flags(op.guard);
      if (!guard.known || guard.bits != kAll) return unknown(i);
      if (op.kind == Kind::Exit) return written_;
      if (op.kind == Kind::Branch || op.kind == Kind::Refused) return unknown(i);
      if (op.kind == Kind::Memory) {
        const bool load = i.pipe == Pipe::GlobalLoad, store = i.pipe == Pipe::GlobalStore;
        if (!(load ? loads(op, i) : store && stores(op, i))) return unknown(i);
      } else if (i.opcode == "MOVM.16.MT88") {
        if (op.sources.size() != 1 || op.destinations.size() != 1) return unknown(i);
        machine_.put(op.destinations[0], 0, transposed(machine_.read(op.sources[0])));
      } else {
        machine_.execute(op, kAll, true, kAll);
      }
    }
    return written_;
  }

 private:
  static Failure unknown(const Instruction& i) {
    return fail("SassUnknown", message("{} {} at {:#x} isn't followed", i.opcode, i.operands, i.address),
                Forbids::Environment);
  }

  // Where each lane's access lies in the kernel's parameter of that index.
  bool offsets(const DecodedInstruction& op, int parameter, int bytes, int end,
               std::array<std::int64_t, 32>& at) const {
    if (!machine_.addresses(op.sources.front(), kAll, at)) return false;
    for (std::int64_t& a : at) {
      a -= Machine::addressOf(parameter);
      if (a < 0 || a + bytes > end) return false;
    }
    return true;
  }

  std::uint32_t contentAt(std::int64_t offset) const { return std::uint32_t(offset) >> shift_ & 0xff; }

  bool loads(const DecodedInstruction& op, const Instruction& i) {
    std::array<std::int64_t, 32> at{};
    if (op.destinations.size() != 1 || !offsets(op, 0, i.bytes, kBytesAtMost, at)) return false;
    // A narrow load fills the rest of its register; with zeros, unless it is signed.
    if (i.bytes < 4 && (i.opcode.find(".S16") != std::string::npos || i.opcode.find(".S8") != std::string::npos))
      return false;
    for (int word = 0; word < op.words; ++word) {
      LaneBits value = LaneBits::zeros();
      for (int lane = 0; lane < layout::kLanes; ++lane)
        for (int byte = 0; byte < std::min(4, i.bytes); ++byte)
          value.each[std::size_t(lane)] |= contentAt(at[std::size_t(lane)] + 4 * word + byte) << 8 * byte;
      machine_.put(op.destinations[0], word, value);
    }
    return true;
  }

  bool stores(const DecodedInstruction& op, const Instruction& i) {
    std::array<std::int64_t, 32> at{};
    const std::vector<Operand> operands = parseOperands(i.operands);
    if (operands.size() < 2 || operands.back().kind != Operand::Kind::Register) return false;
    if (!offsets(op, 1, i.bytes, int(written_.size()), at)) return false;
    for (int word = 0; word < op.words; ++word) {
      const LaneBits value = machine_.read(operands.back(), word);
      if (!value.known) return false;
      for (int lane = 0; lane < layout::kLanes; ++lane)
        for (int byte = 0; byte < std::min(4, i.bytes); ++byte)
          written_[std::size_t(at[std::size_t(lane)]) + std::size_t(4 * word + byte)] =
              int(value[lane] >> 8 * byte & 0xff);
    }
    return true;
  }

  // PTX's movmatrix.sync.aligned.m8n8.trans.b16: of 8 × 8 elements of 16 bits, lane l holds two of row l / 4.
  static LaneBits transposed(const LaneBits& from) {
    LaneBits to = LaneBits::zeros();
    to.known = from.known;
    if (!from.known) return to;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        const std::uint32_t element = from[column * 4 + row / 2] >> 16 * (row % 2) & 0xffff;
        to.each[std::size_t(row * 4 + column / 2)] |= element << 16 * (column % 2);
      }
    return to;
  }

  const Kernel& sass_;
  std::vector<DecodedInstruction> code_;
  Machine machine_;
  int shift_;
  std::vector<int> written_;
};

}  // namespace

Result<std::vector<int>> traceDataMovement(const Kernel& sass, int bytes) {
  device::Kernel kernel;
  kernel.name = sass.name;
  kernel.block = {layout::kLanes, 1, 1};
  kernel.params.resize(2);
  auto low = Mover(sass, kernel, 0, bytes).run();
  if (!low) return low;
  auto high = Mover(sass, kernel, 8, bytes).run();
  if (!high) return high;
  for (std::size_t i = 0; i < low->size(); ++i)
    if ((*low)[i] >= 0) (*low)[i] |= (*high)[i] << 8;
  return low;
}

}  // namespace loom::sass
