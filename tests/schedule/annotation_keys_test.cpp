// What the form of annotate offers.
#include "core/schedule/annotation_keys.h"

#include <gmock/gmock.h>

#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::annotation_keys_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class AnnotationForm : public testing::Test {
 protected:
  static std::vector<std::string> texts(const std::vector<Candidate>& all) {
    std::vector<std::string> found;
    for (const Candidate& c : all) {
      EXPECT_FALSE(c.refusal) << c.text << ": " << c.refusal->message.english();
      found.push_back(c.text);
    }
    return found;
  }
  std::vector<std::string> offered(const char* primitive, std::vector<Value> before) const {
    return texts(candidates(state_, *findInstruction(primitive), before, Environment{}));
  }
  Value node(bool block, const std::string& name) const {
    for (const auto& n : state_.tree().nodes()) {
      if (n.isBlock != block) continue;
      if (block && state_.tree().block(n.id)->name == name) return Value{Handle(BlockRef{n.id})};
      if (!block && state_.tree().loop(n.id)->var->name == name) return Value{Handle(LoopRef{n.id})};
    }
    throw std::runtime_error("there is no " + name);
  }
  const State state_ =
      State::create(script::parseModule("from tvm.script import tir as T\n\n\n" +
                                            tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}),
                                        "program.py")
                        .value())
          .value();
};

TEST_F(AnnotationForm, OffersKeysOfBlocksAndOfLoops) {
  const auto ofBlock = offered("annotate", {node(true, "Z")}), ofLoop = offered("annotate", {node(false, "k")});
  EXPECT_THAT(ofBlock, Contains("\"tileloom.copy\""));
  EXPECT_THAT(ofBlock, Not(Contains("\"software_pipeline_stage\"")));
  EXPECT_THAT(ofLoop, Contains("\"software_pipeline_stage\""));
  EXPECT_THAT(ofLoop, Not(Contains("\"tileloom.copy\"")));
}

TEST_F(AnnotationForm, OffersValuesOfTheKey) {
  EXPECT_THAT(offered("annotate", {node(true, "Z"), Value{std::string("tileloom.swizzle")}}),
              ElementsAre("128", "64", "32"));
  EXPECT_THAT(offered("annotate", {node(true, "Z"), Value{std::string("tileloom.copy")}}), ElementsAre("\"tma\"", "\"bulk\""));
  EXPECT_THAT(offered("annotate", {node(false, "k"), Value{std::string("software_pipeline_stage")}}), Contains("[2]"));
  EXPECT_THAT(offered("annotate", {node(true, "Z"), Value{std::string("a note")}}), ElementsAre());
}

TEST_F(AnnotationForm, OffersToTakeAwayWhatIsThere) {
  EXPECT_THAT(offered("unannotate", {node(true, "Z")}), ElementsAre());
}

}  // namespace
}  // namespace loom::schedule::annotation_keys_test
