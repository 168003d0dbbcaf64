#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"
#include "core/model/roles.h"

namespace loom::session {

/// What the registers and the shared memory of a thread block are used for, as the page Occupancy of the panel
/// Performance shows it. Numbers of registers count 32-bit registers.
struct OccupancyParts {
  /// The registers of the warps of a block that have the same role, that is, run the same part of the kernel.
  struct Registers {
    model::WarpRole role;  ///< the role, with the numbers of its warps
    /// Registers per thread: those that the program asks for in this role, else those of the compiled kernel.
    int each = 0;
    double amount = 0;  ///< registers of all threads of these warps together
  };
  /// A part of the block's shared memory: a buffer, several buffers that share bytes, all mbarriers together, what the
  /// driver reserves for each block, or the rest: gaps between buffers and the rounding up to the unit of allocation.
  /// The parts have no byte in common.
  struct Shared {
    /// What the shared memory is used for: buffers, mbarriers, the driver's reserve, or gaps and rounding.
    enum class Kind : std::uint8_t { kBuffers, kMbarriers, kReserve, kRounding } kind = Kind::kBuffers;
    /// A buffer of the part.
    struct Buffer {
      std::string name;
      int stages = 1;    ///< copies of the buffer: slots of a ring buffer (pipeline stages), or one for each virtual
                         ///< thread; else 1
      double bytes = 0;  ///< size of the buffer, all copies together
    };
    double bytes = 0;             ///< size of the part: less than its buffers have together if these share bytes
    std::vector<Buffer> buffers;  ///< empty for the other kinds; several share bytes, as each is in use at another time
  };
  std::vector<Registers> registers;  ///< one per role; empty before compilation, when registers aren't known
  std::vector<Shared> shared;        ///< empty for a kernel without shared memory
  double launched = 0;  ///< registers that a block is launched with; warps may release or acquire some later
                        ///< (setmaxnreg); 0: not known
  /// Registers (cudaDeviceProp::regsPerMultiprocessor) and bytes of shared memory (sharedMemPerMultiprocessor) of one
  /// multiprocessor; 0: not known.
  double registersOfSm = 0, sharedOfSm = 0;
  int blocks = 0;  ///< number of blocks that fit on a multiprocessor; 0: not known
  /// Returns whether the program asks for a number of registers per thread for the warps of some role.
  bool haveOwnRegisters() const;
  /// Returns whether the roles ask for more registers together than the block is launched with. Warps that acquire
  /// registers (setmaxnreg) would then wait forever.
  bool areShort() const;
};

/// Returns how the blocks of a kernel use registers and shared memory on `device`. `registers` is the compiled kernel's
/// number of registers per thread; 0: not compiled.
OccupancyParts occupancyParts(const model::KernelModel& model, const model::Device& device, int registers);

}  // namespace loom::session
