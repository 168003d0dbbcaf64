// R22: what is read along another axis than it is written goes through tiles in shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/tune/rules/applications.h"
#include "core/tune/rules/turned_tiles.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kLeastTile = 8, kMostTile = 128;
constexpr std::int64_t kMostOfThread = 32;  // elements of a tile, which are written out

// The lines of a block that turns what it reads.
class Writer {
 public:
  Writer(SketchDraft& draft, const TurnedTiles& of, const DeviceLimits& device)
      : d_(draft), of_(of), device_(device), prefix_(draft.prefix) {}

  void write() {
    decide();
    constrain();
    d_.begin("turned tiles", of_.name);
    d_.line(fmt::format("b = sch.get_block(\"{}\")", of_.name));
    if (of_.merges()) {
      writeMerged();
    } else {
      writeCopies();
    }
    writeTiles();
    for (std::size_t n = 0; n < of_.reads.size(); ++n) writeFetch(n);
    writeResult();
    d_.end();
  }

 private:
  std::string named(const char* decision) const { return prefix_ + decision; }

  static std::vector<std::int64_t> tiles(std::int64_t extent) {
    std::vector<std::int64_t> all;
    for (std::int64_t t = kLeastTile; t <= std::min(extent, kMostTile); t *= 2) all.push_back(t);
    if (extent <= kMostTile / 2) all.push_back(extent);  // all of a short axis, whatever it is
    return all;
  }

  static std::vector<std::int64_t> vectors(std::int64_t most) {
    std::vector<std::int64_t> all;
    for (std::int64_t v = 1; v <= most; v *= 2) all.push_back(v);
    return all;
  }

  void decide() {
    std::vector<std::int64_t> threads;
    const std::int64_t most = std::min<std::int64_t>(512, device_.threads);
    // Whole rows of a short axis are shared by as many threads as divide them.
    for (std::int64_t extent : {std::int64_t(1), of_.alongX, of_.alongY}) {
      if (extent > kMostTile / 2) continue;
      const std::int64_t step = std::lcm(extent, std::int64_t(32));
      for (std::int64_t t = std::lcm(step, std::int64_t(64)); t <= most; t *= 2) threads.push_back(t);
    }
    d_.decide(1, named("threads"), message("threads of a block for {}", of_.name), threads);
    d_.decide(2, named("tile.x"), message("elements of a tile along the axis that {} writes", of_.name),
              tiles(of_.alongX));
    d_.decide(2, named("tile.y"), message("elements of a tile along the axis that {} reads", of_.name),
              tiles(of_.alongY));
    d_.decide(3, named("x.vector"), message("neighbours of {} that a thread stores at once", of_.result->name),
              vectors(of_.alignedX));
    d_.decide(3, named("y.vector"), message("neighbours that a thread of {} loads at once", of_.name),
              vectors(of_.alignedY));
    const std::int64_t ofBank = std::max(1, 32 / of_.reads.front().buffer->dtype.bits);
    d_.decide(4, named("tile.pad"), message("elements that a row of a tile of {} is longer in shared memory", of_.name),
              {0, 1, ofBank});
    for (const char* name : {"threads", "tile.x", "tile.y", "tile.pad"}) d_.leaveToModel(named(name));
  }

  void constrain() {
    const std::string threads = named("threads");
    for (const auto& [tile, vector] : {std::pair("tile.x", "x.vector"), {"tile.y", "y.vector"}}) {
      const std::string along = named(tile), v = named(vector), both = named("tile.x") + "*" + named("tile.y");
      const auto say = [of = prefix_ + tile](const char* what) { return of + " " + what; };
      d_.divides(say("vectors"), message("vectors make up a row of a tile"), Forbids::Program, v, along);
      d_.divides(say("lanes"), message("threads side by side have a whole row of a tile"), Forbids::Program, along,
                 threads + "*" + v);
      d_.divides(say("threads"), message("all threads copy a vector each time, with none left over"), Forbids::Program,
                 threads + "*" + v, both);
    }
    d_.atMost(prefix_ + "written out", message("a thread copies at most {} elements of a tile", kMostOfThread),
              Forbids::Hardware, fmt::format("{}*{} - {}*{}", named("tile.x"), named("tile.y"), kMostOfThread, threads),
              0);
    std::string bytes;
    for (const TurnedRead& read : of_.reads) {
      const int each = read.buffer->dtype.bytes();
      bytes += fmt::format("{0}{1}*{2}*{3} + {1}*{2}*{4}", bytes.empty() ? "" : " + ", each, named("tile.x"),
                           named("tile.y"), named("tile.pad"));
    }
    d_.atMost(prefix_ + "shared memory",
              message("a block has at most {} bytes of shared memory", device_.staticSharedBytes), Forbids::Hardware,
              bytes, device_.staticSharedBytes);
    d_.quantity(threads, threads);
    d_.quantity(named("extent.x"), std::to_string(of_.alongX));
    d_.quantity(named("extent.y"), std::to_string(of_.alongY));
  }

  // An index of some iterators merged, the last one being that of neighbours.
  std::string merged(const std::vector<int>& group) const {
    std::string text;
    for (int i : group) {
      const std::string& name = variables_[std::size_t(i)];
      text = text.empty() ? name : fmt::format("({} * {} + {})", text, of_.extents[std::size_t(i)], name);
    }
    return text;
  }
  std::string layout(const std::vector<int>& iterators, const std::vector<std::vector<int>>& groups) const {
    std::vector<std::string> names, results;
    for (int i : iterators) names.push_back(variables_[std::size_t(i)]);
    for (const std::vector<int>& group : groups) results.push_back(merged(group));
    return fmt::format("lambda {}: ({}{})", fmt::join(names, ", "), fmt::join(results, ", "),
                       results.size() == 1 ? "," : "");
  }

  // What is read and written goes through copies that are indexed by iterators, of which neighbours are merged.
  void writeMerged() {
    std::vector<int> all(of_.iterators.size());
    std::iota(all.begin(), all.end(), 0);
    for (int i : all) variables_.push_back(fmt::format("v{}", i));
    for (std::size_t n = 0; n < of_.reads.size(); ++n) {
      const TurnedRead& read = of_.reads[n];
      const std::string how = layout(read.iterators, read.groups);
      d_.line(fmt::format("r{} = sch.reindex(b, (\"read\", {}))", n, read.read));
      d_.line(fmt::format("sch.transform_layout(b, (\"read\", {}), {})", read.read, how));
      d_.line(fmt::format("sch.transform_block_layout(r{}, {})", n, how));
      d_.line(fmt::format("sch.set_scope(r{}, 0, \"local\")", n));
    }
    const std::string how = layout(all, of_.groups);
    d_.line("o = sch.reindex(b, (\"write\", 0))");
    d_.line(fmt::format("sch.transform_layout(b, (\"write\", 0), {})", how));
    d_.line(fmt::format("sch.transform_block_layout(o, {})", how));
    d_.line("sch.set_scope(b, 0, \"local\")");
    d_.line(fmt::format("sch.transform_block_layout(b, {})", how));
    for (std::size_t n = 0; n < of_.reads.size(); ++n)
      d_.line(fmt::format("t{} = sch.cache_read(b, {}, \"shared\")", n, of_.reads[n].read));
  }

  void writeCopies() {
    for (std::size_t n = 0; n < of_.reads.size(); ++n) {
      d_.line(fmt::format("r{} = sch.cache_read(b, {}, \"local\")", n, of_.reads[n].read));
      d_.line(fmt::format("t{} = sch.cache_read(b, {}, \"shared\")", n, of_.reads[n].read));
    }
    d_.line("o = sch.cache_write(b, 0, \"local\")");
  }

  // The loop of a group: merged ones stand in their order.
  std::string loopOf(std::size_t group) const {
    return fmt::format("ls[{}]", of_.merges() ? int(group) : of_.loops[std::size_t(of_.groups[group].front())]);
  }

  void writeTiles() {
    const std::size_t x = of_.groups.size() - 1, y = std::size_t(of_.y);
    d_.line("ls = sch.get_loops(b)");
    d_.line(fmt::format("y0, y1 = sch.split({}, [None, ?{}])", loopOf(y), named("tile.y")));
    d_.line(fmt::format("x0, x1 = sch.split({}, [None, ?{}])", loopOf(x), named("tile.x")));
    std::vector<std::string> outer;
    for (std::size_t g = 0; g < of_.groups.size(); ++g)
      if (g != x && g != y) outer.push_back(loopOf(g));
    outer.push_back("y0");
    outer.push_back("x0");
    d_.line(fmt::format("sch.reorder({}, y1, x1)", fmt::join(outer, ", ")));
    d_.line(fmt::format("s = sch.fuse({})", fmt::join(outer, ", ")));
    d_.line("sch.bind(s, \"blockIdx.x\")");
  }

  // Cuts loops over a tile's rows, `p`, and elements of a row, `q`, for threads; what a copy does is put inside, and
  // only then are threads along both one axis, so that what a thread has is seen to begin at whole vectors.
  void shareTile(const std::string& p, const std::string& q, const std::string& tile, const std::string& vector,
                 const std::string& copy, const char* compute) {
    d_.line(fmt::format("p0, p1 = sch.split({}, [None, ?{{{}*{}//{}}}])", p, named("threads"), vector, tile));
    d_.line(fmt::format("q0, {}v = sch.split({}, [None, ?{}])", copy, q, vector));
    d_.line(fmt::format("sch.{}({}, q0)", compute, copy));
    d_.line("f = sch.fuse(p1, q0)");
    d_.line("sch.bind(f, \"threadIdx.x\")");
    d_.line("sch.unroll(p0)");
    if (d_.valuesOf(vector).size() > 1)
      d_.line(fmt::format("sch.vectorize(sch.get_loops({})[-1])", copy), vector + " - 1");
    d_.line(fmt::format("sch.unroll({}v)", copy));
  }

  void writeFetch(std::size_t n) {
    const TurnedRead& read = of_.reads[n];
    d_.line(fmt::format("sch.compute_at(t{}, s)", n));
    d_.line(fmt::format("p, q = sch.get_loops(t{})[-2:]", n));
    shareTile("p", "q", named("tile.y"), named("y.vector"), fmt::format("r{}", n), "compute_at");
    const std::int64_t rows = of_.merges() ? std::int64_t(read.groups.size()) - 2 : read.lastDimension - 1;
    d_.line(fmt::format("sch.storage_align(t{}, 0, {}, ?{}, ?{})", n, rows, named("tile.y"), named("tile.pad")),
            named("tile.pad"));
  }

  void writeResult() { shareTile("y1", "x1", named("tile.x"), named("x.vector"), "o", "reverse_compute_at"); }

  SketchDraft& d_;
  const TurnedTiles& of_;
  const DeviceLimits& device_;
  const std::string prefix_;
  std::vector<std::string> variables_;  // by iterator, of what merges
};

}  // namespace

RuleOutcome turnTiles(const RuleInput& input, const SketchDraft& draft) {
  TurnedOrNot found = turnedTilesOf(input.state, input.block);
  if (!found.turned) return leaves(std::move(found.reason));
  SketchDraft d = draft;
  if (d.sketch.name.empty()) d.sketch.name = "turned tiles";
  Writer(d, *found.turned, input.device).write();
  return appliesWith(std::move(d), message("{} × {} elements, read along one axis and written along the other",
                                           found.turned->alongY, found.turned->alongX));
}

}  // namespace loom::tune
