// sample_perfect_tile(loop, n, max_innermost_factor=16, decision=None)
// sample_partitioned_tile(loop, n, partition_pos=0, innerpart_factor=1, decision=None)
// sample_categorical(candidates, probs, decision=None)
// sample_compute_location(block, decision=None)
// seed(seed), fork_seed(), enter_postproc()
//
// Numbers and places that a tuner draws, under names that later steps use. The program stays as it is. With a decision
// the step gives what it says, mended as TVM mends it where it fits no more; without one it draws by the state's random
// numbers (chance.h), which `seed` sets. `enter_postproc` marks where a tuner's last steps begin. Refused as in TVM:
// ValueError for parts, probabilities and decisions that are none; InternalError where TVM's own checks end it. Where
// TVM would draw for ever or divide by 0, ValueError.
#include <algorithm>
#include <functional>
#include <optional>

#include "core/ir/build.h"
#include "core/schedule/analysis.h"
#include "core/schedule/chance.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

using Numbers = std::vector<std::int64_t>;

Failure badArgument(std::string parameter, Message why) {
  Failure failure = fail("ValueError", std::move(why), Forbids::Input);
  failure.value().parameter = std::move(parameter);
  return failure;
}

Failure failedCheck(std::string parameter, Message why) {
  Failure failure = fail("InternalError", std::move(why), Forbids::Tvm);
  failure.value().parameter = std::move(parameter);
  return failure;
}

Numbers numbersOf(const Value& list) {
  Numbers numbers;
  for (const Value& v : *list.as<List>()) {
    const auto* truth = v.as<bool>();
    numbers.push_back(truth ? *truth : *v.as<std::int64_t>());
  }
  return numbers;
}

Handles exprs(const Numbers& numbers) {
  Handles handles;
  for (std::int64_t n : numbers) handles.push_back(ExprRef{ir::intImm(n)});
  return handles;
}

// Nothing where the extent is no number.
std::optional<std::int64_t> extentOf(Draft& draft, const Arguments& arguments) {
  const ir::IntImmNode* number = ir::asInt(draft.tree().loop(arguments.loop("loop"))->extent);
  return number ? std::optional(number->value) : std::nullopt;
}

// The first part is what the others leave of the extent, and one that doesn't divide what is left to it takes all of
// it.
Result<Numbers> mended(Numbers tiles, std::int64_t extent) {
  if (tiles.size() < 2) {
    return failedCheck("decision", message("a decision has 2 or more factors, and this one has {}", tiles.size()));
  }
  for (std::size_t i = tiles.size(); --i > 0;) {
    if (tiles[i] == 0) return badArgument("decision", message("factor {} of the decision is 0", i));
    if (extent % tiles[i] != 0) tiles[i] = extent;
    extent /= tiles[i];
    if (extent == 0) return badArgument("decision", message("factor {} of the decision leaves nothing", i));
  }
  tiles[0] = extent;
  return tiles;
}

// What TVM's drawing checks, in its order.
Result<void> checkParts(std::int64_t extent, std::int64_t parts, std::int64_t fewest) {
  if (parts < fewest)
    return badArgument("n", message("a loop can't be cut into {} parts here: {} or more", parts, fewest));
  if (extent < 1) return badArgument("loop", message("a loop of {} iterations can't be cut", extent));
  constexpr std::int64_t kMostParts = 1024;
  if (parts > kMostParts)
    return badArgument("n", message("{} parts are more than the {} that are drawn here", parts, kMostParts));
  return {};
}

Result<Handles> finishTiles(Draft& draft, const Chance& chance, const Numbers& tiles) {
  draft.setChance(chance.state());
  draft.decide({tiles, true});
  return exprs(tiles);
}

// Draws until the tiles fit, as TVM does, which goes on in effect without end where hardly any do; nothing if none of
// `kMostDraws` does.
constexpr int kMostDraws = 1 << 20;
std::optional<Numbers> drawFitting(Chance& chance, std::int64_t extent, std::int64_t parts,
                                   const std::function<bool(const Numbers&)>& fits) {
  for (int draw = 0; draw < kMostDraws; ++draw)
    if (Numbers tiles = drawTiles(chance, extent, parts); fits(tiles)) return tiles;
  return std::nullopt;
}

Result<Handles> samplePerfectTile(Draft& draft, const Arguments& arguments) {
  const std::int64_t parts = arguments.integer("n"), most = arguments.integer("max_innermost_factor");
  const auto extent = extentOf(draft, arguments);
  Chance chance(draft.base().chance());
  if (!extent) {
    // A loop whose extent is no number is left whole: split infers the first factor.
    if (parts < 1) return badArgument("n", message("a loop can't be cut into {} parts here: {} or more", parts, 1));
    Numbers tiles(std::size_t(parts), 1);
    tiles[0] = -1;
    draft.decide({tiles, true});
    Handles handles = exprs(tiles);
    handles[0] = ExprRef{nullptr};
    return handles;
  }
  if (const Value& decision = arguments["decision"]; !decision.isNone()) {
    auto tiles = mended(numbersOf(decision), *extent);
    if (!tiles) return Failure(tiles.error());
    return finishTiles(draft, chance, *tiles);
  }
  const bool any = most == -1;
  if (auto ok = checkParts(*extent, parts, any ? 1 : 2); !ok) return Failure(ok.error());
  if (!any && most < 1) {
    return badArgument("max_innermost_factor", message("no innermost factor is at most {}; -1 allows any", most));
  }
  const auto tiles = drawFitting(chance, *extent, parts, [&](const Numbers& t) { return any || t.back() <= most; });
  if (!tiles) {
    return badArgument("max_innermost_factor",
                       message("none of {} draws has an innermost factor of at most {}", kMostDraws, most));
  }
  return finishTiles(draft, chance, *tiles);
}

Result<Handles> samplePartitionedTile(Draft& draft, const Arguments& arguments) {
  const std::int64_t parts = arguments.integer("n"), factor = arguments.integer("innerpart_factor");
  const std::int64_t position = arguments.integer("partition_pos");
  const auto extent = extentOf(draft, arguments);
  Chance chance(draft.base().chance());
  if (factor == 0) return badArgument("innerpart_factor", message("the inner part can't be a multiple of 0"));
  if (position < 0) return badArgument("partition_pos", message("the inner part begins at part 0 or later"));
  auto innerOf = [&](const Numbers& tiles) {
    std::int64_t product = 1;
    for (std::size_t i = std::size_t(position); i < tiles.size(); ++i) product *= tiles[i];
    return product;
  };
  if (!extent || *extent % factor != 0) {
    if (parts < 1) return badArgument("n", message("a loop can't be cut into {} parts here: {} or more", parts, 1));
    Numbers tiles(std::size_t(parts), 1);
    tiles[0] = -1;
    return finishTiles(draft, chance, tiles);
  }
  if (const Value& decision = arguments["decision"]; !decision.isNone()) {
    Numbers tiles = numbersOf(decision);
    if (tiles.size() < 2 || innerOf(tiles) % factor == 0) {
      auto made = mended(std::move(tiles), *extent);
      if (!made) return Failure(made.error());
      return finishTiles(draft, chance, *made);
    }
    if (parts < 1 || position >= parts) {
      return badArgument("partition_pos", message("the inner part begins at part {} of {}", position, parts));
    }
    tiles.assign(std::size_t(parts), 1);
    tiles[0] = *extent / factor;
    tiles[std::size_t(position)] = factor;
    return finishTiles(draft, chance, tiles);
  }
  const bool any = position == 0 && factor == 1;
  if (auto ok = checkParts(*extent, parts, any ? 1 : 2); !ok) return Failure(ok.error());
  if (position >= parts && factor != 1 && factor != -1) {
    return badArgument("partition_pos", message("the inner part begins at part {} of {}", position, parts));
  }
  const auto tiles = drawFitting(chance, *extent, parts, [&](const Numbers& t) { return innerOf(t) % factor == 0; });
  if (!tiles) {
    return badArgument("innerpart_factor",
                       message("none of {} draws has an inner part that {} divides", kMostDraws, factor));
  }
  return finishTiles(draft, chance, *tiles);
}

Result<Handles> sampleCategorical(Draft& draft, const Arguments& arguments) {
  const Numbers candidates = numbersOf(arguments["candidates"]);
  std::vector<double> weights;
  double sum = 0;
  bool negative = false;
  for (const Value& v : *arguments["probs"].as<List>()) {
    weights.push_back(*v.as<double>());
    sum += weights.back();
    negative = negative || !(weights.back() >= 0);
  }
  if (candidates.size() != weights.size()) {
    return badArgument("probs",
                       message("there are {} candidates and {} probabilities", candidates.size(), weights.size()));
  }
  const auto count = std::int64_t(candidates.size());
  Chance chance(draft.base().chance());
  std::int64_t at = 0;
  if (const Value& decision = arguments["decision"]; !decision.isNone()) {
    at = arguments.integer("decision");
    if (at < 0 || at >= count) {
      return badArgument("decision",
                         message("decision {} is none of the {} candidates, which count from 0", at, count));
    }
  } else {
    if (count == 0) return failedCheck("candidates", message("there is no candidate"));
    if (count > 1 && (negative || !(sum > 0))) {
      return badArgument("probs", message("probabilities are 0 or more, and not all of them 0"));
    }
    at = chance.weighted(weights);
  }
  draft.setChance(chance.state());
  draft.decide({{at}, false});
  return exprs({candidates[std::size_t(at)]});
}

// Would the primitive with these arguments be accepted?
bool isAccepted(const Draft& draft, const Instruction& row, std::vector<Value> arguments) {
  Draft trial(draft.base(), kTrialStep, row.name, draft.environment());
  return row.apply(trial, Arguments(row.parameters, std::move(arguments))).has_value();
}

struct Place {
  std::int64_t decision;  // -2 inline, -1 where it stands, else the number of the loop around its first consumer
  LoopRef loop;
};

// In TVM's order. Refused for a root block.
Result<std::vector<Place>> computeLocations(Draft& draft, Id block) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Value handle{Handle(BlockRef{block})};
  std::vector<Place> places;
  auto users = consumersOf(p, block);
  if (!users) return Failure(users.error());
  if (isAccepted(draft, computeInlineInstruction(), {handle})) places.push_back({-2, {{}, LoopRef::Marker::Inline}});
  places.push_back({-1, {{}, LoopRef::Marker::Root}});
  if (users->empty()) return places;
  const Id boundary = users->size() > 1 ? tree.lowestCommonAncestor(*users) : tree.parent(users->front());
  if (!tree.isLoop(boundary)) return places;
  std::vector<Id> loops = tree.loopsAbove(users->front());
  const auto last = std::find(loops.begin(), loops.end(), boundary);
  if (last == loops.end()) return failedCheck("block", message("the consumers share no loop of their scope"));
  loops.erase(last + 1, loops.end());
  // Loops over both, or over sums only, count as what isn't data-parallel.
  std::vector<bool> parallel;
  for (Id loop : loops) parallel.push_back(loopIterType(*tree.loop(loop)) == ir::IterType::Spatial);
  const auto lastParallel = std::find(parallel.rbegin(), parallel.rend(), true);
  const std::int64_t lastOf = parallel.rend() - lastParallel - 1;
  bool reduces = false;
  const Instruction row = computeAtInstruction();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (ir::isConst(tree.loop(loops[i])->extent, 1)) continue;
    if (parallel[i] && reduces) break;
    reduces = reduces || !parallel[i];
    if (!parallel[i] && std::int64_t(i) > lastOf) break;
    const Value loop{Handle(LoopRef{loops[i]})};
    if (isAccepted(draft, row, {handle, loop, Value{true}, Value{std::int64_t{-1}}})) {
      places.push_back({std::int64_t(i), LoopRef{loops[i]}});
    }
  }
  return places;
}

Result<Handles> sampleComputeLocation(Draft& draft, const Arguments& arguments) {
  auto places = computeLocations(draft, arguments.block("block"));
  if (!places) return Failure(places.error());
  Chance chance(draft.base().chance());
  Place at{-1, {{}, LoopRef::Marker::Root}};
  if (arguments["decision"].isNone()) {
    at = (*places)[std::size_t(chance.integer(0, std::int64_t(places->size())))];
  } else {
    // The place itself, or the one before it; before all of them where the block stands.
    const std::int64_t decision = arguments.integer("decision");
    for (const Place& place : *places) {
      if (place.decision <= decision) at = place;
    }
  }
  draft.setChance(chance.state());
  draft.decide({{at.decision}, false});
  return Handles{at.loop};
}

Result<Handles> seed(Draft& draft, const Arguments& arguments) {
  const std::int64_t number = arguments.integer("seed");
  if (number < 0) return badArgument("seed", message("a seed is 0 or more"));
  draft.setChance(Chance::stateOf(number));
  return Handles{};
}

Result<Handles> forkSeed(Draft& draft, const Arguments&) {
  Chance chance(draft.base().chance());
  const std::int64_t forked = chance.fork();
  draft.setChance(chance.state());
  return exprs({forked});
}

Result<Handles> enterPostproc(Draft&, const Arguments&) { return Handles{}; }

Parameter tiledLoop() { return {"loop", ParameterType::Loop, {}, "", "the loop to cut", "要拆分的循环"}; }
Parameter partsParameter() { return {"n", ParameterType::Int, {}, "parts", "into how many", "分成几份"}; }
Parameter tileDecision() {
  return {"decision",
          ParameterType::OptionalIntegers,
          Value{},
          "",
          "the factors, outermost first; None: draw them",
          "各因子，由外到内；None：随机抽取"};
}
Parameter oneDecision(std::string_view en, std::string_view zh) {
  return {"decision", ParameterType::OptionalInt, Value{}, "", en, zh};
}

}  // namespace

Instruction samplePerfectTileInstruction() {
  return {"sample_perfect_tile",
          "SamplePerfectTile",
          "sampling",
          {tiledLoop(),
           partsParameter(),
           {"max_innermost_factor", ParameterType::Int, Value{std::int64_t{16}}, "iterations",
            "the most that the last factor may be; -1: any", "最后一个因子的上限；-1：不限"},
           tileDecision()},
          Instruction::Results::Exprs,
          samplePerfectTile,
          "Draw factors whose product is the loop's extent, or take those decided.",
          "取乘积等于循环长度的因子，随机抽取或由决策给定。"};
}
Instruction samplePartitionedTileInstruction() {
  return {"sample_partitioned_tile",
          "SamplePartitionedTile",
          "sampling",
          {tiledLoop(),
           partsParameter(),
           {"partition_pos", ParameterType::Int, Value{std::int64_t{0}}, "", "the part with which the inner ones begin",
            "内侧各份从第几份开始"},
           {"innerpart_factor", ParameterType::Int, Value{std::int64_t{1}}, "iterations",
            "what the product of the inner parts is a multiple of", "内侧各份乘积是它的倍数"},
           tileDecision()},
          Instruction::Results::Exprs,
          samplePartitionedTile,
          "Draw factors of the loop's extent of which the inner ones make a multiple, or take those decided.",
          "取循环长度的因子，内侧的乘积是给定值的倍数，随机抽取或由决策给定。"};
}
Instruction sampleCategoricalInstruction() {
  return {"sample_categorical",
          "SampleCategorical",
          "sampling",
          {{"candidates", ParameterType::Integers, {}, "", "the numbers to choose from", "可选的数"},
           {"probs", ParameterType::Floats, {}, "", "the probability of each", "各自的概率"},
           oneDecision("which of them, from 0; None: draw one", "选第几个，从 0 起；None：随机抽取")},
          Instruction::Results::Expr,
          sampleCategorical,
          "Draw one of several numbers, or take the one decided.",
          "取若干个数中的一个，随机抽取或由决策给定。"};
}
Instruction sampleComputeLocationInstruction() {
  return {"sample_compute_location",
          "SampleComputeLocation",
          "sampling",
          {{"block", ParameterType::Block, {}, "", "the producer, or its name", "生产者计算块，或它的名字"},
           oneDecision("number of a loop around its consumer, -1 where it is, -2 inline; None: draw one",
                       "消费者外第几个循环，-1 为原处，-2 为内联；None：随机抽取")},
          Instruction::Results::Loop,
          sampleComputeLocation,
          "Draw a place where compute_at could put the block, or take the one decided.",
          "取 compute_at 可以放置计算块的位置，随机抽取或由决策给定。"};
}
Instruction seedInstruction() {
  return {"seed",
          "",
          "sampling",
          {{"seed",
            ParameterType::Int,
            {},
            "",
            "0 or more; the same seed draws the same",
            "不小于 0；相同的种子抽取相同的结果"}},
          Instruction::Results::None,
          seed,
          "Set what the sampling steps after it draw.",
          "设定其后抽样步骤的随机数。"};
}
Instruction forkSeedInstruction() {
  return {"fork_seed", "", "sampling", {}, Instruction::Results::Expr, forkSeed, "Draw a seed.", "抽取一个种子。"};
}
Instruction enterPostprocInstruction() {
  return {"enter_postproc",
          "EnterPostproc",
          "sampling",
          {},
          Instruction::Results::None,
          enterPostproc,
          "Mark where a tuner's last steps begin; it changes nothing.",
          "标记调优器收尾步骤的开始；不改变程序。"};
}

}  // namespace loom::schedule
