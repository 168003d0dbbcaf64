#include "core/model/json.h"

#include <nlohmann/json.hpp>

#include "core/model/advice.h"
#include "core/model/compiled_links.h"

namespace loom::model {
namespace {

using Json = nlohmann::ordered_json;

Json unknown(const Error& e) { return {{"unknown", e.message.english()}}; }
Json numberJson(const Number& n) { return {{"value", n.value}, {"how", n.how}}; }

Json occupancyJson(const Occupancy& o) {
  Json j = {{"blocks", o.blocks},           {"warps", o.warps},          {"of_warps", o.maxWarps},
            {"limiter", nameOf(o.limiter)}, {"by_threads", o.byThreads}, {"by_blocks", o.byBlocks},
            {"by_shared", o.byShared}};
  if (o.byRegisters >= 0) j["by_registers"] = o.byRegisters;
  j["registers_per_block"] = o.registersPerBlock;
  j["shared_per_block"] = o.sharedPerBlock;
  j["how"] =
      "CUDA's occupancy calculation from the device's figures, as allocated: rounded up, the driver's reserve "
      "included";
  return j;
}

Json accessJson(const KernelAccesses& k, const Access& a, const AccessCost& c) {
  Json j = {{"block", a.blockName},
            {"buffer", a.buffer->name},
            {"memory", nameOf(a.memory)},
            {"kind", a.write ? "store" : "load"},
            {"bytes", a.bytes * a.elements}};
  if (a.tile) j["tile"] = {a.tile->rows, a.tile->columns};
  Json loops = Json::array();
  for (int l : a.loops) loops.push_back(k.loops[std::size_t(l)].var->name);
  j["loops"] = loops;
  if (!c.counted) {
    j["unknown"] = c.how;
    return j;
  }
  j["executions"] = c.executions;
  j["requests"] = c.requests;
  j["lane_bytes"] = c.bytes;
  if (a.memory == device::Memory::Global) {
    j["sectors"] = {{"total", c.sectors}, {"least", c.least}, {"mean", c.mean()}, {"most", c.most}};
  } else if (a.memory != device::Memory::Local && a.memory != device::Memory::Fragment) {
    j["wavefronts"] = c.wavefronts;
    j["conflicts"] = c.conflicts;
    j["ways"] = {{"least", c.least}, {"most", c.most}};
  }
  j["how"] = c.how;
  j["exact"] = c.exact;
  return j;
}

// Requests to memory under the names that Nsight Compute gives them.
template <typename Count>
Json memoryCounters(const Count& c) {
  return {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", c.globalLoadRequests},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", c.globalLoadSectors},
          {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", c.globalStoreRequests},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", c.globalStoreSectors},
          {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", c.sharedLoadWavefronts},
          {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", c.sharedLoadConflicts},
          {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", c.sharedStoreWavefronts},
          {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", c.sharedStoreConflicts},
          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", c.sharedLoadWavefronts + c.sharedStoreWavefronts},
          {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", c.sharedLoadConflicts + c.sharedStoreConflicts}};
}

Json ncuJson(const KernelCount& c) {
  Json j = {{"exact", c.exact}};
  j.update(memoryCounters(c));
  return j;
}

Json residentJson(const BufferLifetime& r) {
  Json j = {{"buffer", r.buffer->name}, {"memory", nameOf(r.memory)}, {"bytes", r.bytes},
            {"first", r.firstBlock},    {"last", r.lastBlock},        {"first_access", r.first},
            {"last_access", r.last},    {"written", r.written},       {"read", r.read}};
  if (r.footprint) j["block_footprint"] = numberJson(*r.footprint);
  if (r.gridFootprint) j["grid_footprint"] = numberJson(*r.gridFootprint);
  if (r.reuse) j["reuse"] = numberJson(*r.reuse);
  return j;
}

Json rooflineJson(const Roofline& r) {
  Json j = {{"flops", r.flops}, {"tensor_cores", r.tensor}};
  if (r.intensity) j["intensity"] = numberJson(*r.intensity);
  j["roofs"] = Json::array();
  for (const Roof& roof : r.roofs) {
    j["roofs"].push_back({{"name", roof.name},
                          {roof.compute ? "tflops" : "gb_per_s", roof.rate.value},
                          {"allows_tflops", roof.tflops},
                          {"measured", roof.rate.measured},
                          {"source", roof.rate.source}});
  }
  if (r.lowest >= 0) j["binds"] = r.roofs[std::size_t(r.lowest)].name;
  if (!r.unknown.empty()) j["unknown"] = r.unknown;
  return j;
}

// Links as the machine code has them. `widths` of no loads and stores are what a warp's lane holds of an operation.
Json linksJson(const std::vector<CompiledLink>& links) {
  Json j = Json::array();
  for (const CompiledLink& l : links) {
    Json item = {{"from", nameOf(l.from)}, {"to", nameOf(l.to)}};
    if (l.buffer) item["buffer"] = l.buffer->name;
    item.update(Json{{"bytes", l.bytes}, {"bytes_per_block", l.perBlock}});
    if (l.moved > 0) item["moved_bytes"] = l.moved;
    item["instructions"] = l.instructions();
    for (const auto& [width, n] : l.widths) item["by_bytes_a_lane"][std::to_string(width)] = n;
    item["how"] = l.how;
    j.push_back(std::move(item));
  }
  return j;
}

Json compiledJson(const sass::Kernel& sass, const CompiledCount& c) {
  Json j = {{"how", c.how}, {"exact", c.exact}, {"instructions", c.instructions}, {"executed", Json::object()}};
  for (const auto& [pipe, n] : c.executed) j["executed"][nameOf(pipe)] = n;
  if (c.granted > 0) j["waits_counted_once"] = c.granted;
  for (const auto& [opcode, n] : executedByOpcode(sass, c)) j["opcodes"][opcode] = n;
  j["loops"] = Json::array();
  for (std::size_t i = 0; i < c.loops.size(); ++i)
    j["loops"].push_back(
        {{"line", sass.loops[i].line}, {"iterations", c.loops[i].iterations}, {"how", c.loops[i].how}});
  if (c.hotLoop >= 0) {
    j["hot_loop"] = {{"loop", c.hotLoop}, {"mix", Json::object()}};
    for (const auto& [pipe, n] : c.hotMix) j["hot_loop"]["mix"][nameOf(pipe)] = n;
  }
  j["memory"] = Json::array();
  for (const CompiledAccess& m : c.memory) {
    const sass::Instruction& i = sass.instructions[std::size_t(m.instruction)];
    j["memory"].push_back({{"address", i.address},
                           {"opcode", i.opcode},
                           {"line", i.line},
                           {"bytes", i.bytes},
                           {"accesses", m.accesses},
                           {"executions", c.executions[std::size_t(m.instruction)]},
                           {"requests", m.executions},
                           {"sectors", m.sectors},
                           {"wavefronts", m.wavefronts},
                           {"conflicts", m.conflicts}});
  }
  j["ncu"] = memoryCounters(c);
  j["ncu"]["smsp__inst_executed.sum"] = c.instructions;
  return j;
}

Json pipesJson(const std::vector<PipeClocks>& pipes) {
  Json j = Json::array();
  for (const PipeClocks& p : pipes) j.push_back({{"pipe", p.pipe}, {"clocks", p.clocks}, {"how", p.how}});
  return j;
}

Json estimateJson(const Estimate& e) {
  Json j = {{"us", e.microseconds},
            {"how", e.how},
            {"as_compiled", e.asCompiled},
            {"throughput_clocks", e.throughputClocks},
            {"latency_clocks", e.latencyClocks},
            {"launch_us", e.launchMicroseconds},
            {"misses_l2", e.missesL2},
            {"busiest", e.pipes[std::size_t(e.busiest)].pipe},
            {"pipes", pipesJson(e.pipes)},
            {"phases", Json::array()}};
  for (const Phase& p : e.phases)
    j["phases"].push_back(
        {{"name", p.name}, {"busiest", p.pipes[std::size_t(p.busiest)].pipe}, {"pipes", pipesJson(p.pipes)}});
  return j;
}

Json tracksJson(const TrackClocks& clocks) {
  Json j = Json::object();
  for (int i = 0; i < kTracks; ++i) j[nameOf(Track(i))] = clocks[std::size_t(i)];
  return j;
}

Json budgetJson(const Budget& b) {
  return {{"clocks", b.clocks},
          {"busy", tracksJson(b.busy)},
          {"exposed", tracksJson(b.exposed)},
          {"waits", tracksJson(b.waits)}};
}

Json timelineJson(const Timeline& t) {
  Json j = budgetJson(budgetOf(t, -1));
  j["how"] =
      "the predicted time of the busiest multiprocessor, shared out over the phases between barriers: each as "
      "long as its busiest pipe, and what latency no other warp hides";
  j["as_compiled"] = t.asCompiled;
  j["rounds"] = t.rounds;
  j["resident"] = t.resident;
  if (t.step < 0) return j;
  const TimelineItem& step = t.items[std::size_t(t.step)];
  j["step"] = budgetJson(budgetOf(t, t.step));
  j["step"]["loop"] = step.var->name;
  j["step"]["passes"] = step.extent;
  return j;
}

}  // namespace

Json toJson(const KernelModel& m, const Device& device) {
  Json j = {{"kernel", m.kernel}};
  if (m.accesses.kernel->draft) j["draft"] = true;
  j["occupancy"] = m.occupancy ? occupancyJson(*m.occupancy) : unknown(m.occupancy.error());
  if (m.occupancy && !m.registersKnown) j["occupancy"]["assumed"] = "registers aren't known and taken not to limit";
  if (m.waves) {
    j["waves"] = {{"blocks", m.waves->blocks},
                  {"slots", m.waves->slots},
                  {"full", m.waves->full},
                  {"last", m.waves->last},
                  {"efficiency", m.waves->efficiency},
                  {"cluster", m.waves->clusters.size},
                  {"active_clusters", m.waves->clusters.clusters},
                  {"how", "blocks of the grid over what all multiprocessors hold at once, by occupancy"}};
  } else {
    j["waves"] = unknown(m.waves.error());
  }
  j["accesses"] = Json::array();
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i)
    j["accesses"].push_back(accessJson(m.accesses, m.accesses.accesses[i], m.count.accesses[i]));
  j["ncu"] = ncuJson(m.count);
  j["flops"] = m.count.flops;
  j["tensor_flops"] = m.count.tensorFlops;
  j["links"] = Json::array();
  for (const Link& l : m.hierarchy.links) {
    j["links"].push_back({{"from", nameOf(l.from)},
                          {"to", nameOf(l.to)},
                          {"bytes", l.bytes},
                          {"bytes_per_block", l.perBlock},
                          {"how", l.how}});
  }
  j["buffers"] = Json::array();
  for (const BufferLifetime& r : m.hierarchy.residents) j["buffers"].push_back(residentJson(r));
  j["roofline"] = rooflineJson(m.roofline);
  if (m.compiled) {
    j["compiled"] = compiledJson(*m.sass, *m.compiled);
    j["compiled"]["links"] = linksJson(compiledLinks(m.accesses, *m.sass, *m.compiled));
  }
  if (m.machineProblem) j["compiled"] = unknown(*m.machineProblem);
  j["advice"] = Json::array();
  for (const Advice& a : adviceOn(m, device)) {
    Json item = {{"code", a.code}, {"message", a.message.english()}, {"us", a.microseconds}, {"numbers", a.numbers}};
    if (a.access >= 0) item["access"] = a.access;
    if (!a.step.empty()) item["step"] = a.step;
    j["advice"].push_back(std::move(item));
  }
  if (m.estimate) {
    j["estimate"] = estimateJson(*m.estimate);
  } else {
    j["estimate"] = unknown(m.estimate.error());
  }
  j["block_life"] = m.timeline ? timelineJson(*m.timeline) : unknown(m.timeline.error());
  return j;
}

Json toJson(const Device& d) {
  Json j = {{"id", d.id}, {"name", d.name}, {"compute_capability", {d.major, d.minor}}, {"figures", Json::object()}};
  for (const auto& [quantity, figure] : d.figures)
    j["figures"][nameOf(quantity)] = {{"value", figure.value}, {"source", figure.source}};
  return j;
}

}  // namespace loom::model
