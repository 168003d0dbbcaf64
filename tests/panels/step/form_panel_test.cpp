// The form of the panel Step, by keyboard and mouse.
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/panels/code/view/code.h"
#include "app/panels/step/parameter_text.h"
#include "tests/document/scheduled.h"
#include "tests/gui/script.h"

namespace loom::window::step_form_panel_test {
namespace {

// Fills split's form: the loop k, and its factors as they are typed; the keyboard stays in the factors' field.
void fillSplit(ImGuiTestContext* ctx, const char* factors) {
  ctx->WindowFocus("//###step");
  ctx->SetRef("//###step");
  ctx->ItemClick("**/###split");
  ctx->ItemClick("$$0/###choices");
  yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); });
  ctx->ItemClick("//##Combo_00/$$2/###k");
  write(ctx, "$$1/###value", factors);
}

// A form that is proposed with values shows them, not empty fields.
TEST(TypedText, IsWhatIsReadAsTheValueAgain) {
  const document::Target target = document::scheduled("");
  const schedule::State& state = target.history.node(0).state;
  const schedule::Instruction& row = *schedule::findInstruction("annotate");
  const auto typed = [&](const char* name, const schedule::Value& value) {
    return panels::typedText(*std::ranges::find(row.parameters, name, &schedule::Parameter::name), value, state);
  };
  EXPECT_EQ(typed("ann_key", schedule::Value{std::string("pragma")}), "pragma") << "as it may be typed";
  EXPECT_EQ(typed("ann_val", schedule::Value{std::string("x")}), "\"x\"") << "anything may be a value";
  EXPECT_EQ(typed("ann_val", schedule::Value{std::int64_t(4)}), "4");
  const schedule::Value list{schedule::List{schedule::Value{std::int64_t(0)}, schedule::Value{std::int64_t(1)}}};
  EXPECT_EQ(typed("ann_val", list), "[0, 1]");
  EXPECT_EQ(typed("ann_val", schedule::Value{2.5}), "2.5");
}

TEST_F(Bench, EnterInAFieldOfTheFormApplies) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    fillSplit(ctx, "[None, 16]");
    IM_CHECK(!isDisabled(ctx, "###apply"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(modelOf(ctx).navigation().node().step()->source.find("[None, 16]") != std::string::npos);
  });
}

TEST_F(Bench, EnterAppliesAfterAChoiceWithTheMouse) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###unroll");
    ctx->ItemClick("$$0/###choices");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); }));
    ctx->ItemClick("//##Combo_00/$$2/###k");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
  });
}

TEST_F(Bench, EscapeClearsTheFormAndThenLeavesThePrimitive) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    fillSplit(ctx, "[None, 16]");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(isDisabled(ctx, "###apply"));
    fillSplit(ctx, "[None, 16]");
    ctx->ItemClick("###filter");  // elsewhere in the panel
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(isDisabled(ctx, "###apply"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!ctx->ItemExists("###apply"));
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
  });
}

TEST_F(Bench, FilterAndEnterChooseThePrimitiveByKeyboard) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    IM_CHECK(shows(ctx, "###step", "Cut a loop into a nest of shorter loops"));
    IM_CHECK(!shows(ctx, "###step", "shorter loops."));  // no sentence among phrases
    write(ctx, "###filter", "CUT A LOOP");
    IM_CHECK(ctx->ItemExists("**/###split"));  // in any case
    write(ctx, "###filter", "storage_al");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("###apply"));
    IM_CHECK(ctx->ItemExists("$$3/###value"));  // its fourth parameter: factor
  });
}

TEST_F(Bench, RefusalIsShownInTheFormAndTheStateStays) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    fillSplit(ctx, "[2, 16]");  // 32 of 1024
    IM_CHECK(isDisabled(ctx, "###apply"));
    IM_CHECK(shows(ctx, "###step", "The factors' product is 32, less than"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
    IM_CHECK(modelOf(ctx).problems().all().empty());
  });
}

TEST_F(Bench, FormHalfFilledSaysWhatIsMissing) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###split");
    write(ctx, "$$1/###value", "[None, 16]");
    IM_CHECK(isDisabled(ctx, "###apply"));
    IM_CHECK(shows(ctx, "###step", "Not chosen yet: loop"));
  });
}

TEST_F(Bench, ListOfChoicesSaysWhyOneIsRefused) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###parallel");
    ctx->ItemClick("$$0/###choices");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); }));
    ctx->SetRef("//##Combo_00");
    IM_CHECK(!isDisabled(ctx, "$$0/###i"));
    IM_CHECK(isDisabled(ctx, "$$2/###k"));  // a sum can't be shared by threads
    IM_CHECK(shows(ctx, "##Combo_00", "WrongBlockIterTypeError"));
  });
}

// Of a float16 product: what the nearest intrinsic lacks, not that a dot product of bytes differs.
TEST_F(Bench, TensorizeSaysWhatTheNearestIntrinsicLacks) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    const auto& nodes = model.navigation().node().state.tree().nodes();
    const auto loop = std::ranges::find_if(nodes, [](const auto& node) { return !node.isBlock; });
    model.selection().select({loop->id});
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemInputValue("###filter", "tensorize");
    ctx->ItemClick("**/###tensorize");
    ctx->ItemClick("$$1/###choices");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/###plan"); }));
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "##Combo_00", "f16f16f"));
    IM_CHECK(shows(ctx, "##Combo_00", "1024 × 1024 × 1024"));
    IM_CHECK(!shows(ctx, "##Combo_00", "dp4a"));
    ctx->ItemClick("//##Combo_00/###plan");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/###sections/###tensorcores"); }));
    ctx->ItemClick("//###plan/###sections/###tensorcores");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/###sections/###all"); }));
  });
}

TEST_F(Bench, ConsoleShowsLongLinesAndTheirRefusals) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    typeStep(ctx, "b_shared = sch.cache_read(sch.get_block(\"Z\"), 0, \"shared\")");
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    typeStep(ctx,
             "sch.split(sch.get_loops(sch.get_block(\"Z\"))[0], factors=[None, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], "
             "preserve_unit_iters=True, disable_predication=False, and_a_parameter_that_there_is_not=True)");
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(shows(ctx, "###console", "parameter and_a_parameter_that_there_is_not"));
  });
}

TEST_F(Bench, WhatIsTypedAfterARefusedLineTakesItsPlace) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    typeStep(ctx, "sch.unroll(nothing)");
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 0);
    ctx->Yield(4);
    ctx->KeyChars("sch.get_block(\"Z\")");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK(modelOf(ctx).problems().all().size() <= 1U);  // the first line's
    IM_CHECK(shows(ctx, "###console", "sch.get_block(\"Z\")"));
    // To mend the line instead, one goes into it.
    typeStep(ctx, "sch.unroll(sch.get_loops(sch.get_block(\"Y\"))[2])");
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 0);
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_LeftArrow);
    ctx->KeyPress(ImGuiKey_RightArrow, 41);
    ctx->KeyPress(ImGuiKey_Backspace);
    ctx->KeyChars("Z");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
  });
}

// Where the schedule says what no kernel does, the step, the loop and the line say so at once.
TEST_F(Bench, AnAnnotationThatReachesNoKernelIsMarkedWhereItIs) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    typeStep(ctx, "sch.annotate(sch.get_loops(sch.get_block(\"Z\"))[2], \"pragma_import_llvm\", 1)");
    IM_CHECK_EQ(model.navigation().node().number, 1);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    const auto program = model.programs().of(model.navigation().current());
    IM_CHECK_EQ(program->stepRemarks.size(), 1U);
    const std::string sentence = program->stepRemarks[0].text;
    ctx->WindowFocus("//###loopnest");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###loopnest", "! " + sentence));
    const auto& rows = session::nestOf(*program).rows;
    IM_CHECK_EQ(std::count_if(rows.begin(), rows.end(), [](const auto& r) { return !r.unheeded.empty(); }), 1);
    const auto& lines = session::textsOf(*program).scriptMeaning.unheeded;
    IM_CHECK_EQ(lines.size(), session::textsOf(*program).script.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      IM_CHECK_EQ(lines[i].size(),
                  session::textsOf(*program).script[i].find("pragma_import_llvm") != std::string::npos ? 1U : 0U);
    IM_CHECK(shows(ctx, "###history", "!"));
    IM_CHECK(shows(ctx, "###tvmscript", "!"));
    IM_CHECK_EQ(model.problems().all().size(), 1U);
    IM_CHECK_EQ(model.problems().all()[0].node, model.navigation().current());
    // The step after has brought nothing of it.
    typeStep(ctx, "sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[1])");
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    IM_CHECK_EQ(model.programs().of(model.navigation().current())->unheeded.size(), 1U);
    IM_CHECK(model.programs().of(model.navigation().current())->stepRemarks.empty());
    IM_CHECK(model.problems().all()[0].node != model.navigation().current());
  });
}

}  // namespace
}  // namespace loom::window::step_form_panel_test
