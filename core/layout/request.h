// What one memory instruction of a warp costs, from the addresses of its lanes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace loom::layout {

constexpr int kLanes = 32, kBanks = 32;
constexpr int kBankBytes = 4, kSectorBytes = 32, kLineBytes = 128;

// A warp's request: each active lane reads or writes `width` bytes (1, 2, 4, 8 or 16) from its address on.
struct Request {
  std::array<std::int64_t, kLanes> address{};  // bytes; ignored where inactive
  std::uint32_t active = 0xffffffff;
  int width = 4;
  bool store = false;  // to shared memory: halves and quarters of the warp never go together
};

// Returns the number of distinct 32-byte sectors that the request touches, which ncu counts as
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld (or _st), one request at a time.
int sectors(const Request& request);
// Returns the number of distinct 128-byte lines, which the tag stage looks up.
int lines(const Request& request);
// Returns the number of distinct bytes that lanes ask for.
int distinctBytes(const Request& request);

// Shared memory: 32 banks of 4 bytes, a word per bank and wavefront. Requests of 8 and 16 bytes a lane go by half and
// quarter warps. Two neighbouring halves (for 16 bytes: the two quarters of a half warp) go together when in both every
// active lane has the address of lane^1, or every one has that of lane^2; so the least for 16 bytes is 2 wavefronts,
// broadcast or not. Stores don't: 16 bytes a lane to one address take 4 wavefronts (ncu on an H200, tests/model/
// profiled.json, v4_15). Lanes that touch one word share it.
struct Phase {
  std::uint32_t lanes = 0;                              // that go together
  std::array<std::vector<std::int64_t>, kBanks> words;  // by bank: the distinct words (address / 4), ascending
  int ways() const;                                     // wavefronts: the most words of one bank
};
std::vector<Phase> phases(const Request& request);
// Returns the phases of ldmatrix: for each 8×8 matrix its eight row addresses, 16 bytes each. `request.active` says how
// many lanes give addresses.
std::vector<Phase> ldmatrixPhases(const Request& request);

// What a request costs in the banks of shared memory.
struct SharedCost {
  int wavefronts = 0;
  int phases = 0;  // wavefronts if nothing conflicted
  int ways = 0;    // of the worst phase: 1 is free of conflicts
  int conflicts() const { return wavefronts - phases; }
};
SharedCost costOf(const std::vector<Phase>& phases);
// Return what `costOf` returns of `phases` and of `ldmatrixPhases`, in less time.
SharedCost sharedCost(const Request& request);
SharedCost ldmatrixCost(const Request& request);

}  // namespace loom::layout
