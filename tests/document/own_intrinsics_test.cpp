#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/document/export.h"
#include "core/document/file.h"
#include "core/document/open_text.h"
#include "core/document/own_intrinsics.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document::own_intrinsics_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using json = nlohmann::ordered_json;

// A product whose accumulators an intrinsic of the text's own zeroes.
std::string textOf(const std::string& name) { return tests::programText("own_zero_tile", {{"NAME", name}}); }

Target opened(const std::string& text, const std::string& file = "own.py") {
  auto target = openText(text, file, environment());
  if (!target) throw std::runtime_error(target.error().message.english());
  if (target->refusal) throw std::runtime_error(target->refusal->message.english());
  return std::move(*target);
}

const std::string& shownText(const Target& t) { return t.history.node(t.history.current()).script->text; }

TEST(OwnIntrinsics, ADocumentKeepsThem) {
  const Target t = opened(textOf("zero.tile 1"));
  ASSERT_THAT(shownText(t), HasSubstr("T.tvm_fill_fragment("));
  EXPECT_THAT(t.remarks, IsEmpty());
  const std::string text = writeDocument(t);
  auto back = readDocument(text, "d.tileloom", environment());
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_FALSE(back->refusal) << back->refusal->message.english();
  EXPECT_THAT(back->remarks, IsEmpty());
  ASSERT_EQ(back->history.nodes().size(), t.history.nodes().size());
  for (std::size_t i = 0; i < t.history.nodes().size(); ++i)
    EXPECT_EQ(back->history.node(int(i)).script->text, t.history.node(int(i)).script->text) << i;
  EXPECT_EQ(writeDocument(*back), text);
}

TEST(OwnIntrinsics, LaterStepsAndEditsKnowThem) {
  auto back = readDocument(writeDocument(opened(textOf("zero_tile"))), "d.tileloom", environment()).value();
  const schedule::Environment all = environmentOf(back, environment());
  const int end = back.history.current(), before = back.history.node(end).parent;
  EXPECT_TRUE(back.history.preview(before, "sch.tensorize(first, \"zero_tile\")", all));
  EXPECT_FALSE(back.history.preview(before, "sch.tensorize(first, \"zero_tile\")", environment()));
  auto edited = back.history.edit(1, back.history.node(1).step()->source, all);
  ASSERT_TRUE(edited) << edited.error().message.english();
  EXPECT_THAT(edited->broken, IsEmpty());
}

TEST(OwnIntrinsics, PythonRegistersThem) {
  const Target t = opened(textOf("zero.tile 1"));
  const std::string python = pythonFile(t, t.history.current());
  EXPECT_THAT(python, HasSubstr("tir.TensorIntrin.register(\"zero.tile 1\", zero_tile_1_desc, zero_tile_1_impl, "
                                "override=True)\n"));
  EXPECT_EQ(shownText(opened(python, "again.py")), shownText(t));
}

TEST(OwnIntrinsics, OneOfAShippedNameIsUsedInItsPlace) {
  const std::string shipped = environment().intrinsics->names().front();
  const Target t = opened(textOf(shipped));
  auto back = readDocument(writeDocument(t), "d.tileloom", environment());
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_FALSE(back->refusal);
  EXPECT_EQ(shownText(*back), shownText(t));
}

TEST(OwnIntrinsicsRefusals, NameThePlaceInTheDocument) {
  const json good = json::parse(writeDocument(opened(textOf("zero_tile"))));
  auto refused = [&](const json& intrinsics) {
    json damaged = good;
    damaged["intrinsics"] = intrinsics;
    auto none = readDocument(damaged.dump(), "d.tileloom", environment());
    EXPECT_FALSE(none);
    return none ? std::string() : none.error().message.english();
  };
  const json own = good.at("intrinsics");
  ASSERT_EQ(own.size(), 1u);
  const std::string text = own[0].at("text").get<std::string>();
  EXPECT_THAT(refused("zero_tile"), HasSubstr("/intrinsics is the text"));
  EXPECT_THAT(refused(json::array({{{"name", "zero_tile"}}})), HasSubstr("/intrinsics/0/text is missing"));
  EXPECT_THAT(refused(json::array({{{"name", "x"}, {"text", "what"}}})), HasSubstr("/intrinsics/0/text, line 1: "));
  EXPECT_THAT(refused(json::array({{{"name", "x"}, {"text", text.substr(text.rfind("@T.prim_func"))}}})),
              HasSubstr("/intrinsics/0/text: expected two functions, a description and an implementation; found 1"));
}

}  // namespace
}  // namespace loom::document::own_intrinsics_test
