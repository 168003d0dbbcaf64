#include "core/gpu/protocol.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace loom::gpu {

using nlohmann::json;

namespace {

// JSON has no infinity.
json number(double x) { return std::isfinite(x) ? json(x) : json("inf"); }
double number(const json& j) { return j.is_string() ? INFINITY : j.get<double>(); }

ir::DType dtypeOf(const json& j) {
  auto t = ir::DType::parse(j.get<std::string>());
  return t ? *t : ir::DType::Void();
}

json toJson(const Timing& t) {
  return {{"median_us", t.median},
          {"low_us", t.low},
          {"high_us", t.high},
          {"samples", t.samples},
          {"launches_per_sample", t.launchesPerSample},
          {"cold_us", t.cold},
          {"all_us", t.all},
          {"sm_mhz", t.clocks.smMhz},
          {"memory_mhz", t.clocks.memoryMhz},
          {"temperature_c", t.clocks.temperatureC},
          {"power_w", t.clocks.powerW}};
}
Timing timingFromJson(const json& j) {
  Timing t;
  t.median = j.at("median_us");
  t.low = j.at("low_us");
  t.high = j.at("high_us");
  t.samples = j.at("samples");
  t.launchesPerSample = j.at("launches_per_sample");
  if (j.contains("all_us")) t.all = j.at("all_us").get<std::vector<double>>();
  t.cold = j.at("cold_us");
  t.clocks = {j.at("sm_mhz"), j.at("memory_mhz"), j.at("temperature_c"), j.at("power_w")};
  return t;
}

json toJson(const Candidate& c, std::string& blob) {
  json launches = json::array(), buffers = json::array();
  for (const auto& l : c.launches) {
    launches.push_back({{"name", l.name},
                        {"grid", l.grid},
                        {"block", l.block},
                        {"shared", l.dynamicSharedBytes},
                        {"arguments", l.arguments}});
  }
  for (const auto& b : c.buffers) {
    buffers.push_back({{"name", b.name},
                       {"dtype", b.dtype.str()},
                       {"shape", b.shape},
                       {"read", b.read},
                       {"written", b.written},
                       {"temporary", b.temporary}});
  }
  json j = {{"label", c.label},   {"script", c.script}, {"launches", launches},
            {"buffers", buffers}, {"at", blob.size()},  {"size", c.cubin.size()}};
  blob.append(c.cubin.begin(), c.cubin.end());
  return j;
}
Candidate candidateFromJson(const json& j, const std::string& blob) {
  Candidate c;
  c.label = j.at("label");
  c.script = j.at("script");
  for (const json& l : j.at("launches")) {
    codegen::KernelLaunch launch;
    launch.name = l.at("name");
    launch.grid = l.at("grid");
    launch.block = l.at("block");
    launch.dynamicSharedBytes = l.at("shared");
    launch.arguments = l.at("arguments").get<std::vector<int>>();
    c.launches.push_back(std::move(launch));
  }
  for (const json& b : j.at("buffers")) {
    codegen::GlobalBuffer buffer;
    buffer.name = b.at("name");
    buffer.dtype = dtypeOf(b.at("dtype"));
    buffer.shape = b.at("shape").get<std::vector<std::int64_t>>();
    buffer.read = b.at("read");
    buffer.written = b.at("written");
    buffer.temporary = b.at("temporary");
    c.buffers.push_back(std::move(buffer));
  }
  std::size_t at = j.at("at"), size = j.at("size");
  if (at > blob.size() || size > blob.size() - at)
    throw json::other_error::create(600, "the blob is too short", nullptr);
  c.cubin.assign(blob.begin() + std::ptrdiff_t(at), blob.begin() + std::ptrdiff_t(at + size));
  return c;
}

}  // namespace

json toJson(const Matmul& m) {
  return {{"m", m.m},
          {"n", m.n},
          {"k", m.k},
          {"a", m.a},
          {"b", m.b},
          {"d", m.d},
          {"a_transposed", m.aTransposed},
          {"b_transposed", m.bTransposed},
          {"input", m.input.str()},
          {"output", m.output.str()},
          {"accumulator", m.accumulator.str()}};
}
Matmul matmulFromJson(const json& j) {
  Matmul m;
  m.m = j.at("m");
  m.n = j.at("n");
  m.k = j.at("k");
  m.a = j.at("a");
  m.b = j.at("b");
  m.d = j.at("d");
  m.aTransposed = j.at("a_transposed");
  m.bTransposed = j.at("b_transposed");
  m.input = dtypeOf(j.at("input"));
  m.output = dtypeOf(j.at("output"));
  m.accumulator = dtypeOf(j.at("accumulator"));
  return m;
}

json toJson(const DeviceInfo& d) {
  return {{"ordinal", d.ordinal},
          {"name", d.name},
          {"major", d.major},
          {"minor", d.minor},
          {"multiprocessors", d.multiprocessors},
          {"memory_bytes", d.memoryBytes},
          {"shared_per_block", d.sharedPerBlock},
          {"shared_per_multiprocessor", d.sharedPerMultiprocessor},
          {"l2_bytes", d.l2Bytes},
          {"clock_khz", d.clockKhz},
          {"memory_clock_khz", d.memoryClockKhz},
          {"driver", d.driver},
          {"cpu", d.cpu}};
}
DeviceInfo deviceFromJson(const json& j) {
  DeviceInfo d;
  d.ordinal = j.at("ordinal");
  d.name = j.at("name");
  d.major = j.at("major");
  d.minor = j.at("minor");
  d.multiprocessors = j.at("multiprocessors");
  d.memoryBytes = j.at("memory_bytes");
  d.sharedPerBlock = j.at("shared_per_block");
  d.sharedPerMultiprocessor = j.at("shared_per_multiprocessor");
  d.l2Bytes = j.at("l2_bytes");
  d.clockKhz = j.at("clock_khz");
  d.memoryClockKhz = j.at("memory_clock_khz");
  d.driver = j.at("driver");
  d.cpu = j.value("cpu", false);
  return d;
}

json toJson(const Outcome& o) {
  return {{"status", statusName(o.status)},
          {"label", o.label},
          {"message", o.message},
          {"error", number(o.error)},
          {"tolerance", o.tolerance},
          {"timing", toJson(o.timing)},
          {"registers", o.registers},
          {"local_bytes", o.localBytes},
          {"blocks_per_multiprocessor", o.blocksPerMultiprocessor}};
}
Outcome outcomeFromJson(const json& j) {
  Outcome o;
  std::string status = j.at("status");
  for (auto s : {Outcome::Status::Measured, Outcome::Status::Wrong, Outcome::Status::Failed, Outcome::Status::Deadline,
                 Outcome::Status::Lost}) {
    if (status == statusName(s)) o.status = s;
  }
  o.label = j.at("label");
  o.message = j.at("message");
  o.error = number(j.at("error"));
  o.tolerance = j.at("tolerance");
  o.timing = timingFromJson(j.at("timing"));
  o.registers = j.at("registers");
  o.localBytes = j.at("local_bytes");
  o.blocksPerMultiprocessor = j.at("blocks_per_multiprocessor");
  return o;
}

json toJson(const VendorOutcome& v) {
  return {{"available", v.available},   {"message", v.message}, {"version", v.version},
          {"algorithms", v.algorithms}, {"best", v.best},       {"error", number(v.error)},
          {"timing", toJson(v.timing)}};
}
VendorOutcome vendorFromJson(const json& j) {
  VendorOutcome v;
  v.available = j.at("available");
  v.message = j.at("message");
  v.version = j.at("version");
  v.algorithms = j.at("algorithms");
  v.best = j.at("best");
  v.error = number(j.at("error"));
  v.timing = timingFromJson(j.at("timing"));
  return v;
}

json toJson(const Report& r) {
  json outcomes = json::array();
  for (const Outcome& o : r.outcomes) outcomes.push_back(toJson(o));
  return {{"device", toJson(r.device)}, {"outcomes", outcomes}, {"vendor", toJson(r.vendor)}};
}
Report reportFromJson(const json& j) {
  Report r;
  r.device = deviceFromJson(j.at("device"));
  for (const json& o : j.at("outcomes")) r.outcomes.push_back(outcomeFromJson(o));
  r.vendor = vendorFromJson(j.at("vendor"));
  return r;
}

json toJson(const Job& job, std::string& blob) {
  json j;
  j["matmul"] = job.matmul ? toJson(*job.matmul) : json();
  j["reference"] = job.reference ? toJson(*job.reference, blob) : json();
  j["candidates"] = json::array();
  for (const Candidate& c : job.candidates) j["candidates"].push_back(toJson(c, blob));
  const Method& m = job.method;
  j["method"] = {{"rounds", m.rounds},
                 {"sample_ms", m.sampleMilliseconds},
                 {"slow_ms", m.slowMilliseconds},
                 {"cold_bytes", m.coldBytes},
                 {"cold_samples", m.coldSamples},
                 {"vendor", m.vendorAlgorithms},
                 {"seed", m.seed}};
  return j;
}
Job jobFromJson(const json& j, const std::string& blob) {
  Job job;
  if (!j.at("matmul").is_null()) job.matmul = matmulFromJson(j.at("matmul"));
  if (!j.at("reference").is_null()) job.reference = candidateFromJson(j.at("reference"), blob);
  for (const json& c : j.at("candidates")) job.candidates.push_back(candidateFromJson(c, blob));
  const json& m = j.at("method");
  job.method.rounds = m.at("rounds");
  job.method.sampleMilliseconds = m.at("sample_ms");
  job.method.slowMilliseconds = m.at("slow_ms");
  job.method.coldBytes = m.at("cold_bytes");
  job.method.coldSamples = m.at("cold_samples");
  job.method.vendorAlgorithms = m.at("vendor");
  job.method.seed = m.at("seed");
  return job;
}

}  // namespace loom::gpu
