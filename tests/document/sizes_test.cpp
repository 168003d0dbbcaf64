// Values of a function's numbers: as words, in documents, by default, and every combination of them.
#include "core/document/sizes.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/document/file.h"
#include "core/document/kernel.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document::sizes_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kProduct = tests::programText("scaled_strided_rows");
ir::Function function() { return script::parseModule(kProduct, "test.py").value().functions.front(); }
std::vector<std::string> textsOf(const Sizes& sizes) {
  std::vector<std::string> texts;
  for (const SizeChoice& c : choicesOf(sizes, *function())) texts.push_back(c.text);
  return texts;
}
Sizes named(std::initializer_list<const char*> words) {
  Sizes s;
  for (const char* w : words) EXPECT_TRUE(s.name(w)) << w;
  return s;
}
void expectRefused(const char* words, const char* why) {
  Sizes s;
  auto done = s.name(words);
  if (done) done = s.check(*function());
  ASSERT_FALSE(done) << words;
  EXPECT_EQ(done.error().code, "ValueError");
  EXPECT_THAT(done.error().message.english(), HasSubstr(why));
}

TEST(Sizes, WhatNobodyNamesHasADefaultThatIsSaid) {
  const auto choices = choicesOf({}, *function());
  ASSERT_EQ(choices.size(), 2u) << "another size is checked, for the edges of tiles";
  EXPECT_EQ(choices[0].text, "n = 1024, m = 1024, s = 1024, alpha = 2");
  EXPECT_EQ(choices[1].text, "n = 1000, m = 1000, s = 1000, alpha = 2") << "rows are stored without gaps";
  EXPECT_TRUE(choices[1].onlyChecked);
  EXPECT_EQ(defaultsIn(choices[0]), "n = 1024, m = 1024, s = 1024, alpha = 2 by default");
}

TEST(Sizes, EveryCombinationOfWhatIsNamedTheFirstFirst) {
  EXPECT_THAT(textsOf(named({"n=1000,1024", "m = 8, 16", "s=20", "alpha=0.5"})),
              ElementsAre("n = 1000, m = 8, s = 20, alpha = 0.5", "n = 1000, m = 16, s = 20, alpha = 0.5",
                          "n = 1024, m = 8, s = 20, alpha = 0.5", "n = 1024, m = 16, s = 20, alpha = 0.5"));
  EXPECT_THAT(textsOf(named({"n=7", "m=5,5", "n=3"})), ElementsAre("n = 3, m = 5, s = 5, alpha = 2"));
}

TEST(Sizes, AFunctionOfConstantsHasOneChoiceWithoutNumbers) {
  const auto f = script::parseModule(tests::programText("one_store"), "test.py").value().functions.front();
  const auto choices = choicesOf({}, *f);
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_TRUE(choices[0].numbers.empty());
  Sizes s = named({"n=1"});
  EXPECT_THAT(s.check(*f).error().message.english(), HasSubstr("all of its shapes are constant"));
}

TEST(SizesRefused, WordsThatNameNothing) {
  expectRefused("n", "names no size");
  expectRefused("=4", "names no size");
  expectRefused("n=", "\"\" is no number for n");
  expectRefused("n=1,", "\"\" is no number for n");
  expectRefused("n=many", "\"many\" is no number for n");
  expectRefused("k=4", "no number k; its numbers are n, m, s, alpha");
  expectRefused("n=0", "less than 1");
  expectRefused("n=1.5", "no whole number");
  expectRefused("n=3000000000", "isn't between");
}

TEST(SizesRefused, MoreCombinationsThanCanBeChecked) {
  Sizes s = named({"n=1,2,3,4,5,6,7,8,9", "m=1,2,3,4,5,6,7,8"});
  EXPECT_THAT(s.check(*function()).error().message.english(), HasSubstr("more than 64 combinations"));
}

TEST(Sizes, DocumentsKeepThem) {
  Target target = openFunction(kProduct, "product.py").value();
  target.history.setSizes(named({"n=1000,1024", "alpha=0.5"}));
  const std::string text = writeDocument(target);
  EXPECT_THAT(text, HasSubstr("\"sizes\": {\"alpha\":[0.5],\"n\":[1000,1024]}"));
  const auto again = readDocument(text, "product.tileloom", {});
  ASSERT_TRUE(again) << again.error().message.english();
  EXPECT_EQ(again->history.sizes(), target.history.sizes());
  EXPECT_TRUE(again->remarks.empty());
}

TEST(SizesRefused, DocumentsWithSizesOfNoFunction) {
  Target target = openFunction(kProduct, "product.py").value();
  target.history.setSizes(named({"n=4"}));
  std::string text = writeDocument(target);
  auto with = [&](const std::string& sizes) {
    std::string other = text;
    const std::string was = "{\"n\":[4]}";
    return other.replace(other.find(was), was.size(), sizes);
  };
  for (const char* bad : {"[]", "{\"n\":4}", "{\"n\":[]}", "{\"n\":[\"4\"]}"})
    EXPECT_FALSE(readDocument(with(bad), "d", {})) << bad;
  const auto other = readDocument(with("{\"q\":[4]}"), "d", {});
  ASSERT_TRUE(other) << "one still gets at the document";
  ASSERT_EQ(other->remarks.size(), 1u);
  EXPECT_THAT(other->remarks[0], HasSubstr("no number q"));
}

TEST(Sizes, OneKernelTextLaunchedAtEachSize) {
  const Target target = openFunction(kProduct, "product.py").value();
  const auto& state = target.history.node(0).state;
  const auto a = makeKernel(state, {}, 0, named({"n=100", "m=8"})),
             b = makeKernel(state, {}, 0, named({"n=50", "m=8"}));
  ASSERT_FALSE(a.problem) << a.problem->message.english();
  EXPECT_EQ(a.source.text, b.source.text);
  EXPECT_EQ(a.source.buffers[0].bytes(), 3200);
  EXPECT_EQ(b.source.buffers[0].bytes(), 1600);
  EXPECT_EQ(a.source.launches[0].scalars.size(), 4u);
  EXPECT_NE(a.key, b.key) << "a time belongs to its size";
}

TEST(Kernel, NamesTheValuesOfInputsThatIndex) {
  auto module = script::parseModule(tests::programText("gather_of_shifted_rows"), "test.py");
  const KernelText text = makeKernel(schedule::State::create(*module).value());
  ASSERT_EQ(text.source.buffers.size(), 3u);
  EXPECT_FALSE(text.source.buffers[0].values);
  ASSERT_TRUE(text.source.buffers[1].values) << "a measured kernel would read outside of X";
  EXPECT_EQ(text.source.buffers[1].values->low, 40);
  EXPECT_EQ(text.source.buffers[1].values->high, 89);
}

}  // namespace
}  // namespace loom::document::sizes_test
