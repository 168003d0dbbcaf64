// R21: a thread computes several neighbouring results of a block that memory binds.
#include <fmt/format.h>

#include <algorithm>

#include "core/tune/rules/applications.h"
#include "core/tune/rules/neighbours.h"

namespace loom::tune {

namespace {

// Of a thread's results along each axis; 8 of 16 bits are the 16 bytes of an access.
constexpr std::int64_t kMostAlongX = 16, kMostAlongY = 8;
constexpr std::int64_t kMostThreads = 512;
// Multiplications, say, that are written out: more miss the instruction cache, as of products on CUDA cores.
constexpr std::int64_t kMostWrittenOut = 1536;
constexpr std::int64_t kOtherRegisters = 40;

// How many results along an axis a thread may have: powers of two that divide its extent, and, where `reachesBeyond`,
// those with which an eighth of the last ones at most lies beyond it.
std::vector<std::int64_t> resultsAlong(std::int64_t extent, std::int64_t most, bool reachesBeyond) {
  std::vector<std::int64_t> all = {1};
  for (std::int64_t v = 2; v <= std::min(most, extent); v *= 2) {
    const std::int64_t beyond = (v - extent % v) % v;
    if (beyond == 0 || (reachesBeyond && 8 * beyond <= extent)) all.push_back(v);
  }
  return all;
}

// The lines of a block of neighbouring results.
class Writer {
 public:
  Writer(SketchDraft& draft, const Neighbours& of, const DeviceLimits& device)
      : d_(draft), of_(of), device_(device), prefix_(draft.prefix) {}

  void write() {
    decide();
    constrain();
    d_.begin("neighbouring results", of_.name);
    writeLoops();
    writeResult();
    for (std::size_t n = 0; n < of_.reads.size(); ++n) writeCopy(n);
    for (const auto* some : {&of_.apart, &of_.alongY, &of_.inside})
      for (int i : *some) d_.line(fmt::format("sch.unroll({})", loopOf(i)));
    if (of_.y >= 0) d_.line("sch.unroll(y1)");
    d_.line("sch.unroll(x1)");
    d_.end();
  }

 private:
  std::string x() const { return prefix_ + "x.results"; }
  std::string y() const { return prefix_ + "y.results"; }
  std::string whole() const { return prefix_ + "window.whole"; }
  std::string vectorOf(std::size_t read) const {
    return fmt::format("{}{}.vector", prefix_, of_.reads[read].buffer->name);
  }
  std::string stored() const { return prefix_ + "stored.vector"; }
  std::string threads() const { return prefix_ + "threads"; }
  std::string loopOf(int iterator) const { return fmt::format("ls[{}]", of_.loops[std::size_t(iterator)]); }
  const std::vector<std::int64_t>& values(const std::string& name) const { return d_.valuesOf(name); }

  // Calls for all combinations of x, y and whole that are decided; what isn't has one value.
  template <class Take>
  void forAll(const Take& take) const {
    const std::vector<std::int64_t> one = {1};
    for (std::int64_t a : values(x()))
      for (std::int64_t b : of_.y >= 0 ? values(y()) : one)
        for (std::int64_t c : of_.mayKeepWindow() ? values(whole()) : one) take(a, b, c);
  }
  std::vector<std::string> shape() const {
    std::vector<std::string> names = {x()};
    if (of_.y >= 0) names.push_back(y());
    if (of_.mayKeepWindow()) names.push_back(whole());
    return names;
  }
  std::vector<std::int64_t> row(std::int64_t a, std::int64_t b, std::int64_t c) const {
    std::vector<std::int64_t> values = {a};
    if (of_.y >= 0) values.push_back(b);
    if (of_.mayKeepWindow()) values.push_back(c);
    return values;
  }

  void decide() {
    const std::int64_t alongX = of_.extents[std::size_t(of_.x)];
    std::vector<std::int64_t> counts;
    for (std::int64_t t = 32; t <= std::min(kMostThreads, device_.threads); t *= 2) counts.push_back(t);
    d_.decide(1, threads(), message("threads of a block for {}", of_.name), counts);
    d_.decide(1, x(), message("neighbouring results of {} along its last axis that a thread makes", of_.name),
              resultsAlong(alongX, kMostAlongX, alongX % 2 != 0));
    if (of_.y >= 0)
      d_.decide(1, y(), message("neighbouring results of {} along another axis that a thread makes", of_.name),
                resultsAlong(of_.extents[std::size_t(of_.y)], kMostAlongY, true));
    if (of_.mayKeepWindow())
      d_.decideWhether(2, whole(),
                       message("whether a thread keeps whole windows of {}, not a row at a time", of_.name));
    for (const std::string& name : shape())
      if (name != x()) d_.leaveToModel(name);  // what fits along x fits vectors
    d_.leaveToModel(threads());
    const auto vectors = [&](const std::string& name, const Message& words, const auto& atOnce) {
      std::vector<std::int64_t> all;
      forAll([&](std::int64_t a, std::int64_t b, std::int64_t c) {
        for (std::int64_t v : atOnce(a, b, c)) all.push_back(v);
      });
      d_.decide(3, name, words, std::move(all));
      std::vector<std::vector<std::int64_t>> rows;
      forAll([&](std::int64_t a, std::int64_t b, std::int64_t c) {
        for (std::int64_t v : atOnce(a, b, c)) rows.push_back(row(a, b, c)), rows.back().push_back(v);
      });
      std::vector<std::string> columns = shape();
      columns.push_back(name);
      d_.table(name + " fits", message("vectors of {} begin at multiples of their length and make up a row", of_.name),
               Forbids::Hardware, columns, rows);
    };
    vectors(stored(), message("neighbours of {} that a thread stores at once", of_.result->name),
            [&](std::int64_t a, std::int64_t, std::int64_t) { return storedAtOnce(of_, a); });
    for (std::size_t n = 0; n < of_.reads.size(); ++n)
      vectors(vectorOf(n), message("neighbours of {} that a thread loads at once", of_.reads[n].buffer->name),
              [&](std::int64_t a, std::int64_t b, std::int64_t c) { return loadedAtOnce(of_, of_.reads[n], a, b, c); });
  }

  void constrain() {
    std::vector<std::vector<std::int64_t>> rows;
    forAll([&](std::int64_t a, std::int64_t b, std::int64_t c) {
      const std::int64_t registers = registersOf(of_, a, b, c) + kOtherRegisters;
      const bool isOne = a * b == 1 && (c == 0 || !of_.mayKeepWindow());  // less there is none
      if (!isOne && (registers > device_.registersPerThread || a * b * of_.reduced > kMostWrittenOut)) return;
      for (std::int64_t t : values(threads())) {
        if (t * std::min(registers, device_.registersPerThread) > device_.registers) continue;
        rows.push_back(row(a, b, c));
        rows.back().push_back(t);
      }
    });
    std::vector<std::string> columns = shape();
    columns.push_back(threads());
    d_.table(prefix_ + "registers",
             message("a thread's windows and results fit {} registers, 40 kept for addresses: an estimate",
                     device_.registersPerThread),
             Forbids::Hardware, columns, rows);
    d_.quantity(prefix_ + "threads", threads());
  }

  void writeLoops() {
    d_.line(fmt::format("b = sch.get_block(\"{}\")", of_.name));
    // Cached before loops are cut, the result has no more elements than there are, and what stores it stays inside.
    d_.line("c = sch.cache_write(b, 0, \"local\")");
    d_.line("ls = sch.get_loops(b)");
    if (of_.y >= 0) d_.line(fmt::format("y0, y1 = sch.split({}, [None, ?{}])", loopOf(of_.y), y()));
    d_.line(fmt::format("x0, x1 = sch.split({}, [None, ?{}])", loopOf(of_.x), x()));
    std::vector<std::string> outer, inner;
    for (int i : of_.outer) outer.push_back(i == of_.x ? "x0" : i == of_.y ? "y0" : loopOf(i));
    for (const auto* some : {&of_.apart, &of_.alongY, &of_.inside})
      for (int i : *some) inner.push_back(loopOf(i));
    if (of_.y >= 0) inner.push_back("y1");
    inner.push_back("x1");
    d_.line(fmt::format("sch.reorder({}, {})", fmt::join(outer, ", "), fmt::join(inner, ", ")));
    if (outer.size() > 1) d_.line(fmt::format("s = sch.fuse({})", fmt::join(outer, ", ")));
    d_.line(fmt::format("s0, s1 = sch.split({}, [None, ?{}])", outer.size() > 1 ? "s" : "x0", threads()));
    d_.line("sch.bind(s0, \"blockIdx.x\")");
    d_.line("sch.bind(s1, \"threadIdx.x\")");
  }

  // Results are summed in registers and stored in vectors; what takes them on is computed in between.
  void writeResult() {
    d_.line("sch.reverse_compute_at(c, s1)");
    for (std::size_t n = 0; n < of_.consumers.size(); ++n)
      d_.line(fmt::format("sch.reverse_compute_inline(sch.get_block(\"{}\"))", of_.consumers[n]));
    if (!of_.consumers.empty()) {
      unrollResults("c", "");
      d_.line("o = sch.cache_write(c, 0, \"local\")");
      d_.line("sch.reverse_compute_at(o, s1)");
    }
    unrollResults(of_.consumers.empty() ? "c" : "o", stored());
  }

  // The loops over a thread's results around a block; the last one in vectors, if `vector` names how many.
  void unrollResults(const std::string& block, const std::string& vector) {
    const std::string alongX = fmt::format("({} - 1)", x());
    const std::string hasX = isThere(alongX, values(x()).back() - 1);
    if (of_.y >= 0)
      d_.line(fmt::format("sch.unroll(sch.get_loops({})[-{}])", block, place("1 + " + hasX)), y() + " - 1");
    inVectors(block, alongX, vector);
  }

  // The loop that is last around a copy, where it has more than one element: `more` is how many more.
  void inVectors(const std::string& copy, const std::string& more, const std::string& vector) {
    const bool isVector = !vector.empty() && values(vector).size() > 1;
    if (isVector) {
      const std::string when = vector + " - 1";
      // Each copy's loops have names of their own: by these lines the decisions are read back.
      d_.line(fmt::format("{0}p, {0}v = sch.split(sch.get_loops({0})[-1], [None, ?{1}])", copy, vector), when);
      d_.line(fmt::format("sch.unroll({}p)", copy), when);
      d_.line(fmt::format("sch.vectorize({}v)", copy), when);
    }
    if (more == "0") return;
    d_.line(fmt::format("sch.unroll(sch.get_loops({})[-1])", copy), isVector ? fmt::format("{}*(1//{})", more, vector)
                                                                    : isNumber(more) ? ""
                                                                                     : more);
  }

  static bool isNumber(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  }

  // 1 where an expression is more than 0, which is at most `most`; else 0.
  static std::string isThere(const std::string& more, std::int64_t most) {
    if (isNumber(more)) return more == "0" ? "0" : "1";
    return fmt::format("(({} + {})//{})", more, most, most + 1);
  }

  // Elements less 1 of a dimension of what a thread reads.
  std::string moreOf(const Reach& reach) const {
    std::string text;
    const auto add = [&](std::int64_t times, const std::string& of) {
      if (times > 0)
        text += (text.empty() ? "" : " + ") + (of.empty() ? std::to_string(times) : fmt::format("{}*{}", times, of));
    };
    add(reach.fixed, "");
    add(of_.mayKeepWindow() ? 0 : reach.ofWhole, "");
    if (reach.ofX > 0 && values(x()).size() > 1) add(reach.ofX, fmt::format("({} - 1)", x()));
    if (of_.y >= 0 && values(y()).size() > 1) add(reach.ofY, fmt::format("({} - 1)", y()));
    if (of_.mayKeepWindow()) add(reach.ofWhole, whole());
    if (text.empty()) return "0";
    return isNumber(text) ? text : "(" + text + ")";
  }
  std::int64_t mostOf(const Reach& reach) const {
    return reach.elements(values(x()).back(), of_.y >= 0 ? values(y()).back() : 1, 1) - 1;
  }

  void writeCopy(std::size_t n) {
    const NeighbourRead& read = of_.reads[n];
    const std::string v = fmt::format("r{}", n);
    if (read.producer.empty()) {
      d_.line(fmt::format("{} = sch.cache_read(b, {}, \"local\")", v, read.read));
    } else {
      d_.line(fmt::format("{} = sch.get_block(\"{}\")", v, read.producer));
      d_.line(fmt::format("sch.set_scope({}, 0, \"local\")", v));
    }
    const std::string thread = of_.apart.empty() ? "s1" : loopOf(of_.apart.back());
    d_.line(fmt::format("sch.compute_at({}, {})", v, thread), of_.mayKeepWindow() ? whole() : "");
    if (of_.mayKeepWindow())
      d_.line(fmt::format("sch.compute_at({}, {})", v, loopOf(of_.alongY.back())), "1 - " + whole());
    // Loops over one element are none: the others are counted from the last one on.
    for (std::size_t dim = 0; dim + 1 < read.reach.size(); ++dim) {
      const std::string more = moreOf(read.reach[dim]);
      if (more == "0") continue;
      std::string behind = "1";
      for (std::size_t later = dim + 1; later < read.reach.size(); ++later) {
        const std::string there = isThere(moreOf(read.reach[later]), mostOf(read.reach[later]));
        if (there != "0") behind += " + " + there;
      }
      d_.line(fmt::format("sch.unroll(sch.get_loops({})[-{}])", v, place(behind)),
              isAlwaysThere(read.reach[dim]) ? "" : more);
    }
    inVectors(v, moreOf(read.reach.back()), vectorOf(n));
  }

  bool isAlwaysThere(const Reach& reach) const {
    return reach.fixed > 0 || (!of_.mayKeepWindow() && reach.ofWhole > 0);
  }

  SketchDraft& d_;
  const Neighbours& of_;
  const DeviceLimits& device_;
  const std::string prefix_;
};

}  // namespace

RuleOutcome computeNeighbours(const RuleInput& input, const SketchDraft& draft) {
  NeighboursOrNot found = neighboursOf(input.state, input.block);
  if (!found.neighbours) return leaves(std::move(found.reason));
  SketchDraft d = draft;
  if (d.sketch.name.empty()) d.sketch.name = "neighbouring results";
  Writer(d, *found.neighbours, input.device).write();
  return appliesWith(
      std::move(d), message("results: {}, elements of each: {}", found.neighbours->results, found.neighbours->reduced));
}

}  // namespace loom::tune
