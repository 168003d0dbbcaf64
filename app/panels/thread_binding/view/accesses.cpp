#include "app/panels/thread_binding/view/accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "app/panels/thread_binding/view/swizzle.h"
#include "core/device/cluster_places.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/packed.h"

namespace loom::session {

namespace {

constexpr std::int64_t kArrangedAtMost = 1 << 16;
constexpr std::int64_t kRunsOfBlock = 1 << 20;  // of a block; a lane touches less

// Row and column of an element by its offset.
std::pair<std::int64_t, std::int64_t> at(const BufferRows& shape, std::int64_t offset) {
  return {offset / shape.pitch, offset % shape.pitch};
}

// The numbers 0 … offsets.size() − 1 sorted into a rectangle by where their offsets lie; plain where they don't fill
// one.
std::optional<Arrangement> byOffset(const std::vector<std::int64_t>& offsets, const BufferRows& shape) {
  std::set<std::int64_t> rows, columns;
  for (std::int64_t offset : offsets) {
    auto [row, column] = at(shape, offset);
    rows.insert(row);
    columns.insert(column);
  }
  if (rows.size() * columns.size() != offsets.size()) return std::nullopt;
  Arrangement a;
  a.rows = std::int64_t(rows.size());
  a.columns = std::int64_t(columns.size());
  a.byResult = true;
  a.numbers.assign(offsets.size(), -1);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    auto [row, column] = at(shape, offsets[i]);
    auto r = std::distance(rows.begin(), rows.find(row)), c = std::distance(columns.begin(), columns.find(column));
    std::int64_t& cell = a.numbers[std::size_t(r * a.columns + c)];
    if (cell >= 0) return std::nullopt;  // two of them share a place
    cell = std::int64_t(i);
  }
  return a;
}

Arrangement plain(std::int64_t count, std::int64_t columns) {
  Arrangement a;
  a.columns = std::max<std::int64_t>(1, std::min(columns, count));
  a.rows = (count + a.columns - 1) / a.columns;
  return a;
}

// What the parts of one hardware axis add to the index.
std::int64_t added(const model::SeparatedIndex& index, model::Axis axis, const std::array<std::int64_t, 3>& position) {
  std::int64_t sum = 0;
  for (const model::Part& part : index.parts) {
    if (part.axis == axis) sum += part.adds[std::size_t(position[std::size_t(part.number)])];
  }
  return sum;
}

std::array<std::int64_t, 3> split(const std::array<std::int64_t, 3>& extents, std::int64_t number) {
  return {number % extents[0], number / extents[0] % extents[1], number / extents[0] / extents[1]};
}

void mark(TouchedPicture& picture, const BufferRows& shape, const arith::Runs& elements, TouchedPicture::Level level) {
  for (const arith::Run& run : elements) {
    const std::int64_t last = run.first + run.count - 1;
    for (std::int64_t element = run.first; element <= last;) {
      const auto [row, column] = at(shape, element);
      const std::int64_t inRow = std::min(last - element + 1, shape.pitch - column);
      element += inRow;
      const std::int64_t end = std::min(column + inRow, shape.columns);  // beyond lies padding
      if (row >= shape.rows || column >= end) continue;
      const auto cells = picture.levels.begin() + row / picture.cellRows * picture.columns;
      std::fill(cells + column / picture.cellColumns, cells + (end - 1) / picture.cellColumns + 1, level);
    }
  }
}

LanePicture lanePicture(const BufferRows& shape, const device::LaneValues& index, std::uint32_t active, int elements) {
  LanePicture picture;
  picture.elements = elements;
  std::set<std::int64_t> rows, columns;
  for (int lane = 0; lane < layout::kLanes; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    auto [row, column] = at(shape, index[lane]);
    rows.insert(row);
    columns.insert(column);
  }
  picture.rows.assign(rows.begin(), rows.end());
  picture.columns.assign(columns.begin(), columns.end());
  picture.lanes.resize(rows.size() * columns.size());
  for (int lane = 0; lane < layout::kLanes; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    auto [row, column] = at(shape, index[lane]);
    auto r = std::distance(rows.begin(), rows.find(row)), c = std::distance(columns.begin(), columns.find(column));
    picture.lanes[std::size_t(r) * columns.size() + std::size_t(c)].push_back(lane);
  }
  return picture;
}

// Where the rows that lanes give the addresses of lie.
std::vector<RequestPicture::Row> rowsOf(const layout::Request& request, const std::vector<layout::Phase>& phases) {
  std::vector<RequestPicture::Row> rows;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      if ((phases[p].lanes & request.active & (std::uint32_t{1} << lane)) == 0) continue;
      const std::int64_t word = request.address[std::size_t(lane)] / layout::kBankBytes;
      const int bank = int(word % layout::kBanks);
      const std::vector<std::int64_t>& words = phases[p].words[std::size_t(bank)];
      rows.push_back({lane, int(p), bank, int(std::ranges::find(words, word) - words.begin())});
    }
  }
  return rows;
}

RequestPicture requestPicture(const model::Access& access, const std::vector<model::WarpRequest>& requests,
                              std::int64_t firstByte) {
  RequestPicture picture;
  picture.requests = int(requests.size());
  const layout::Request& request = requests.front().request;
  if (model::isShared(access.memory)) {
    picture.ldmatrix = requests.front().ldmatrix;
    picture.phases = picture.ldmatrix ? layout::ldmatrixPhases(request) : layout::phases(request);
    picture.wavefronts = layout::wavefronts(request, picture.phases);
    picture.shared = layout::costOf(picture.phases);
    if (picture.ldmatrix) picture.rows = rowsOf(request, picture.phases);
    return picture;
  }
  picture.sectors = layout::sectors(request);
  picture.used = layout::distinctBytes(request);
  picture.needed = int(ceilDivide(picture.used, layout::kSectorBytes));
  // Addresses are counted from a base of their own: they are told as bytes from the buffer's start.
  int someLane = 0;
  while (someLane < layout::kLanes - 1 && (request.active >> someLane & 1) == 0) ++someLane;
  const std::int64_t base = request.address[std::size_t(someLane)] - firstByte;
  std::map<std::int64_t, RequestPicture::Line> lines;
  for (int lane = 0; lane < layout::kLanes; ++lane) {
    if ((request.active >> lane & 1) == 0) continue;
    const std::int64_t from = request.address[std::size_t(lane)] - base, to = from + request.width - 1;
    for (std::int64_t sector = from / layout::kSectorBytes; sector <= to / layout::kSectorBytes; ++sector) {
      auto& line = lines[sector / 4];
      line.offset = sector / 4 * layout::kLineBytes;
      line.sectors[std::size_t(sector % 4)].push_back(lane);
    }
  }
  for (auto& [number, line] : lines) picture.lines.push_back(std::move(line));
  return picture;
}

std::optional<PaddedRequest> paddedRequest(const model::KernelAccesses& kernel, const model::Access& access,
                                           const device::WarpState& state, std::uint32_t active) {
  auto padding = model::paddingOf(kernel, access);
  if (!padding) return std::nullopt;
  const model::Access moved = model::padded(access, *padding);
  const auto requests = model::requestsOf(moved, state, active);
  if (!requests || requests->empty()) return std::nullopt;
  return PaddedRequest{std::move(*padding), requestPicture(moved, *requests, 0)};
}

device::WarpState stateOf(const model::KernelAccesses& kernel, const BindingChoice& choice) {
  device::WarpState state;
  state.place(*kernel.kernel, choice.block, int(choice.thread / layout::kLanes));
  // Copies of a loop, before and after a pipeline's, have one variable.
  for (const model::LoopInfo& loop : kernel.loops) state.set(loop.var.get(), 0);
  for (const auto& [loop, value] : choice.loops)
    if (loop >= 0 && loop < int(kernel.loops.size())) state.set(kernel.loops[std::size_t(loop)].var.get(), value);
  return state;
}

}  // namespace

std::int64_t Arrangement::numberAt(std::int64_t cell) const {
  return numbers.empty() ? cell : numbers[std::size_t(cell)];
}

std::int64_t Arrangement::cellOf(std::int64_t number) const {
  if (numbers.empty()) return number;
  return std::distance(numbers.begin(), std::find(numbers.begin(), numbers.end(), number));
}

ThreadBinding::ThreadBinding(std::shared_ptr<const device::Program> program, int kernel)
    : program_(std::move(program)), accesses_(model::accessesOf(program_->kernels[std::size_t(kernel)])) {
  const device::Kernel& k = *accesses_.kernel;
  std::vector<std::int64_t> clusters;
  if (k.blocksOfCluster() > 1 && k.blocks() <= kArrangedAtMost)
    for (std::int64_t b = 0; b < k.blocks(); ++b) clusters.push_back(device::clusterOf(k, b));
  blocks_ = plain(k.blocks(), k.grid[1] * k.grid[2] > 1 ? k.grid[0] : 32);
  blocks_.groups = clusters;
  roles_ = model::rolesOf(k);
  // Of warpgroups each is a row.
  int together = 1;
  for (const model::Access& a : accesses_.accesses) together = std::max(together, model::warpsTogether(*a.statement));
  warps_ = plain(warpCount(), together > 1 ? together : 8);
  // The result: what is stored last to global memory.
  auto result = std::find_if(accesses_.accesses.rbegin(), accesses_.accesses.rend(),
                             [](const model::Access& a) { return a.write && a.memory == device::Memory::Global; });
  if (result == accesses_.accesses.rend()) return;
  auto index = model::separate(accesses_, *result);
  if (!index) return;
  const BufferRows shape = rowsOf(*result);
  if (k.blocks() <= kArrangedAtMost) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t b = 0; b < k.blocks(); ++b)
      offsets.push_back(added(*index, model::Axis::Block, split(k.grid, b)));
    if (auto found = byOffset(offsets, shape)) {
      blocks_ = *found;
      blocks_.groups = std::move(clusters);
    }
  }
  std::vector<std::int64_t> offsets;
  for (std::int64_t w = 0; w < warpCount(); ++w) {
    offsets.push_back(added(*index, model::Axis::Thread, split(k.block, w * layout::kLanes)));
  }
  if (auto found = byOffset(offsets, shape)) warps_ = *found;
}

std::int64_t ThreadBinding::warpCount() const { return ceilDivide(kernel().threads(), layout::kLanes); }

double ThreadBinding::runsOf(int access) const {
  double runs = 1;
  for (int loop : accesses_.accesses[std::size_t(access)].loops)
    runs *= double(accesses_.loops[std::size_t(loop)].extent);
  return runs;
}

int ThreadBinding::mostOften(const std::function<bool(const model::Access&)>& isWanted) const {
  double most = 0;
  int found = -1;
  for (int i = 0; i < int(accesses_.accesses.size()); ++i) {
    const model::Access& access = accesses_.accesses[std::size_t(i)];
    if (!isWanted(access)) continue;
    const double runs = access.guards.empty() ? runsOf(i) : runsOf(i) / 2;  // a condition keeps it out at times
    if (runs > most) most = runs, found = i;
  }
  return found;
}

int ThreadBinding::firstAccess() const {
  return std::max(0, mostOften([](const model::Access& a) { return a.memory == device::Memory::Global; }));
}

int ThreadBinding::find(const std::string& block, const std::string& buffer, bool write) const {
  return mostOften([&](const model::Access& a) {
    return (block.empty() || a.blockName == block) && a.buffer->name == buffer && a.write == write;
  });
}

BindingChoice ThreadBinding::clamped(BindingChoice choice) const {
  choice.block = std::clamp<std::int64_t>(choice.block, 0, kernel().blocks() - 1);
  choice.thread = std::clamp<std::int64_t>(choice.thread, 0, kernel().threads() - 1);
  choice.access = std::clamp(choice.access, 0, std::max(0, int(accesses_.accesses.size()) - 1));
  std::map<int, std::int64_t> kept;
  if (!accesses_.accesses.empty()) {
    for (int loop : accesses_.accesses[std::size_t(choice.access)].loops) {
      auto fixed = choice.loops.find(loop);
      if (fixed == choice.loops.end()) continue;
      kept[loop] = std::clamp<std::int64_t>(fixed->second, 0, accesses_.loops[std::size_t(loop)].extent - 1);
    }
  }
  choice.loops = std::move(kept);
  return choice;
}

BindingChoice ThreadBinding::takingPart(BindingChoice choice) const {
  if (accesses_.accesses.empty()) return choice;
  const model::Access& access = accesses_.accesses[std::size_t(choice.access)];
  const auto activeOf = [&](std::int64_t warp) {
    BindingChoice of = choice;
    of.thread = warp * layout::kLanes;
    const device::WarpState state = stateOf(accesses_, of);
    bool known = true;
    return state.threads() & model::activeLanes(access.guards, state, known);
  };
  if (activeOf(choice.thread / layout::kLanes) != 0) return choice;
  for (std::int64_t warp = 0; warp < warpCount(); ++warp) {
    const std::uint32_t active = activeOf(warp);
    if (active == 0) continue;
    choice.thread = warp * layout::kLanes + std::countr_zero(active);
    break;
  }
  return choice;
}

BindingChoice ThreadBinding::ledTo(const model::TimelinePosition& moment, BindingChoice choice) const {
  for (const model::TimelinePosition::Touch& touch : moment.touches) {
    for (std::size_t i = 0; i < accesses_.accesses.size(); ++i) {
      const model::Access& a = accesses_.accesses[i];
      if (!touch.isBy(a)) continue;
      choice.access = int(i);
      choice.loops = moment.standingLoops(accesses_, a);
      return clamped(std::move(choice));
    }
  }
  return choice;
}

BufferRows ThreadBinding::rowsOf(const model::Access& access) const {
  BufferRows shape;
  auto fold = [&](const std::vector<std::int64_t>& extents, std::int64_t pitch) {
    shape.columns = extents.empty() ? 1 : extents.back();
    shape.pitch = std::max<std::int64_t>(1, pitch);
    for (std::size_t i = 0; i + 1 < extents.size(); ++i) shape.rows *= extents[i];
  };
  for (const device::Allocation& allocation : kernel().allocations) {
    if (allocation.buffer.get() != access.buffer.get()) continue;
    if (allocation.fragment && access.tile) {
      fold({allocation.elements}, allocation.elements);
      shape.fragments = true;
      return shape;
    }
    const std::vector<std::int64_t> extents = allocation.extents(), strides = allocation.strides();
    const std::size_t n = extents.size();
    fold(extents, n >= 2 && strides.size() == n ? strides[n - 2] : n >= 1 ? extents.back() : 1);
    return shape;
  }
  // A parameter: the function knows its shape before it was made flat.
  for (const ir::Parameter& parameter : program_->params) {
    if (parameter.buffer == nullptr || parameter.buffer->name != access.buffer->name) continue;
    const auto layout = ir::elementLayout(*parameter.buffer);
    if (!layout) return shape;
    // Kernels have the bytes of elements that share them.
    if (const int per = ir::perByte(parameter.buffer->dtype);
        per > 1 && layout->compact() && !layout->extents.empty()) {
      fold(layout->extents, layout->extents.back());
      shape.columns = ceilDivide(shape.columns, per);
      shape.pitch = shape.columns;
      return shape;
    }
    if (layout->compact()) {
      fold(layout->extents, layout->extents.empty() ? 1 : layout->extents.back());
      return shape;
    }
    // As it lies in memory: rows as long as the second smallest stride, from the buffer's pointer on.
    std::vector<std::int64_t> strides;
    for (std::size_t d = 0; d < layout->extents.size(); ++d)
      if (layout->extents[d] > 1 && layout->strides[d] > 1) strides.push_back(layout->strides[d]);
    const std::int64_t pitch =
        strides.empty() ? layout->footprint() : *std::min_element(strides.begin(), strides.end());
    fold({ceilDivide(layout->footprint(), std::max<std::int64_t>(1, pitch)), pitch}, pitch);
    return shape;
  }
  fold({}, 1);
  return shape;
}

// Warps or warpgroups of the block that have fragments of their own in the access.
std::int64_t ThreadBinding::holdersOf(const model::Access& access) const {
  const int together = model::warpsTogether(*access.statement);
  if (together == 1) return warpCount();
  std::int64_t warps = 0;
  for (const model::WarpRole& role : roles_)
    if (role.has(access.statement)) warps += std::int64_t(role.warps.size());
  return ceilDivide(warps, together);
}

BindingView ThreadBinding::view(const BindingChoice& choice) const {
  BindingView view;
  if (accesses_.accesses.empty()) return view;
  const model::Access& access = accesses_.accesses[std::size_t(choice.access)];
  const BufferRows shape = view.shape = rowsOf(access);

  const device::WarpState state = stateOf(accesses_, choice);
  view.active = state.threads() & model::activeLanes(access.guards, state, view.activeKnown);

  view.cluster = model::clusterCopies(accesses_, access, choice.block);

  TouchedPicture& touched = view.touched;
  touched.cellRows = ceilDivide(shape.rows, kPictureCells);
  touched.cellColumns = ceilDivide(shape.columns, kPictureCells);
  touched.rows = int(ceilDivide(shape.rows, touched.cellRows));
  touched.columns = int(ceilDivide(shape.columns, touched.cellColumns));
  touched.levels.assign(std::size_t(touched.rows) * std::size_t(touched.columns), TouchedPicture::kNone);

  model::Chosen block;
  block.loops = choice.loops;
  model::chooseBlock(block, kernel(), choice.block);
  model::Chosen thread = block;
  model::chooseThread(thread, kernel(), choice.thread);
  auto ofBlock = model::elementRuns(accesses_, access, block, kRunsOfBlock);
  if (ofBlock) {
    view.blockElements = arith::sizeOf(*ofBlock);
    mark(touched, shape, *ofBlock, TouchedPicture::kBlock);
  } else {
    view.unknown = ofBlock.error();
  }
  // A warp is 32 neighbours, which no choice of single axes names where blockDim.x is not 32: lane by lane.
  arith::Runs ofWarp;
  const std::int64_t first = choice.thread / layout::kLanes * layout::kLanes;
  const std::int64_t last = access.tile ? first + 1 : std::min(first + layout::kLanes, kernel().threads());
  for (std::int64_t t = first; t < last; ++t) {
    model::Chosen lane = block;
    model::chooseThread(lane, kernel(), t);
    auto elements = model::elementRuns(accesses_, access, lane, kRunsOfBlock / layout::kLanes);
    if (!elements) {
      view.unknown = elements.error();
      break;
    }
    ofWarp.insert(ofWarp.end(), elements->begin(), elements->end());
  }
  ofWarp = arith::joined(std::move(ofWarp));
  view.warpElements = arith::sizeOf(ofWarp);
  mark(touched, shape, ofWarp, TouchedPicture::kWarp);
  if (auto ofLane = model::elementRuns(accesses_, access, thread, kRunsOfBlock / layout::kLanes)) {
    view.laneElements = arith::sizeOf(*ofLane);
    if (!access.tile) mark(touched, shape, *ofLane, TouchedPicture::kLane);
  }

  // Of what is each warp's or each thread's own a block has that many.
  if (shape.fragments) view.blockElements *= holdersOf(access);
  if (access.memory == device::Memory::Local) {
    view.blockElements *= kernel().threads();
    view.warpElements *= last - first;
  }

  auto index = state.evaluate(access.index);
  if (auto kind = model::fragmentKindOf(kernel(), access)) view.fragment = *kind;
  if (!access.tile && index) {
    view.lanes = lanePicture(shape, *index, view.active, access.elements);
  }
  view.lines = sharedLinesOf(accesses_, access, state);
  view.noRequest = access.memory == device::Memory::Fragment ? std::optional(NoRequest::kFragment)
                   : access.memory == device::Memory::Local  ? std::optional(NoRequest::kOwn)
                   : device::isBeside(access.agent)          ? std::optional(NoRequest::kBeside)
                   : view.active == 0                        ? std::optional(NoRequest::kIdle)
                   : !index                                  ? std::optional(NoRequest::kUnknown)
                                                             : std::nullopt;
  if (!view.noRequest) {
    view.noRequest = NoRequest::kUnknown;
    if (auto requests = model::requestsOf(access, state, view.active); requests && !requests->empty()) {
      view.noRequest.reset();
      int lane = 0;
      while ((view.active >> lane & 1) == 0) ++lane;
      view.request = requestPicture(access, *requests, (*index)[lane] * access.bytes);
      if (view.request->shared.ways > 1) view.padded = paddedRequest(accesses_, access, state, view.active);
      if (auto other = otherSwizzle(accesses_, access); other && model::isShared(access.memory)) {
        for (model::WarpRequest& r : *requests) swizzle(r.request, other->span);
        other->request = requestPicture(access, *requests, 0);
        if (other->isSwizzled || view.request->shared.ways > 1) view.swizzled = std::move(other);
      }
    }
  }
  return view;
}

Result<model::ElementThreads> ThreadBinding::owners(const BindingChoice& choice, std::int64_t row,
                                                    std::int64_t column) const {
  const model::Access& access = accesses_.accesses[std::size_t(choice.access)];
  return model::threadsOfElement(accesses_, access, row * rowsOf(access).pitch + column, {choice.block, choice.thread});
}

std::string ThreadBinding::laneText(const BindingChoice& choice) const {
  if (accesses_.accesses.empty()) return "";
  const model::Access& access = accesses_.accesses[std::size_t(choice.access)];
  auto index = stateOf(accesses_, choice).evaluate(access.index);
  if (!index || access.tile) return "";
  auto [row, column] = at(rowsOf(access), (*index)[int(choice.thread % layout::kLanes)]);
  const std::string& name = access.buffer->name;
  return access.elements == 1 ? fmt::format("{}[{}, {}]", name, row, column)
                              : fmt::format("{}[{}, {}:{}]", name, row, column, column + access.elements);
}

}  // namespace loom::session
