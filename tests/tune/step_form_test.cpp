#include "core/tune/step_form.h"

#include <gtest/gtest.h>

#include <map>

#include "core/document/matmul_function.h"
#include "core/document/target.h"

namespace loom::session::step_form_test {
namespace {

using schedule::Handle;
using schedule::Value;

class Form : public testing::Test {
 protected:
  Form() {
    auto text = document::matmulFunction({64, 48, 32});
    auto target = document::openFunction(*text, "matmul");
    history_ = std::make_unique<document::History>(std::move(target->history));
  }

  const schedule::State& state() const { return history_->node(history_->current()).state; }
  Value node(const std::string& name) const {
    for (const tune::NamedNode& named : tune::namedNodes(state())) {
      if (named.name == name) {
        return named.isBlock ? Value{Handle(schedule::BlockRef{named.id})} : Value{Handle(schedule::LoopRef{named.id})};
      }
    }
    ADD_FAILURE() << name;
    return {};
  }
  tune::StepForm split(const std::string& loop, std::int64_t inner) const {
    tune::StepForm form(*schedule::findInstruction("split"));
    form.values[0] = node(loop);
    form.values[1] = Value{schedule::List{Value{}, Value{inner}}};
    return form;
  }
  std::string lines(const tune::StepForm& form) const {
    auto lines = tune::stepLines(*history_, history_->current(), form);
    return lines ? *lines : lines.error().code;
  }
  void apply(const std::string& text) {
    auto applied = history_->apply(history_->current(), text, {});
    ASSERT_TRUE(applied && !applied->refusal);
    history_->select(applied->node);
  }

  std::unique_ptr<document::History> history_;
};

TEST_F(Form, LoopsWithoutNamesAreNamedFirst) {
  EXPECT_EQ(lines(split("i", 16)),
            "b_Z = sch.get_block(\"Z\")\ni, j, k = sch.get_loops(b_Z)\ni_0, i_1 = sch.split(i, [None, 16])");
}

TEST_F(Form, ItsLinesCanBeApplied) {
  apply(lines(split("k", 8)));
  EXPECT_EQ(history_->node(history_->current()).number, 1);
}

TEST_F(Form, NamesOfTheScheduleAreUsedAgain) {
  apply("Z = sch.get_block(\"Z\")\nx, y, z = sch.get_loops(Z)\nouter, inner = sch.split(x, [None, 16])");
  EXPECT_EQ(lines(split("j", 4)), "j_0, j_1 = sch.split(y, [None, 4])");
  tune::StepForm unroll(*schedule::findInstruction("unroll"));
  unroll.values[0] = node("i_1");
  EXPECT_EQ(lines(unroll), "sch.unroll(inner)");
}

TEST_F(Form, FreshNamesDoNotHideTheSchedulesOwn) {
  apply("i_0 = sch.get_block(\"Z\")");
  EXPECT_NE(lines(split("i", 16)).find("i_0_1, i_1 = "), std::string::npos) << lines(split("i", 16));
}

TEST_F(Form, DefaultsAreLeftOutAndOthersGoByName) {
  tune::StepForm form = split("i", 16);
  form.values[3] = Value{true};
  EXPECT_NE(lines(form).find("[None, 16], disable_predication=True)"), std::string::npos) << lines(form);
}

TEST_F(Form, VariadicLoopsAreArguments) {
  tune::StepForm form(*schedule::findInstruction("reorder"));
  form.values[0] = Value{schedule::List{node("j"), node("i")}};
  EXPECT_NE(lines(form).find("sch.reorder(j, i)"), std::string::npos) << lines(form);
}

TEST_F(Form, IncompleteFormGivesNoLine) {
  tune::StepForm form(*schedule::findInstruction("split"));
  EXPECT_EQ(form.missing(), 0);
  EXPECT_EQ(form.before(1), std::nullopt);
  EXPECT_EQ(lines(form), "ValueError");
  EXPECT_EQ(lines(tune::StepForm{}), "ValueError");
}

TEST_F(Form, TakesWhatIsSelectedWhereItIsWhatThePrimitiveIsOf) {
  std::map<std::string, ir::Id> ids;
  for (const tune::NamedNode& named : tune::namedNodes(state())) ids[named.name] = named.id;
  tune::StepForm unroll(*schedule::findInstruction("unroll")), twice = unroll;
  EXPECT_FALSE(twice.take(state(), {}));
  EXPECT_FALSE(twice.take(state(), {ids["Z"]})) << "a block is no loop";
  EXPECT_FALSE(twice.take(state(), {ids["i"], ids["j"]})) << "which of them?";
  EXPECT_TRUE(unroll.take(state(), {ids["k"]}));
  EXPECT_EQ(unroll.missing(), -1);
  tune::StepForm fuse(*schedule::findInstruction("fuse"));
  EXPECT_FALSE(fuse.take(state(), {ids["i"]}));
  EXPECT_TRUE(fuse.take(state(), {ids["i"], ids["j"]}));
  EXPECT_EQ(fuse.values[0]->as<schedule::List>()->size(), 2U);
  tune::StepForm read(*schedule::findInstruction("cache_read"));
  EXPECT_FALSE(read.take(state(), {ids["k"]}));
  EXPECT_TRUE(read.take(state(), {ids["Z"]}));
}

TEST_F(Form, LoopsThatAreGoneMustBeChosenAgain) {
  tune::StepForm form = split("i", 16);
  apply(lines(form));
  form.forgetDead(state());
  EXPECT_EQ(form.missing(), 0);
}

TEST_F(Form, PreviewRefusesWhatApplyWouldRefuse) {
  tune::StepForm form(*schedule::findInstruction("split"));
  form.values[0] = node("i");
  form.values[1] = Value{schedule::List{Value{std::int64_t{2}}, Value{std::int64_t{3}}}};
  auto next = tune::previewLines(*history_, 0, lines(form), {});
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().primitive, "split");
  EXPECT_EQ(history_->nodes().size(), 1U) << "a preview leaves no trace";
}

TEST(FormValue, ReadsLiteralsOnly) {
  EXPECT_EQ(tune::parseValue("3")->as<std::int64_t>() != nullptr, true);
  EXPECT_TRUE(tune::parseValue("None")->isNone());
  EXPECT_EQ(tune::parseValue("[None, 16]")->as<schedule::List>()->size(), 2U);
  EXPECT_FALSE(tune::parseValue("open('file')"));
  EXPECT_FALSE(tune::parseValue("[1, "));
  EXPECT_FALSE(tune::parseValue(""));
  EXPECT_FALSE(tune::parseValue("1\ny = 2"));
}

}  // namespace
}  // namespace loom::session::step_form_test
