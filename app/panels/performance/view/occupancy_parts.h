#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"
#include "core/model/roles.h"

namespace loom::session {

/// What the registers and the shared memory of a block are used for, as the page Occupancy shows it.
struct OccupancyParts {
  /// Registers of warps that run the same part of the kernel.
  struct Registers {
    model::WarpRole role;
    int each = 0;       ///< of a thread: what the program asks for, else what the compiler gives all
    double amount = 0;  ///< of all threads of these warps
  };
  /// Shared memory of a buffer, of all mbarriers together, what the driver keeps, or what lies between buffers and is
  /// rounded up.
  struct Shared {
    enum class Kind : std::uint8_t { kBuffer, kMbarriers, kReserve, kRounding } kind = Kind::kBuffer;
    std::string name;  ///< of a buffer
    int stages = 1;    ///< of a buffer that is a ring
    double bytes = 0;
  };
  std::vector<Registers> registers;  ///< empty where they aren't known: before compilation
  std::vector<Shared> shared;        ///< empty for a kernel without shared memory
  double launched = 0;               ///< registers that the launch gives a block, of which warps take and leave some
  double registersOfSm = 0, sharedOfSm = 0;  ///< of a multiprocessor; 0: not known
  int blocks = 0;                            ///< that fit on a multiprocessor
  /// Returns whether warps have registers of their own number.
  bool haveOwnRegisters() const;
  /// Returns whether the warps ask for more registers than the launch gives: those that take some would wait for ever.
  bool areShort() const;
};

/// Returns the parts. `registers` is the number of registers of a thread, as compiled; 0: not known.
OccupancyParts occupancyParts(const model::KernelModel& model, const model::Device& device, int registers);

}  // namespace loom::session
