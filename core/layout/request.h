// What one memory instruction of a warp costs, computed from the addresses of the warp's lanes: sectors and lines of
// global memory, wavefronts and bank conflicts of shared memory.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace loom::layout {

constexpr int kLanes = 32, kBanks = 32;  // lanes of a warp, banks of shared memory
// Bytes of a word of one bank, of a sector of the L2 cache, and of a cache line.
constexpr int kBankBytes = 4, kSectorBytes = 32, kLineBytes = 128;

// A warp's request to memory: each active lane reads or writes `width` bytes from its address on.
struct Request {
  std::array<std::int64_t, kLanes> address{};  // by lane, in bytes; ignored for inactive lanes
  std::uint32_t active = 0xffffffff;           // bit i is set if lane i is active
  int width = 4;                               // bytes for each lane: 1, 2, 4, 8 or 16, which divide each address
  // Whether the request is a store. Stores of 8 and 16 bytes to shared memory always have a phase for each half or
  // quarter warp (see Phase).
  bool store = false;
};

// Returns the number of distinct 32-byte sectors that the request touches, which ncu counts as
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld (or _st), one request at a time.
int sectors(const Request& request);
// Returns the number of distinct 128-byte lines that the request touches, each of which L1's tag stage looks up.
int lines(const Request& request);
// Returns the number of distinct bytes that the active lanes read or write.
int distinctBytes(const Request& request);

// A phase of a request to shared memory: lanes whose words are moved in the same wavefronts. Shared memory has 32 banks
// of 4 bytes, and a wavefront moves at most one word of each bank; lanes that touch the same word share it. A request
// of up to 4 bytes for each lane is one phase. A request of 8 bytes has a phase for each half warp, and one of 16 bytes
// for each quarter warp, except that the two halves (for 16 bytes: the two quarters of a half warp) of a load form one
// phase if every active lane in them has the address of lane^1, or every active lane has that of lane^2 (inactive
// neighbours don't count). So a load of 16 bytes by all 32 lanes takes at least 2 wavefronts, even if all lanes have
// one address, and such a store takes 4 (ncu on an H200, tests/model/profiled.json, v4_15).
struct Phase {
  std::uint32_t lanes = 0;                              // bit i is set if active lane i belongs to the phase
  std::array<std::vector<std::int64_t>, kBanks> words;  // by bank: the distinct words (address / 4), ascending
  int ways() const;  // returns the wavefronts that the phase takes: the most distinct words in one bank
};
// Returns the phases of a load or store in shared memory, by ascending lane; none if no lane is active.
std::vector<Phase> phases(const Request& request);
// Returns the phases of ldmatrix, one for each 8×8 matrix: the rows, 16 bytes each, at the addresses that eight
// neighbouring lanes give. `request.width` is 16, and `request.active` has the lanes that give addresses: the first 8,
// 16 or all 32 for x1, x2 or x4.
std::vector<Phase> ldmatrixPhases(const Request& request);

// What a request costs in the banks of shared memory.
struct SharedCost {
  int wavefronts = 0;
  int phases = 0;  // the number of phases: the wavefronts that the request would take without bank conflicts
  int ways = 0;    // the wavefronts of the worst phase; 1 means no bank conflicts
  int conflicts() const { return wavefronts - phases; }  // the wavefronts that bank conflicts add
};
// Returns the cost of a request with these phases; all zeros for none.
SharedCost costOf(const std::vector<Phase>& phases);
// Return costOf(phases(request)) and costOf(ldmatrixPhases(request)), in less time.
SharedCost sharedCost(const Request& request);
SharedCost ldmatrixCost(const Request& request);

}  // namespace loom::layout
