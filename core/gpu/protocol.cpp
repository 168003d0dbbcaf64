#include "core/gpu/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/process/json_error.h"
#include "core/process/message_json.h"

namespace loom::gpu {

using nlohmann::json;

const char* statusName(Outcome::Status status) {
  switch (status) {
    case Outcome::Status::Measured: return "measured";
    case Outcome::Status::Wrong: return "wrong";
    case Outcome::Status::Failed: return "failed";
    case Outcome::Status::Deadline: return "deadline";
    case Outcome::Status::Lost: return "lost";
  }
  return "failed";
}

namespace {

[[noreturn]] void misfit(const char* key, const json& value, Message why) {
  throw process::Misfit(message("\"{}\" is {}: {}", key, value.dump(), std::move(why)));
}

// Each structure names its fields once, for both directions.
class Writer {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    if constexpr (std::is_same_v<T, ir::DType>) {
      j[key] = value.str();
    } else if constexpr (std::is_same_v<T, Message>) {
      // Its words in other languages stand beside its English, and aren't written where there are none.
      j[key] = value.english();
      if (!value.id().empty()) j["words"] = process::wordsOf(value);
    } else {
      j[key] = value;
    }
  }
  // What older records lack; 0 isn't written.
  void maybe(const char* key, int value) {
    if (value != 0) (*this)(key, value);
  }
  void maybe(const char* key, std::int64_t value) {
    if (value != 0) (*this)(key, value);
  }
  void maybe(const char* key, const std::vector<std::int64_t>& value) {
    if (!value.empty()) (*this)(key, value);
  }
  void maybe(const char* key, const std::optional<codegen::GlobalBuffer::Values>& v) {
    if (v) (*this)(key, json::array({v->low, v->high, v->ascending}));
  }
  // JSON has no infinity.
  void unbounded(const char* key, double value) { j[key] = std::isfinite(value) ? json(value) : json("inf"); }

  json j = json::object();
};

class Reader {
 public:
  explicit Reader(const json& from) : j(from) {}
  template <class T>
  void operator()(const char* key, T& value) const {
    if constexpr (std::is_same_v<T, ir::DType>) {
      const auto type = ir::DType::parse(j.at(key).get<std::string>());
      if (!type) misfit(key, j.at(key), message("no type of a number"));
      value = *type;
    } else if constexpr (std::is_same_v<T, Message>) {
      value = process::messageOf(j.at(key).get<std::string>(), j, "words");
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const json& number = j.at(key);
      // A conversion would make any number fit.
      if (!number.is_number_integer() || number != json(number.get<T>()))
        misfit(key, number, message("no such whole number"));
      value = number.get<T>();
    } else {
      value = j.at(key).get<T>();
    }
  }
  template <class T>
  void maybe(const char* key, T& value) const {
    if (j.contains(key)) (*this)(key, value);
  }
  void maybe(const char* key, std::optional<codegen::GlobalBuffer::Values>& v) const {
    if (!j.contains(key)) return;
    const json& from = j.at(key);
    if (!from.is_array() || from.size() != 3) misfit(key, from, message("no low, high and whether ascending"));
    v = codegen::GlobalBuffer::Values{from[0].get<std::int64_t>(), from[1].get<std::int64_t>(), from[2].get<bool>()};
    if (v->low > v->high) misfit(key, from, message("no range"));
  }
  void unbounded(const char* key, double& value) const {
    value = j.at(key).is_string() ? INFINITY : j.at(key).get<double>();
  }

  const json& j;
};

template <class Io, class M>
void matmulFields(Io&& io, M& m) {
  io("m", m.m);
  io("n", m.n);
  io("k", m.k);
  io("a", m.a);
  io("b", m.b);
  io("d", m.d);
  io("a_transposed", m.aTransposed);
  io("b_transposed", m.bTransposed);
  io("input", m.input);
  io("output", m.output);
  io("accumulator", m.accumulator);
  io.maybe("factor_digits", m.factorDigits);
}

template <class Io, class D>
void deviceFields(Io&& io, D& d) {
  io("ordinal", d.ordinal);
  io("name", d.name);
  io("major", d.major);
  io("minor", d.minor);
  io("multiprocessors", d.multiprocessors);
  io("memory_bytes", d.memoryBytes);
  io("shared_per_block", d.sharedPerBlock);
  io("shared_per_multiprocessor", d.sharedPerMultiprocessor);
  io("l2_bytes", d.l2Bytes);
  io("clock_khz", d.clockKhz);
  io("memory_clock_khz", d.memoryClockKhz);
  io("driver", d.driver);
  io.maybe("threads_per_block", d.threadsPerBlock);
  io.maybe("threads_per_multiprocessor", d.threadsPerMultiprocessor);
  io.maybe("blocks_per_multiprocessor", d.blocksPerMultiprocessor);
  io.maybe("registers_per_block", d.registersPerBlock);
  io.maybe("registers_per_multiprocessor", d.registersPerMultiprocessor);
  io.maybe("shared_reserve", d.sharedReserve);
  io.maybe("memory_bus_bits", d.memoryBusBits);
}

template <class Io, class T>
void timingFields(Io&& io, T& t) {
  io("median_us", t.median);
  io("low_us", t.low);
  io("high_us", t.high);
  io("samples", t.samples);
  io("launches_per_sample", t.launchesPerSample);
  io("cold_us", t.cold);
  io("sm_mhz", t.clocks.smMhz);
  io("memory_mhz", t.clocks.memoryMhz);
  io("temperature_c", t.clocks.temperatureC);
  io("power_w", t.clocks.powerW);
}

template <class Io, class O>
void outcomeFields(Io&& io, O& o) {
  io("label", o.label);
  io("message", o.message);
  io.unbounded("error", o.error);
  io("tolerance", o.tolerance);
  io("registers", o.registers);
  io("local_bytes", o.localBytes);
  io("blocks_per_multiprocessor", o.blocksPerMultiprocessor);
}

template <class Io, class V>
void vendorFields(Io&& io, V& v) {
  io("available", v.available);
  io("message", v.message);
  io("version", v.version);
  io("algorithms", v.algorithms);
  io("best", v.best);
  io.unbounded("error", v.error);
}

template <class Io, class L>
void launchFields(Io&& io, L& l) {
  io("name", l.name);
  io("grid", l.grid);
  io("block", l.block);
  io("shared", l.dynamicSharedBytes);
  io("arguments", l.arguments);
}

template <class Io, class M>
void mapFields(Io&& io, M& m) {
  io("name", m.name);
  io("buffer", m.buffer);
  io("extents", m.extents);
  io("strides", m.strides);
  io("box", m.box);
  io("swizzle", m.swizzle);
}

template <class Io, class B>
void bufferFields(Io&& io, B& b) {
  io("name", b.name);
  io("dtype", b.dtype);
  io("shape", b.shape);
  io.maybe("strides", b.strides);
  io.maybe("start", b.start);
  io.maybe("values", b.values);
  io("read", b.read);
  io("written", b.written);
  io("temporary", b.temporary);
}

template <class Io, class M>
void methodFields(Io&& io, M& m) {
  io("rounds", m.rounds);
  io("sample_ms", m.sampleMilliseconds);
  io("slow_ms", m.slowMilliseconds);
  io("cold_bytes", m.coldBytes);
  io("cold_samples", m.coldSamples);
  io("vendor", m.vendorAlgorithms);
  io("seed", m.seed);
}

json toJson(const Timing& t) {
  Writer out;
  timingFields(out, t);
  out("all_us", t.all);
  return std::move(out.j);
}

// No launch takes less than a cycle of any clock, nor longer than a deadline can be (a day): what lies beyond is no
// time, whoever says it. In microseconds.
constexpr double kShortest = 1e-4, kLongest = 86400e6;

bool canBe(double microseconds) { return microseconds >= kShortest && microseconds <= kLongest; }

// Quartiles and the cold time may be 0, not known; what was sampled has a median.
Timing timingFromJson(const json& j) {
  Timing t;
  timingFields(Reader(j), t);
  t.all = j.value("all_us", std::vector<double>());
  const Message noTime = message("no launch takes that long");
  if (t.samples < 0) misfit("samples", j.at("samples"), message("no such number of samples"));
  if (t.samples > 0 && !canBe(t.median)) misfit("median_us", j.at("median_us"), noTime);
  if (t.low != 0 && !(canBe(t.low) && t.low <= t.median)) misfit("low_us", j.at("low_us"), noTime);
  if (t.high != 0 && !(canBe(t.high) && t.high >= t.median)) misfit("high_us", j.at("high_us"), noTime);
  if (t.cold != 0 && !canBe(t.cold)) misfit("cold_us", j.at("cold_us"), noTime);
  for (double one : t.all) {
    if (!canBe(one)) misfit("all_us", json(one), noTime);
  }
  return t;
}

json toJson(const Candidate& c, std::string& blob) {
  json launches = json::array(), buffers = json::array();
  for (const auto& l : c.launches) {
    Writer out;
    launchFields(out, l);
    for (const auto& s : l.scalars)
      out.j["scalars"].push_back({{"name", s.name}, {"dtype", s.dtype.str()}, {"value", s.value}});
    for (const auto& m : l.maps) {
      Writer map;
      mapFields(map, m);
      out.j["maps"].push_back(std::move(map.j));
    }
    launches.push_back(std::move(out.j));
  }
  for (const auto& b : c.buffers) {
    Writer out;
    bufferFields(out, b);
    buffers.push_back(std::move(out.j));
  }
  json j = {{"label", c.label},   {"script", c.script}, {"launches", launches},
            {"buffers", buffers}, {"at", blob.size()},  {"size", c.cubin.size()}};
  if (!c.numbers.empty()) j["numbers"] = c.numbers;
  blob.append(c.cubin.begin(), c.cubin.end());
  return j;
}
Candidate candidateFromJson(const json& j, const std::string& blob) {
  Candidate c;
  c.label = j.at("label");
  c.script = j.at("script");
  for (const json& l : j.at("launches")) {
    auto& launch = c.launches.emplace_back();
    launchFields(Reader(l), launch);
    for (const json& s : l.value("scalars", json::array())) {
      codegen::ScalarArgument argument;
      const Reader read(s);
      read("name", argument.name);
      read("dtype", argument.dtype);
      read("value", argument.value);
      if (argument.dtype.isVoid() || argument.dtype.bytes() > 8)
        misfit("dtype", s.at("dtype"), message("no type of a number"));
      launch.scalars.push_back(std::move(argument));
    }
    const json maps = l.value("maps", json::array());
    for (const json& m : maps) {
      auto& map = launch.maps.emplace_back();
      mapFields(Reader(m), map);
      if (map.buffer < 0 || std::size_t(map.buffer) >= j.at("buffers").size())
        misfit("buffer", m.at("buffer"), message("no such buffer"));
    }
  }
  c.numbers = j.value("numbers", ir::Numbers());
  for (const json& b : j.at("buffers")) {
    auto& buffer = c.buffers.emplace_back();
    bufferFields(Reader(b), buffer);
    if (!buffer.strides.empty() && buffer.strides.size() != buffer.shape.size())
      misfit("strides", b.at("strides"), message("one for each dimension"));
    if (buffer.start < 0) misfit("start", b.at("start"), message("no place in a buffer"));
  }
  std::size_t at = j.at("at"), size = j.at("size");
  if (at > blob.size() || size > blob.size() - at)
    throw json::other_error::create(600, "the blob is too short", nullptr);
  c.cubin.assign(blob.begin() + std::ptrdiff_t(at), blob.begin() + std::ptrdiff_t(at + size));
  return c;
}

}  // namespace

json toJson(const Matmul& m) {
  Writer out;
  matmulFields(out, m);
  for (const auto& [key, own] : {std::pair{"places_a", m.ownA}, {"places_b", m.ownB}, {"places_d", m.ownD}})
    if (own) out.j[key] = {own->start, own->row, own->column};
  if (m.batch == 1) return std::move(out.j);
  // A reader that doesn't know batches misses "m", and refuses what it would measure wrongly.
  out("batch", m.batch);
  out.j["m_each"] = out.j["m"];
  out.j.erase("m");
  for (const auto& [key, own] : {std::pair{"places_a", m.ownA}, {"places_b", m.ownB}, {"places_d", m.ownD}})
    if (own) out.j[key].push_back(own->batch);
  return std::move(out.j);
}
Matmul matmulFromJson(const json& given) {
  json j = given;
  if (j.contains("m_each")) j["m"] = j["m_each"];
  Matmul m;
  const Reader in(j);
  matmulFields(in, m);
  in.maybe("batch", m.batch);
  if (m.batch < 1) misfit("batch", j.at("batch"), message("no number of products"));
  const std::pair<const char*, std::optional<MatrixPlaces>*> places[] = {
      {"places_a", &m.ownA}, {"places_b", &m.ownB}, {"places_d", &m.ownD}};
  for (const auto& [key, own] : places) {
    if (!j.contains(key)) continue;
    const auto numbers = j.at(key).get<std::vector<std::int64_t>>();
    if (numbers.size() != (m.batch == 1 ? 3u : 4u) || std::ranges::any_of(numbers, [](auto n) { return n < 0; }))
      misfit(key, j.at(key), message("no places in a buffer"));
    *own = MatrixPlaces{numbers[0], numbers[1], numbers[2], m.batch == 1 ? 0 : numbers[3]};
  }
  return m;
}

json toJson(const DeviceInfo& d) {
  Writer out;
  deviceFields(out, d);
  if (d.cpu) out("cpu", true);
  return std::move(out.j);
}
DeviceInfo deviceFromJson(const json& j) {
  DeviceInfo d;
  deviceFields(Reader(j), d);
  d.cpu = j.value("cpu", false);
  if (d.ordinal < 0) misfit("ordinal", j.at("ordinal"), message("devices count from 0"));
  if (d.major < 0 || d.major > 99) misfit("major", j.at("major"), message("no compute capability"));
  if (d.minor < 0 || d.minor > 9) misfit("minor", j.at("minor"), message("no compute capability"));
  return d;
}

json toJson(const Outcome& o) {
  Writer out;
  outcomeFields(out, o);
  out("status", statusName(o.status));
  out.j["timing"] = toJson(o.timing);
  return std::move(out.j);
}
Outcome outcomeFromJson(const json& j) {
  Outcome o;
  outcomeFields(Reader(j), o);
  std::string status = j.at("status");
  bool known = false;
  for (auto s : {Outcome::Status::Measured, Outcome::Status::Wrong, Outcome::Status::Failed, Outcome::Status::Deadline,
                 Outcome::Status::Lost}) {
    if (status != statusName(s)) continue;
    o.status = s;
    known = true;
  }
  if (!known) misfit("status", j.at("status"), message("no such status"));
  o.timing = timingFromJson(j.at("timing"));
  return o;
}

Message settled(const Outcome& o) {
  return message("outcome {}", toJson(o).dump(-1, ' ', false, json::error_handler_t::replace));
}

std::optional<Outcome> settledOutcome(const Message& progress) {
  if (progress.id() != "outcome {}") return std::nullopt;
  try {
    return outcomeFromJson(json::parse(progress.textAt(0)));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

json toJson(const VendorOutcome& v) {
  Writer out;
  vendorFields(out, v);
  out.j["timing"] = toJson(v.timing);
  return std::move(out.j);
}
VendorOutcome vendorFromJson(const json& j) {
  VendorOutcome v;
  vendorFields(Reader(j), v);
  v.timing = timingFromJson(j.at("timing"));
  if (v.available && v.timing.samples == 0) {
    // A fault of one of the candidates may have come before.
    v.available = false;
    v.message = message("it ran, but couldn't be timed");
  }
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
  if (job.naive) j["naive"] = toJson(*job.naive, blob);
  j["candidates"] = json::array();
  for (const Candidate& c : job.candidates) j["candidates"].push_back(toJson(c, blob));
  Writer method;
  methodFields(method, job.method);
  j["method"] = std::move(method.j);
  return j;
}
Job jobFromJson(const json& j, const std::string& blob) {
  Job job;
  if (!j.at("matmul").is_null()) job.matmul = matmulFromJson(j.at("matmul"));
  if (!j.at("reference").is_null()) job.reference = candidateFromJson(j.at("reference"), blob);
  if (j.contains("naive")) job.naive = candidateFromJson(j.at("naive"), blob);
  for (const json& c : j.at("candidates")) job.candidates.push_back(candidateFromJson(c, blob));
  methodFields(Reader(j.at("method")), job.method);
  return job;
}

}  // namespace loom::gpu
