// R14: rows are summed up by the threads of a block together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "core/ir/loads.h"
#include "core/schedule/reducer.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

std::vector<int> neighbouringReads(const ir::Block& block) {
  std::vector<int> found;
  const ir::VarNode* last = block->iters.back().var.get();
  for (std::size_t n = 0; n < block->reads.size(); ++n) {
    const ir::BufferRegion& read = block->reads[n];
    // Of what is read at two places, a copy is of all that lies between them.
    const bool once = std::ranges::all_of(read.region, [](const ir::Range& r) { return ir::isConst(r.extent, 1); }) &&
                      std::ranges::count(block->reads, read.buffer, &ir::BufferRegion::buffer) == 1;
    if (once && read.region.back().min.get() == last) found.push_back(int(n));
  }
  return found;
}

std::vector<std::int64_t> vectorsOf(const ir::Block& block, const std::vector<int>& reads, bool writes) {
  std::int64_t bits = 8, aligned = ir::constantOr(block->iters.back().domain.extent, 1);
  const auto take = [&](const ir::Buffer& buffer) {
    bits = std::max<std::int64_t>(bits, buffer->dtype.bits);
    aligned = std::gcd(aligned, ir::constantOr(buffer->shape.back(), 1));
  };
  for (int n : reads) take(block->reads[std::size_t(n)].buffer);
  if (writes) take(block->writes.front().buffer);
  std::vector<std::int64_t> all;
  for (std::int64_t v = 1; v * bits <= 128; v *= 2)
    if (aligned % v == 0) all.push_back(v);
  return all;
}

void readVectors(SketchDraft& d, const std::string& block, const std::string& loop, const std::vector<int>& reads,
                 const std::string& when) {
  for (int n : reads) {
    d.line(fmt::format("v = sch.cache_read({0}, {1}, \"local\", consumer_blocks=[{0}])", block, n), when);
    d.line(fmt::format("sch.compute_at(v, {})", loop), when);
    d.line("sch.vectorize(sch.get_loops(v)[-1])", when);
  }
}

void writeVectors(SketchDraft& d, const std::string& block, const std::string& loop, const std::string& when) {
  d.line(fmt::format("v = sch.cache_write({}, 0, \"local\")", block), when);
  d.line(fmt::format("sch.reverse_compute_at(v, {})", loop), when);
  d.line("sch.vectorize(sch.get_loops(v)[-1])", when);
}

void keepThreadsAtWork(SketchDraft& d, const std::string& threads, const std::string& vector, std::int64_t length) {
  d.atMost(threads + " at work", message("at least half of the threads have a part of a row of {}", length),
           Forbids::Program, threads + "*" + vector, 2 * length - 1);
}

void keepInside(const RuleInput& input, SketchDraft& d, const std::vector<std::string>& decisions,
                std::int64_t extent) {
  if (!input.exactTiles) return;
  std::vector<std::int64_t> products = {1};
  for (const std::string& name : decisions) {
    std::vector<std::int64_t> more;
    for (const std::int64_t product : products)
      for (const std::int64_t value : d.valuesOf(name)) more.push_back(product * value);
    products = std::move(more);
  }
  if (std::ranges::any_of(products, [&](std::int64_t p) { return extent % p == 0; }))
    d.divides(decisions.front() + " inside", message("no thread has a part beyond {} elements", extent), Forbids::Tvm,
              fmt::to_string(fmt::join(decisions, "*")), std::to_string(extent));
}

namespace {

// Whether neighbours in memory of the largest buffer that a block reads belong to neighbouring results, as those of a
// matrix whose columns are summed up; elsewhere they belong to one sum.
bool sumsColumns(const ir::Block& block) {
  std::int64_t most = 0;
  bool found = false;
  for (const ir::BufferRegion& read : block->reads) {
    std::int64_t elements = 1;
    for (const ir::Expr& extent : read.buffer->shape) elements *= ir::constantOr(extent, 1);
    if (elements <= most) continue;
    most = elements;
    const ir::Range& last = read.region.back();
    const auto iter = std::ranges::find_if(block->iters, [&](const ir::IterVar& v) { return v.var == last.min; });
    found = iter != block->iters.end() && iter->type == ir::IterType::Spatial && ir::isConst(last.extent, 1) &&
            (iter + 1 == block->iters.end() || (iter + 1)->type == ir::IterType::Reduce);
  }
  return found;
}

// Whether some of these reads of a block are at places that other buffers hold.
bool readsAtPlacesOf(const ir::Block& block, const std::vector<int>& reads) {
  return std::ranges::any_of(reads, [&](int read) {
    return std::ranges::any_of(block->reads[std::size_t(read)].region, ir::readsMemory, &ir::Range::min);
  });
}

// Fewer blocks than these for each multiprocessor leave some of its threads idle.
constexpr std::int64_t kBlocksOfEach = 8;
constexpr std::int64_t kLeastOfPart = 512;  // elements of a part of a sum
constexpr std::int64_t kMostParts = 1024;
// Of the kernel that adds up parts: neighbouring results in the lanes of a warp, or where there are fewer one a block.
constexpr std::int64_t kLanes = 32, kThreadsOfColumn = 16, kThreadsOfResult = 128;

// The numbers of parts that blocks of their own may sum up: about powers of two, divisors of the sum where there are.
// `blocks` is how many there are at least without.
std::vector<std::int64_t> partsOfSum(std::int64_t reduced, std::int64_t blocks, std::int64_t multiprocessors) {
  std::vector<std::int64_t> parts = {1};
  const std::int64_t most = std::min(
      {kMostParts, reduced / kLeastOfPart, kBlocksOfEach * multiprocessors / std::max<std::int64_t>(1, blocks)});
  for (std::int64_t power = 2; power <= most; power *= 2) {
    std::int64_t near = power;
    for (std::int64_t by = 0; by < power / 4 && reduced % near != 0; ++by)
      near = reduced % (power - by) == 0 ? power - by : power;
    parts.push_back(near);
  }
  return parts;
}

// Writes the lines that cut a block's sum: `b` is then the block that sums up parts, its loops those over results, over
// parts, over elements of a part, and over neighbours, if `vector` names the decision how many.
void writeParts(SketchDraft& d, const std::string& parts, const std::string& when, int spatialLoops,
                const std::string& vector) {
  if (vector.empty()) {
    d.line(fmt::format("r = sch.fuse(*ls[{}:])", spatialLoops), when);
  } else {
    d.line(fmt::format("l, r2 = sch.split(ls[-1], [None, ?{}])", vector), when);
    d.line(fmt::format("r = sch.fuse(*ls[{}:-1], l)", spatialLoops), when);
  }
  d.line(fmt::format("p, r = sch.split(r, [?{}, None])", parts), when);
  d.line("b = sch.rfactor(p, 0)", when);
  d.line("ls = sch.get_loops(b)", when);
}

// Writes the lines of the kernel that adds up parts.
void addParts(SketchDraft& d, const std::string& block, const std::string& when, int spatialLoops,
              std::int64_t results) {
  const bool lanes = results >= kLanes;
  d.line(fmt::format("c = sch.get_block(\"{}\")", block), when);
  d.line("ls = sch.get_loops(c)", when);
  if (spatialLoops > 0) {
    d.line(fmt::format("s = sch.fuse(*ls[:{}])", spatialLoops), when);
    if (lanes) d.line(fmt::format("s, s1 = sch.split(s, [None, {}])", kLanes), when);
    d.line("sch.bind(s, \"blockIdx.x\")", when);
    if (lanes) d.line("sch.bind(s1, \"threadIdx.x\")", when);
  }
  d.line(fmt::format("p0, p1 = sch.split(ls[-1], [None, {}])", lanes ? kThreadsOfColumn : kThreadsOfResult), when);
  d.line(fmt::format("sch.bind(p1, \"threadIdx.{}\")", lanes ? "y" : "x"), when);
}

}  // namespace

RuleOutcome reduceAcrossThreads(const RuleInput& input, const SketchDraft& draft) {
  const ir::Block block = input.state.tree().block(input.block);
  std::int64_t spatial = 1, reduced = 1;
  int spatialLoops = 0, reduceLoops = 0;
  bool spatialFirst = true;
  for (const ir::IterVar& iter : block->iters) {
    const std::int64_t extent = ir::constantOr(iter.domain.extent, 0);
    if (extent < 1) return leaves(message("the extent of {} is no number", iter.var->name));
    if (iter.type == ir::IterType::Reduce) {
      reduced *= extent, ++reduceLoops;
    } else {
      spatial *= extent, ++spatialLoops;
      if (reduceLoops > 0) spatialFirst = false;
    }
  }
  const Message counts = message("results: {}, elements of each: {}", spatial, reduced);
  if (reduceLoops == 0 || reduced < 32 || !spatialFirst) return leaves(counts);
  if (const auto reduction = schedule::reductionInParts(*block); !reduction) return leaves(reduction.error().message);
  SketchDraft d = draft;
  const std::string prefix = d.prefix;
  const std::string threads = prefix + "threads", vector = prefix + "vector", rows = prefix + "rows";
  // Lanes of a warp read neighbours: elements of one sum, or of neighbouring ones.
  const bool columns = spatial > 1 && sumsColumns(block);
  std::vector<std::int64_t> threadValues, vectorValues;
  std::vector<std::int64_t> rowValues =
      columns ? std::vector<std::int64_t>{8, 16, 32, 64} : std::vector<std::int64_t>{1, 2, 4, 8};
  if (spatialLoops == 0) rowValues = {1};
  // Lanes of a few columns: then those of a warp read neighbours of several rows.
  if (columns && spatial < rowValues.back() && std::ranges::find(rowValues, spatial) == rowValues.end())
    rowValues.push_back(spatial);
  // Fewer threads than these along a column wait for each other's loads, which the model doesn't see: 2500 × 3000 of
  // float16 took 31, 17, 11 µs with 8, 16, 32 of them (H100, measured for this project, 2026-11).
  for (std::int64_t t = columns ? 16 : 32; t <= (columns ? 128 : 1024); t *= 2)
    if (t <= reduced) threadValues.push_back(t);
  const std::vector<int> reads = columns ? std::vector<int>{} : neighbouringReads(block);
  for (std::int64_t v : reads.empty() ? std::vector<std::int64_t>{1} : vectorsOf(block, reads, false))
    if (v == 1 || reduced >= 32 * v) vectorValues.push_back(v);
  d.decide(1, threads, message("threads that sum up a result of {} together", block->name), threadValues);
  d.decide(2, rows, message("results of {} that a block makes", block->name), rowValues);
  d.decide(3, vector, message("neighbours of {} that a thread adds at once", block->name), vectorValues);
  for (const std::string& name : {threads, rows, vector}) d.leaveToModel(name);
  const std::string parts = prefix + "sum.parts", whenParts = parts + " - 1";
  const std::int64_t least = columns ? std::min<std::int64_t>(spatial, 32) : 1;  // results of a block
  // Blocks of their own sum up parts that rfactor makes, and it knows fewer reductions than threads share.
  const std::vector<std::int64_t> partValues =
      schedule::reductionOf(*block) ? partsOfSum(reduced, (spatial + least - 1) / least, input.device.multiprocessors)
                                    : std::vector<std::int64_t>{1};
  const bool inParts = partValues.size() > 1;
  if (inParts) {
    d.decide(4, parts, message("parts of a sum of {} that blocks of their own sum up", block->name), partValues);
    d.leaveToModel(parts);
    d.quantity(prefix + "sum.blocks", fmt::format("({0} + {1} - 1)//{1}", spatial, rows));
    d.quantity(prefix + "multiprocessors", std::to_string(input.device.multiprocessors));
  }
  d.atMost(threads + " of a block", message("a block has at most {} threads", input.device.threads), Forbids::Hardware,
           threads + "*" + rows, input.device.threads);
  keepThreadsAtWork(d, threads, vector, reduced);
  keepInside(input, d, {threads, vector}, reduced);
  keepInside(input, d, {rows}, spatial);
  d.quantity(prefix + "threads", threads + "*" + rows);
  d.quantity(prefix + "columns", columns ? "1" : "0");
  d.begin("cross-thread reduction", block->name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", block->name));
  d.line("ls = sch.get_loops(b)");
  // Vectors are cut of the last loop before it is fused, or cut into parts, so that they are a part of one row.
  const bool vectors = vectorValues.size() > 1;
  if (inParts) writeParts(d, parts, whenParts, spatialLoops, vectors ? vector : "");
  if (spatialLoops > 0) {
    d.line(fmt::format("s = sch.fuse(*ls[:{}])", spatialLoops));
    d.line(fmt::format("s0, s1 = sch.split(s, [None, ?{}])", rows));
    d.line("sch.bind(s0, \"blockIdx.x\")");
    d.line(fmt::format("sch.bind(s1, \"threadIdx.{}\")", columns ? "x" : "y"));
  }
  const std::string whole = inParts ? "1//" + parts : "";
  if (inParts) {
    d.line(fmt::format("sch.bind(ls[{}], \"blockIdx.y\")", spatialLoops), whenParts);
    d.line(vectors ? "r, r2 = sch.get_loops(b)[-2:]" : "r = sch.get_loops(b)[-1]", whenParts);
  }
  const std::string both = fmt::format("r0, r1, r2 = sch.split(r, [None, ?{}, ?{}])", threads, vector),
                    cut = fmt::format("r0, r1 = sch.split(r, [None, ?{}])", threads);
  if (reduceLoops > 1 && vectors) {
    d.line(fmt::format("l, r2 = sch.split(ls[-1], [None, ?{}])", vector), whole);
    d.line(fmt::format("r = sch.fuse(*ls[{}:-1], l)", spatialLoops), whole);
    d.line(cut);
  } else {
    d.line(fmt::format("r = sch.fuse(*ls[{}:])", spatialLoops), whole);
    if (inParts && vectors) d.line(cut, whenParts);
    d.line(both, inParts && vectors ? whole : "");
  }
  d.line(fmt::format("sch.bind(r1, \"threadIdx.{}\")", columns ? "y" : "x"));
  if (vectorValues.size() > 1) readVectors(d, "b", "r1", reads, vector + " - 1");
  d.line("sch.unroll(r2)");
  if (inParts) addParts(d, block->name, whenParts, spatialLoops, spatial);
  d.end();
  return appliesWith(std::move(d), counts);
}

RuleOutcome bindRest(const RuleInput& input, const SketchDraft& draft) {
  const ir::Block block = input.state.tree().block(input.block);
  int spatialLoops = 0;
  std::int64_t spatial = 1;
  for (const ir::IterVar& iter : block->iters) {
    const std::int64_t extent = ir::constantOr(iter.domain.extent, 0);
    if (extent < 1) return leaves(message("the extent of {} is no number", iter.var->name));
    if (iter.type == ir::IterType::Spatial && spatialLoops >= 0) {
      spatial *= extent, ++spatialLoops;
    } else if (iter.type != ir::IterType::Reduce) {
      return leaves(message("{} is neither spatial nor reduced", iter.var->name));
    }
  }
  SketchDraft d = draft;
  const std::string prefix = d.prefix;
  const std::string threads = prefix + "threads", vector = prefix + "vector";
  bool reduces = false;
  for (const ir::IterVar& iter : block->iters) reduces |= iter.type == ir::IterType::Reduce;
  const std::vector<int> reads = neighbouringReads(block);
  const ir::Range& written = block->writes.front().region.back();
  // What is stored in one of several places has no copy whose parts are known to be written.
  const bool neighbours = !reduces && spatialLoops > 0 && written.min.get() == block->iters.back().var.get() &&
                          block->body->kind == ir::StmtKind::Store;
  const std::vector<std::int64_t> vectors = neighbours ? vectorsOf(block, reads, true) : std::vector<std::int64_t>{1};
  std::vector<std::int64_t> counts;
  for (std::int64_t t = 32; t <= 1024; t *= 2) counts.push_back(t);
  d.decide(1, threads, message("threads of a block for {}", block->name), counts);
  d.decide(3, vector, message("neighbours of {} that a thread takes at once", block->name), vectors);
  for (const std::string& name : {threads, vector}) d.leaveToModel(name);
  d.atMost(threads + " of a block", message("a block has at most {} threads", input.device.threads), Forbids::Hardware,
           threads, input.device.threads);
  keepInside(input, d, {threads, vector}, spatial);
  if (vectors.size() > 1 && readsAtPlacesOf(block, reads)) {
    std::vector<std::vector<std::int64_t>> whole;
    for (std::int64_t t : counts)
      for (std::int64_t v : vectors)
        if (v == 1 || spatial % (t * v) == 0) whole.push_back({t, v});
    d.table(threads + " of whole blocks",
            message("where a vector lies is read from another buffer, which threads beyond the end would read, too"),
            Forbids::Tvm, {threads, vector}, std::move(whole));
  }
  d.begin("auto-bind", block->name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", block->name));
  if (spatial == 1) {  // one element, which more threads than one would all write
    d.line("s = sch.add_unit_loop(b)");
    d.line("sch.bind(s, \"threadIdx.x\")");
  } else {
    // Cached before loops are cut, the result has no more elements than there are, and what stores it stays inside.
    if (vectors.size() > 1) d.line("c = sch.cache_write(b, 0, \"local\")", vector + " - 1");
    d.line("ls = sch.get_loops(b)");
    if (vectors.size() > 1) {
      // Vectors are cut of the last loop before it is fused, so that they are a part of one row.
      d.line(fmt::format("{}, s2 = sch.split(ls[-1], [None, ?{}])", spatialLoops > 1 ? "l" : "s", vector));
      if (spatialLoops > 1) d.line("s = sch.fuse(*ls[:-1], l)");
      d.line(fmt::format("s0, s1 = sch.split(s, [None, ?{}])", threads));
    } else {
      d.line(fmt::format("s = sch.fuse(*ls[:{}])", spatialLoops));
      d.line(fmt::format("s0, s1, s2 = sch.split(s, [None, ?{}, ?{}])", threads, vector));
    }
    d.line("sch.bind(s0, \"blockIdx.x\")");
    d.line("sch.bind(s1, \"threadIdx.x\")");
    if (vectors.size() > 1) {
      readVectors(d, "b", "s1", reads, vector + " - 1");
      d.line("sch.reverse_compute_at(c, s1)", vector + " - 1");
      d.line("sch.vectorize(sch.get_loops(c)[-1])", vector + " - 1");
    }
    d.line("sch.unroll(s2)");
  }
  d.end();
  return appliesWith(std::move(d), message("elements: {}, each by itself", spatial));
}

}  // namespace loom::tune
