#include "app/panels/performance/view/performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/product_rate.h"
#include "core/model/role_run.h"

namespace loom::session {

namespace {

using FigureKind = ComparedFigure::Kind;
using model::Quantity;
using sass::Pipe;

// One whose rate isn't known has no value.
Ceiling ceiling(const std::optional<model::Rate>& rate, std::string name, std::optional<Traffic> traffic = {}) {
  return {std::move(name), traffic, rate.value_or(model::Rate{})};
}

bool isMemory(Pipe pipe) { return pipe <= Pipe::LocalStore; }
bool isGlobal(Pipe pipe) { return pipe == Pipe::GlobalLoad || pipe == Pipe::GlobalStore; }

InstructionMix mixOf(const sass::Kernel& sass, const model::CompiledCount& c) {
  InstructionMix mix;
  mix.executed = c.instructions;
  mix.how = c.how;
  mix.exact = c.exact;
  for (const auto& [pipe, executed] : c.executed) {
    auto in = c.hotMix.find(pipe);
    mix.shares.push_back({pipe, in == c.hotMix.end() ? 0 : in->second, executed});
    mix.hotInstructions += mix.shares.back().inLoop;
  }
  std::stable_sort(mix.shares.begin(), mix.shares.end(), [](const InstructionShare& a, const InstructionShare& b) {
    return std::pair(a.executed, a.inLoop) > std::pair(b.executed, b.inLoop);
  });
  if (c.hotLoop < 0) return mix;
  mix.iterations = c.loops[std::size_t(c.hotLoop)].iterations;
  mix.loopHow = c.loops[std::size_t(c.hotLoop)].how;
  const sass::Loop& hot = sass.loops[std::size_t(c.hotLoop)];
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    if (!isMemory(i.pipe) || i.address < hot.first || i.address > hot.last) continue;
    MemoryInstruction one{i.opcode, i.line, 1, i.pipe == Pipe::LdMatrix ? 4 * i.matrices : i.bytes, 0, 0};
    double lanes = layout::kLanes;
    for (const model::CompiledAccess& a : c.memory) {
      if (a.instruction != int(n) || a.executions <= 0) continue;
      one.perRequest = (isGlobal(i.pipe) ? a.sectors : a.wavefronts) / a.executions;
      if (i.pipe != sass::Pipe::LdMatrix) lanes = a.lanes / a.executions;  // all 32 take part in what 8 lanes address
    }
    one.needed = std::max(1.0, std::ceil(lanes * one.bytes / (isGlobal(i.pipe) ? 32 : 128)));
    // Lanes that read the same bytes need them once.
    if (one.perRequest > 0) one.needed = std::min(one.needed, one.perRequest);
    auto same = std::find_if(mix.memory.begin(), mix.memory.end(), [&](const MemoryInstruction& m) {
      return m.opcode == one.opcode && m.line == one.line && std::abs(m.perRequest - one.perRequest) < 1e-6;
    });
    if (same == mix.memory.end())
      mix.memory.push_back(one);
    else
      ++same->count;
  }
  std::stable_sort(mix.memory.begin(), mix.memory.end(), [](const MemoryInstruction& a, const MemoryInstruction& b) {
    return std::pair(a.line, a.opcode) < std::pair(b.line, b.opcode);
  });
  return mix;
}

const char* nameOf(MemoryLevel level) {
  static const char* kNames[] = {"global", "l2", "shared", "registers", "tensor core"};
  return kNames[int(level)];
}

class Figures {
 public:
  std::vector<ComparedFigure> all;
  void add(FigureKind kind, double value, Message how, std::string label = "") {
    all.push_back({kind, std::move(label), value, std::move(how)});
  }
};

void times(Figures& f, const model::Estimate& e, const model::Device& device) {
  f.add(FigureKind::kPredicted, e.microseconds, e.how);
  const double clock = device.value(Quantity::ClockMhz).value_or(0);
  if (e.powerBound) f.add(FigureKind::kClock, e.megahertz, message("the rate that the power limit leaves"));
  constexpr double kLeast = 1e-3;  // of the whole time: what takes less is no reason for it
  for (const model::PipeClocks& p : e.pipes)
    if (clock > 0 && p.clocks / clock >= kLeast * e.microseconds)
      // Where the copy engine loads, what comes from L2 is its time, and what is left of L2 are the stores.
      f.add(FigureKind::kPipe, p.clocks / clock, p.how, e.roles && p.pipe == "l2" ? "l2 stores" : p.pipe);
  if (clock > 0 && e.latencyClocks > 0)
    f.add(FigureKind::kPipe, e.latencyClocks / clock, message("of one warp after another, if nothing were shared"),
          "latency");
  if (e.roles && e.roles->clocks > 0)
    f.add(FigureKind::kProducts, 100 * std::min(1.0, e.roles->use.tensor / e.roles->clocks),
          message("of the time without the launch, at the full rate of tensor cores"));
  f.add(FigureKind::kLaunch, e.launchMicroseconds, message("fitted"));
}

void requests(Figures& f, const model::KernelModel& m) {
  const model::KernelCount& w = m.count;
  auto ratio = [&](FigureKind kind, double sectors, double asked, const std::string& label) {
    if (asked > 0) f.add(kind, sectors / asked, message("{:.0f} sectors of {:.0f} requests", sectors, asked), label);
  };
  ratio(FigureKind::kLoadSectors, w.globalLoadSectors, w.globalLoadRequests, "as written");
  if (m.compiled)
    ratio(FigureKind::kLoadSectors, m.compiled->globalLoadSectors, m.compiled->globalLoadRequests, "as compiled");
  ratio(FigureKind::kStoreSectors, w.globalStoreSectors, w.globalStoreRequests, "as written");
  if (m.compiled)
    ratio(FigureKind::kStoreSectors, m.compiled->globalStoreSectors, m.compiled->globalStoreRequests, "as compiled");
  const double written = w.sharedLoadConflicts + w.sharedStoreConflicts;
  if (w.sharedLoadWavefronts + w.sharedStoreWavefronts > 0)
    f.add(FigureKind::kConflicts, written, message("wavefronts beyond the least"), "as written");
  if (m.compiled && m.compiled->sharedLoadWavefronts + m.compiled->sharedStoreWavefronts > 0)
    f.add(FigureKind::kConflicts, m.compiled->sharedLoadConflicts + m.compiled->sharedStoreConflicts, m.compiled->how,
          "as compiled");
  if (m.compiled) f.add(FigureKind::kInstructions, m.compiled->instructions, m.compiled->how);
}

// What threads there are can keep busy of a multiprocessor's units: each sub-partition's serve its own warps, and of a
// warp's 32 lanes those that have a thread; tensor cores serve whole warps.
double filledOf(const PerformanceView& v, const model::Device& device, int threads) {
  constexpr int kLanes = 32;
  const double partitions = device.value(Quantity::SubPartitions).value_or(0);
  if (v.warpsRun <= 0 || partitions <= 0 || threads <= 0) return 1;
  const int warps = (threads + kLanes - 1) / kLanes;
  const double lanes = v.peak.find("mma") == std::string::npos ? double(threads) / (kLanes * warps) : 1;
  return std::min(1.0, v.warpsRun / partitions) * lanes;
}

}  // namespace

std::vector<Ceiling> ceilingsOf(const model::Device& device, const std::optional<gpu::Matmul>& matmul) {
  auto rate = [&](Quantity quantity) { return model::rateOf(device, quantity); };
  std::vector<Ceiling> all{ceiling(rate(Quantity::MemoryGbPerS), "memory", Traffic::kMemory),
                           ceiling(rate(Quantity::L2GbPerS), "l2", Traffic::kL2),
                           ceiling(model::sharedRateOf(device), "shared", Traffic::kShared),
                           ceiling(rate(Quantity::Fp32Tflops), "fp32")};
  // Of a tile of a product with a vector tensor cores would compute one row.
  const auto kinds = matmul && !matmul->hasVector()
                         ? model::productKindsOf(matmul->input, matmul->accumulator, matmul->factorDigits)
                         : std::vector<device::ProductKind>();
  for (const device::ProductKind kind : kinds)
    for (const model::ProductRate& of :
         {model::rateOfProducts(model::executedAs(kind, device)), model::rateOfWarpgroups(kind)})
      if (!of.isOfOther) all.push_back(ceiling(rate(of.peak), of.name));
  std::erase_if(all, [](const Ceiling& c) { return c.rate.value <= 0; });
  return all;
}

PerformanceView performanceView(const model::KernelModel& m, const model::Device* device,
                                const compile::KernelResources* resources, const MemoryView& memory) {
  PerformanceView v;
  Figures f;
  v.kernel = true;
  v.registersKnown = m.registersKnown;
  v.flops = m.roofline.flops;
  v.servedTogether = m.roofline.servedTogether;
  const double blocks = double(m.accesses.kernel->blocks());
  for (const model::Roof& r : m.roofline.roofs) {
    if (r.compute) v.peak = r.name;
  }
  if (device) v.peakUnknown = m.roofline.peakUnknown;
  // The bytes hold whatever the device's rates are.
  v.bytes[int(Traffic::kMemory)] = model::memoryBytes(m.hierarchy);
  v.written = v.bytes;
  // The bytes that the predicted time counts; without a device nothing is known of its L1.
  const Message writtenL2 = message("sectors of the loads as written that L1 lacks, and of the stores");
  if (m.estimate && m.estimate->l2Written.bytes() > 0) {
    v.written[int(Traffic::kL2)] = {m.estimate->l2Written.bytes(), writtenL2};
    v.bytes[int(Traffic::kL2)] = {m.estimate->l2.bytes(),
                                  m.estimate->asCompiled
                                      ? message("sectors of the machine code's loads that L1 lacks, and of its stores")
                                      : writtenL2};
  } else if (const double all = m.count.globalLoadSectors + m.count.globalStoreSectors; !m.estimate && all > 0) {
    v.bytes[int(Traffic::kL2)] = v.written[int(Traffic::kL2)] = {
        all * layout::kSectorBytes, message("sectors of all requests, as if L1 held nothing")};
  }
  const double wavefronts = model::wavefrontsOf(m.accesses, m.count, m.compiled ? &*m.compiled : nullptr);
  const double wavefrontsWritten = model::wavefrontsOf(m.accesses, m.count, nullptr);
  if (model::writesBoxes(m.accesses)) v.fillShare = model::RoleConstants{}.fillShare;
  const auto ofBoxes = [&](Message how) {
    return v.fillShare < 1 ? message("{}; of what boxes write {:g}, as writing takes that much from others",
                                     std::move(how), v.fillShare)
                           : how;
  };
  const Message writtenShared = ofBoxes(message("128 bytes a wavefront as written, bank conflicts too"));
  if (wavefrontsWritten > 0) v.written[int(Traffic::kShared)] = {wavefrontsWritten * 128, writtenShared};
  if (wavefronts > 0)
    v.bytes[int(Traffic::kShared)] = {
        wavefronts * 128,
        m.compiled ? ofBoxes(message("128 bytes a wavefront of the machine code, bank conflicts too")) : writtenShared};

  if (m.estimate) {
    v.estimate = *m.estimate;
    if (device) times(f, *m.estimate, *device);
  }
  f.add(FigureKind::kBlocks, blocks, message("of the grid"));
  f.add(FigureKind::kThreads, double(m.accesses.kernel->threads()), message("of a block"));
  if (resources) {
    f.add(FigureKind::kRegisters, resources->registers, message("as the assembler says"));
    f.add(FigureKind::kSpills, resources->spillStores + resources->spillLoads,
          message("stores and loads, as the assembler says"));
  }
  f.add(FigureKind::kShared, double(m.accesses.kernel->sharedBytes()), message("of a block, as allocated"));
  if (m.occupancy && device) {
    v.occupancy = *m.occupancy;
    v.parts = occupancyParts(m, *device, resources ? resources->registers : 0);
    if (m.registersKnown)
      f.add(FigureKind::kOccupancy, 100 * m.occupancy->fraction(), message("resident warps of the most"));
    f.add(FigureKind::kBlocksFit, m.occupancy->blocks,
          m.registersKnown ? message("on a multiprocessor") : message("registers not counted"));
    model::Resources wants{int(m.accesses.kernel->threads()), resources ? resources->registers : 0,
                           m.accesses.kernel->sharedBytes()};
    for (int want = 0; want < model::kWants; ++want)
      if (auto curve = model::occupancyCurve(*device, wants, model::OccupancyResource(want),
                                             std::int64_t(blocks) * wants.threads))
        v.curves.push_back(*curve);
    v.multiprocessors = int(device->value(Quantity::Multiprocessors).value_or(0));
    v.busy = int(std::min<double>(blocks, v.multiprocessors));
    if (v.multiprocessors > 0) v.share = double(v.busy) / v.multiprocessors;
    if (m.occupancy->blocks > 0) v.warpsRun = int(memory.blocksRun) * (m.occupancy->warps / m.occupancy->blocks);
    v.filled = filledOf(v, *device, int(m.accesses.kernel->threads()));
  }
  if (m.waves && device) v.waves = *m.waves;
  if (m.waves && m.waves->slots > 0)
    f.add(FigureKind::kWaves, blocks / double(m.waves->slots),
          message("{} blocks in {} places", m.waves->blocks, m.waves->slots));

  for (int from = 0; from < kMemoryLevels; ++from)
    for (int to = 0; to < kMemoryLevels; ++to) {
      double bytes = 0;
      Message how;
      for (const MemoryTraffic& t : memory.traffic)
        if (int(t.from) == from && int(t.to) == to) bytes += t.bytes, how = t.how;
      if (bytes > 0)
        f.add(FigureKind::kTraffic, bytes, how,
              fmt::format("{} → {}", nameOf(MemoryLevel(from)), nameOf(MemoryLevel(to))));
    }
  static const char* kLinks[] = {"memory", "l2", "shared"};
  for (int link = 0; link < kTraffics; ++link)
    if (const auto& b = v.bytes[std::size_t(link)]; b && v.flops > 0)
      f.add(FigureKind::kIntensity, v.flops / b->value, b->how, kLinks[link]);
  requests(f, m);
  int ways = 0;
  for (const MemoryBuffer& b : memory.buffers) ways = std::max(ways, b.ways);
  if (ways > 0) f.add(FigureKind::kWays, ways, message("the worst phase of a request"));
  if (m.sass && m.compiled) v.mix = mixOf(*m.sass, *m.compiled);
  v.figures = std::move(f.all);
  return v;
}

const PerformanceView& performanceOf(const StateModel& model) {
  return model.views.get<PerformanceView>([&] {
    const model::Device* device = model.device ? &*model.device : nullptr;
    PerformanceView view;
    if (model.isKernel()) {
      view = performanceView(*model.kernel, device, model.resources ? &*model.resources : nullptr, memoryOf(model));
    } else {
      view.problem = memoryOf(model).problem;
    }
    if (device) view.device = device->name;
    if (!device) view.deviceProblem = model.deviceProblem;
    return view;
  });
}

double slownessOf(const PerformanceView& view, double microseconds) {
  if (!view.estimate || microseconds <= 0) return 0;
  const bool longer = std::any_of(view.figures.begin(), view.figures.end(), [&](const ComparedFigure& f) {
    return f.kind == FigureKind::kPipe && f.label != model::kColdMemory && f.value > microseconds;
  });
  return longer ? view.estimate->microseconds / microseconds : 0;
}

double modelErrorOf(const PerformanceView& view, double microseconds) {
  if (!view.estimate || microseconds <= 0) return 0;
  constexpr double kNear = 1.5 * kUsualError;
  const double error = view.estimate->microseconds / microseconds - 1;
  return std::abs(error) > kNear ? error : 0;
}

const ComparedRow* comparedTime(const std::vector<ComparedRow>& rows, FigureKind kind) {
  const auto found = std::ranges::find_if(rows, [&](const ComparedRow& r) {
    return r.kind == kind && r.label.empty() && r.before.value_or(0) > 0 && r.after.value_or(0) > 0;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<DisputedChange> disputedChange(const std::vector<ComparedRow>& rows, double noise) {
  const ComparedRow *known = comparedTime(rows, FigureKind::kMeasured),
                    *model = comparedTime(rows, FigureKind::kPredicted);
  if (known == nullptr || model == nullptr) return std::nullopt;
  const double measured = known->change(), predicted = model->change();
  constexpr double kTrifle = 5e-3;  // of the time: less reads as × 1.00
  const auto sign = [](double change, double least) { return change > 1 + least ? 1 : change < 1 - least ? -1 : 0; };
  const bool opposite = sign(measured, kTrifle) * sign(predicted, kTrifle) < 0;
  const bool alone = sign(measured, noise) != sign(predicted, noise) && std::abs(predicted / measured - 1) > noise;
  if (!opposite && !alone) return std::nullopt;
  return DisputedChange{measured, predicted};
}

std::vector<ComparedRow> compared(const std::vector<ComparedFigure>& before, const std::vector<ComparedFigure>& after) {
  std::vector<ComparedRow> rows;
  auto place = [&](const ComparedFigure& f) -> ComparedRow& {
    auto same = std::find_if(rows.begin(), rows.end(),
                             [&](const ComparedRow& r) { return r.kind == f.kind && r.label == f.label; });
    if (same != rows.end()) return *same;
    rows.push_back({f.kind, f.label, std::nullopt, std::nullopt, f.how, false});
    return rows.back();
  };
  for (const ComparedFigure& f : before) place(f).before = f.value;
  for (const ComparedFigure& f : after) {
    ComparedRow& row = place(f);
    row.after = f.value;
    row.how = f.how;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ComparedRow& a, const ComparedRow& b) { return a.kind < b.kind; });
  for (ComparedRow& r : rows) {
    const double a = r.before.value_or(0), b = r.after.value_or(0);
    r.differs =
        r.before.has_value() != r.after.has_value() || std::abs(a - b) > 1e-3 * std::max(std::abs(a), std::abs(b));
  }
  const auto clock = std::ranges::find(rows, FigureKind::kClock, &ComparedRow::kind);
  if (clock == rows.end() || !clock->before || !clock->after) return rows;
  for (ComparedRow& r : rows) {
    if (r.kind != FigureKind::kPipe || !r.differs || !r.before || !r.after) continue;
    const double then = *r.before * *clock->before, now = *r.after * *clock->after;
    r.byClock = std::abs(then - now) <= 1e-3 * std::max(then, now);
  }
  return rows;
}

}  // namespace loom::session
