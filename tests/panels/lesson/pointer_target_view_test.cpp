#include "app/panels/code/view/code.h"
#include "app/panels/lesson/view/pointer_target.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/memory/view/memory.h"
#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/view/view_makers.h"
#include "app/session/state_model.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::lesson_pointer_target_view_test {
namespace {

using document::Pointer;

const std::filesystem::path kAssets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";

std::vector<Pointer> pointersOf(std::string_view text) {
  std::vector<Pointer> all;
  while (!text.empty()) {
    const auto found = document::pointerAt(text);
    if (found) all.push_back(found->pointer);
    text.remove_prefix(found ? found->length : 1);
  }
  return all;
}

// The statement and the picture that Thread binding would show.
void expectPicture(const PointerTarget& place, const Program& of, const std::string& where) {
  std::shared_ptr<const device::Program> program(&*of.kernel.program, [](const device::Program*) {});
  const ThreadBinding binding(std::move(program));
  const auto& all = binding.accesses().accesses;
  BindingChoice choice;
  choice.access = binding.firstAccess();
  if (!place.buffer.empty()) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const model::Access& access) {
      return access.buffer->name == place.buffer && access.write == place.write;
    });
    ASSERT_NE(found, all.end()) << where;
    choice.access = int(found - all.begin());
  }
  const BindingView view = binding.view(binding.clamped(choice));
  const bool banks = view.request && !view.request->phases.empty();
  EXPECT_TRUE(place.part != "lanes" || (view.lanes && !view.lanes->rows.empty())) << where;
  EXPECT_TRUE(place.part != "fragment" || view.fragment) << where;
  EXPECT_TRUE(place.part != "banks" || banks) << where;
  EXPECT_TRUE(place.part != "sectors" || (view.request && !banks)) << where;
}

TEST(Pointers, OfEveryLessonLeadSomewhereInEveryLanguage) {
  auto library = intrin::Library::load(kAssets / "intrinsics");
  ASSERT_TRUE(library);
  const schedule::Environment environment{&*library};
  for (const std::string& name : document::lessonNames(kAssets)) {
    auto lesson = document::loadLesson(kAssets / "lessons" / name);
    ASSERT_TRUE(lesson) << lesson.error().message.english();
    auto target = document::openLesson(*lesson, environment);
    ASSERT_TRUE(target) << target.error().message.english();
    for (std::size_t c = 0; c < lesson->chapters.size(); ++c) {
      const document::Chapter& chapter = lesson->chapters[c];
      const auto program = programOf(programInput(target->history, target->chapterNodes[c]), viewMakers());
      const MemoryView memory = memoryOf(stateModelOf(program->kernel, {}));
      const auto english = pointersOf(chapter.text.at("en"));
      EXPECT_FALSE(english.empty()) << name << " " << chapter.id << " points at nothing";
      EXPECT_EQ(english.size(), pointersOf(chapter.text.at("zh")).size()) << name << " " << chapter.id;
      for (const auto& [language, text] : chapter.text) {
        for (const Pointer& pointer : pointersOf(text)) {
          const std::string where =
              name + " " + chapter.id + " " + language + ": " + pointer.panel + "/" + pointer.target;
          const auto place = placeOf(pointer, *program);
          ASSERT_TRUE(place) << where << ": " << place.error().message.english();
          if (place->panel == "threads") expectPicture(*place, *program, where);
          if (place->panel == "memory" && !place->ids.empty()) {
            EXPECT_TRUE(std::any_of(memory.buffers.begin(), memory.buffers.end(), [&](const MemoryBuffer& buffer) {
              return buffer.name == place->part;
            })) << where;
          }
        }
      }
    }
  }
}

class PlaceOf : public testing::Test {
 protected:
  static std::shared_ptr<const Program> product(const std::string& lines) {
    document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
    auto applied = history.apply(0, lines, {});
    return programOf(programInput(history, applied->node), viewMakers());
  }
  std::string problem(const Pointer& pointer) const {
    const auto place = placeOf(pointer, *program_);
    return place ? "" : place.error().code + ": " + place.error().message.english();
  }
  const std::shared_ptr<const Program> program_ = product(tests::scheduleText("shared_operand"));
};

TEST_F(PlaceOf, NamesWhatIsSelected) {
  const auto loop = placeOf({"loopnest", "k"}, *program_);
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop->ids.size(), 1U);
  const int row = nestOf(*program_).find(loop->ids[0]);
  ASSERT_GE(row, 0);
  EXPECT_EQ(nestOf(*program_).rows[std::size_t(row)].name, "k");
  const auto line = placeOf({"tvmscript", "blockIdx.x"}, *program_);
  ASSERT_TRUE(line);
  EXPECT_NE(textsOf(*program_).script[std::size_t(line->line)].find("blockIdx.x"), std::string::npos);
  EXPECT_FALSE(line->ids.empty());
  EXPECT_EQ(placeOf({"performance", "advice"}, *program_)->part, program_->kernel.problem ? "" : "advice");
}

TEST_F(PlaceOf, RefusesWhatTheStateHasNot) {
  EXPECT_EQ(problem({"loopnest", "k_0"}), "NoSuchPlace: There is no loop or block \"k_0\"");
  EXPECT_EQ(problem({"tvmscript", "threadIdx.x"}), "NoSuchPlace: No line of the code has \"threadIdx.x\"");
  EXPECT_EQ(problem({"memory", "W"}), "NoSuchPlace: There is no buffer \"W\"");
  EXPECT_EQ(problem({"threads", "write/X/sectors"}), "NoSuchPlace: No statement writes X");
  EXPECT_EQ(problem({"threads", "read/X/banks"}), "NoSuchPlace: X has no banks");
  EXPECT_EQ(problem({"threads", "read/X_shared/sectors"}), "NoSuchPlace: X_shared has no sectors");
}

TEST_F(PlaceOf, AsksForAKernelWhereThereIsNone) {
  Program none = *program_;
  none.kernel.problem = Error{};
  for (const Pointer& pointer : {Pointer{"cuda", "for"}, {"threads", "grid"}, {"performance", "occupancy"}}) {
    const auto place = placeOf(pointer, none);
    ASSERT_FALSE(place) << pointer.panel;
    EXPECT_EQ(place.error().message.english(), "The state is no kernel");
  }
  EXPECT_TRUE(placeOf({"performance", "steps"}, none));
}

}  // namespace
}  // namespace loom::session::lesson_pointer_target_view_test
