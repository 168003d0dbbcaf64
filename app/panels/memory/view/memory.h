#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/state_model.h"
#include "core/device/memory_level.h"
#include "core/document/kernel.h"
#include "core/model/model.h"

namespace loom::session {

using device::kMemoryLevels;
using device::MemoryLevel;

struct MemoryBuffer {
  MemoryLevel level = MemoryLevel::kGlobal;
  int column = 0;  ///< of its operand: the place of the parameter whose data it holds
  std::string name, dtype;
  std::vector<std::int64_t> shape;     ///< as declared; of a kernel's own memory: as allocated for a block
  double bytes = 0;                    ///< global: whole; shared: of a block; registers: of a block's threads
  std::vector<std::int64_t> declared;  ///< its shape in the program, where less than that is allocated; else empty
  double declaredBytes = 0;
  double perThread = 0;  ///< bytes of one thread (local) or one warp (fragments); 0 elsewhere
  bool fragment = false;
  double lives = 1;  ///< times that a block fills it anew
  std::string life;  ///< the loop of which one iteration is its life; empty: the whole block
  /// Of a kernel's own memory: where its first and last use stand among the kernel's accesses in program order, as
  /// shares of these. Both 0: it isn't used, or there is no kernel.
  double begins = 0, ends = 0;
  int ways = 0;  ///< shared: the worst bank conflict of its accesses; 0 unknown, 1 none
  std::vector<ir::Id> ids;
};

/// What travels from one level to another for one operand.
struct MemoryTraffic {
  MemoryLevel from = MemoryLevel::kGlobal, to = MemoryLevel::kL2;
  int column = 0;
  double bytes = 0;  ///< over the grid; NaN-free, 0 where it isn't known
  double perBlock = 0;
  Message how;              ///< origin of the number, English as the model says it
  std::vector<ir::Id> ids;  ///< blocks whose statements make it
  // As compiled only:
  double moved = 0;              ///< bytes that the link carries for it: whole sectors, whole wavefronts; 0: not asked
  std::map<int, double> widths;  ///< bytes of a lane → instructions that warps execute, over the grid
};

/// One resource of a multiprocessor: what a block takes, what there is, blocks that it alone would allow.
struct MemoryBudget {
  model::Limiter resource = model::Limiter::Threads;
  double taken = 0, available = 0;
  int fits = -1;  ///< −1: not known (registers before compilation)
  bool limits = false;
  double reserved = 0;  ///< of `taken`: what the driver keeps of each block's shared memory
};

/// The time that one link or unit would take alone: the predicted time's own figure of it, so that every panel says the
/// same; where nothing is predicted, what its rate allows.
struct MemoryTimeBound {
  std::string roof;         ///< model::Roof's name; without shared memory the pipe's of memory instructions
  std::string pipe;         ///< model::PipeClocks' name; empty: nothing is predicted
  double microseconds = 0;  ///< of the busiest multiprocessor, where the rate is a multiprocessor's
  double bytes = 0;         ///< 0 for arithmetic
  double once = 0;          ///< L2's if each byte came once a block; else 0
  double rate = 0;          ///< GB/s, or TFLOP/s for arithmetic; of what the multiprocessors do in whole waves; 0: none
  double atRate = 0;        ///< µs that the bytes, or the arithmetic, take at `rate` and nothing else
  Message how;              ///< of the time
  model::Rate device;       ///< of the whole device

  /// Would be needed if L2 were cold, and is no part of the predicted time.
  bool isCold() const { return pipe == model::kColdMemory; }
};

/// Barriers that a block's threads meet at, from the program: __syncthreads() is number 0 of the sixteen that the PTX
/// ISA ("bar") gives a block.
struct MemoryBarriers {
  static constexpr int kAvailable = 16;
  int used = 0;            ///< 0 or 1
  int written = 0;         ///< __syncthreads() in the kernel's text
  double perBlock = 0;     ///< that one block executes
  double perStep = 0;      ///< of them in one pass of `step`
  std::string step;        ///< the loop of the k step, model::Timeline::step; empty: none has barriers
  bool sometimes = false;  ///< a condition may skip some
};

struct MemoryReuse {
  std::string buffer;
  double times = 0;
  Message how;
};

struct MemoryView {
  bool kernel = false;     ///< false: buffers alone, at their scopes
  bool draft = false;      ///< no kernel yet, but its statements are counted (lower::draft)
  bool allocated = false;  ///< buffers have the sizes that lowering gives them; else those of the program
  Message problem;         ///< why there is no kernel, as the core says it; also of a draft
  std::string device;
  Message deviceProblem;
  std::int64_t blocks = 0, threads = 0;
  int registers = 0;  ///< of a thread; 0 not known
  std::vector<MemoryBuffer> buffers;
  std::vector<MemoryTraffic> traffic;          ///< as written
  std::vector<MemoryTraffic> compiledTraffic;  ///< of the machine code; empty where it isn't known
  std::vector<MemoryBudget> budgets;
  MemoryBarriers barriers;
  std::vector<double> barriersAt;  ///< where a barrier stands, on the scale of MemoryBuffer::begins
  std::vector<MemoryReuse> reuse;
  std::vector<MemoryTimeBound> floors;
  double tiles = 0;      ///< tensor-core products of a block
  int blocksFit = 0;     ///< on a multiprocessor
  double blocksRun = 0;  ///< on a busy multiprocessor: no more than the grid has
  int multiprocessors = 0, idle = 0;
  double occupancy = 0;

  const MemoryBuffer* find(const std::string& name, MemoryLevel level) const;
  const MemoryTraffic* find(MemoryLevel from, MemoryLevel to, int column) const;
};

/// A pure function of the state's kernel text, the model of its kernel (null: it has none), the device, and, where it
/// was compiled, what the assembler says of the kernel (else null). A program of several kernels shows its largest:
/// `model` is of that. `device` may be null: then budgets and times are empty and `deviceProblem` is for the caller to
/// fill.
MemoryView memoryView(const document::KernelText& text, const model::Device* device, const model::KernelModel* model,
                      const compile::KernelResources* resources = nullptr);
/// Returns the view of a state's model, kept with the model.
const MemoryView& memoryOf(const StateModel& model);

/// What a step changed: buffers and traffic of `after` that `before` has not, or with other numbers.
struct MemoryChange {
  std::vector<bool> buffers, traffic;  ///< by MemoryView's
  std::vector<double> trafficBefore;   ///< bytes over the grid; −1: there was none
};
MemoryChange memoryChange(const MemoryView& before, const MemoryView& after);

}  // namespace loom::session
