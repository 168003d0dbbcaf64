#include "core/tune/step_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::step_arguments_test {
namespace {

// 0 start, 1 split k, 2 bind, 3 reorder.
document::History tree() {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  const auto applied = history.apply(0, tests::scheduleText("split_bind_reorder"), {});
  EXPECT_EQ(applied->made, 3);
  return history;
}

std::vector<std::string> textsOf(const std::string& line) {
  std::vector<std::string> texts;
  const auto parts = tune::stepArguments(line);
  if (!parts) return {"none"};
  for (const auto& a : parts->arguments) texts.push_back(a.text + (a.isWritten ? "" : " (left out)"));
  return texts;
}
using Texts = std::vector<std::string>;

TEST(StepArguments, AreTakenApartByParameters) {
  EXPECT_EQ(textsOf("k0, k1 = sch.split(k, [None, 16])"),
            (Texts{"k", "[None, 16]", "True (left out)", "False (left out)"}));
  EXPECT_EQ(textsOf("k0, k1 = sch.split(k, factors=[2, 16])")[1], "[2, 16]");
  EXPECT_EQ(textsOf("sch.reorder(a, loops[1], c)"), (Texts{"a, loops[1], c"}));
  EXPECT_EQ(textsOf("f = sch.fuse(a, b, c)"), (Texts{"a, b, c", "True (left out)"}));
  EXPECT_EQ(textsOf("f = sch.fuse(a, b, preserve_unit_iters=False)"), (Texts{"a, b", "False"}));
  EXPECT_EQ(textsOf("sch.bind(sch.get_loops(b)[0], \"threadIdx.x\")")[0], "sch.get_loops(b)[0]");
  EXPECT_EQ(textsOf("k = loops[2]"), Texts{"none"});
  EXPECT_EQ(textsOf("sch.split(*both)"), Texts{"none"}) << "which is the loop isn't in the text";
  EXPECT_EQ(textsOf("sch.nothing(k)"), Texts{"none"});
}

TEST(StepArguments, OneIsReplacedAndTheRestStays) {
  const std::string split = "k0, k1 = sch.split(k, [None, 16])";
  EXPECT_EQ(tune::withArgument(split, 1, "[4, 8]").value_or("?"), "k0, k1 = sch.split(k, [4, 8])");
  EXPECT_EQ(tune::withArgument(split, 2, "False").value_or("?"),
            "k0, k1 = sch.split(k, [None, 16], preserve_unit_iters=False)");
  EXPECT_EQ(tune::withArgument(*tune::withArgument(split, 2, "False"), 2, "").value_or("?"), split);
  EXPECT_EQ(tune::withArgument("k0, k1 = sch.split(k, factors=[None, 16], disable_predication=True)", 1, "[4, 8]")
                .value_or("?"),
            "k0, k1 = sch.split(k, factors=[4, 8], disable_predication=True)");
  EXPECT_EQ(tune::withArgument("sch.reorder(a, b)", 0, "b, c[0], a").value_or("?"), "sch.reorder(b, c[0], a)");
  EXPECT_EQ(tune::withArgument("f = sch.fuse(a, b)", 1, "False").value_or("?"),
            "f = sch.fuse(a, b, preserve_unit_iters=False)");
  EXPECT_EQ(tune::withArgument("x, *y = sch.get_loops(b)[1:]", 0, "c").value_or("?").substr(0, 24),
            "x, *y = sch.get_loops(c)");
  EXPECT_EQ(tune::withArgument(split, 1, "").error().code, "TypeError") << "there is no fallback";
  EXPECT_EQ(tune::withArgument(split, 1, "1, 2").error().code, "ParseError");
  EXPECT_EQ(tune::withArgument(split, 1, "[1,").error().code, "ParseError");
}

TEST(StepArguments, OffersAreTriedOnTheWholeLine) {
  const document::History history = tree();
  const auto offeredTo = [&](int node, const std::string& line, std::size_t index) {
    return tune::argumentOffers(history, node, line, index, {});
  };
  const auto offered = [&](int node, std::size_t index) {
    return offeredTo(node, node > 0 ? history.node(node).step()->source : "", index);
  };
  const auto find = [](const std::vector<tune::ArgumentOffer>& offers, const std::string& text) {
    const auto found = std::find_if(offers.begin(), offers.end(), [&](const auto& o) { return o.text == text; });
    EXPECT_NE(found, offers.end()) << text;
    return found == offers.end() ? tune::ArgumentOffer{} : *found;
  };
  const auto factors = offered(1, 1);
  EXPECT_FALSE(find(factors, "[None, 32]").refusal);
  EXPECT_FALSE(find(factors, "[None, 8]").refusal);
  EXPECT_EQ(factors.front().text, "[None, 16]") << "what is there comes first, what is near it next";
  EXPECT_FALSE(find(factors, "[None, 1]").refusal) << "and then each divisor";
  const auto loops = offered(2, 0);
  EXPECT_FALSE(find(loops, "j").refusal);
  EXPECT_EQ(find(loops, "k0").name, "k_0") << "named before, printed so";
  EXPECT_TRUE(find(offeredTo(2, "sch.bind(i, \"blockIdx.x\")", 0), "k0").refusal) << "a reduction over blocks";
  const auto axes = offered(2, 1);
  EXPECT_FALSE(find(axes, "\"blockIdx.x\"").refusal);
  EXPECT_TRUE(offered(0, 0).empty()) << "the start has no step";
}

}  // namespace
}  // namespace loom::session::step_arguments_test
