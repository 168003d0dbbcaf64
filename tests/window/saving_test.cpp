#include <imgui_internal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/panels/code/view/code.h"
#include "app/window/panel_capture.h"
#include "tests/gui/script.h"
#include "tests/report/markup.h"

namespace loom::window::saving_test {
namespace {

namespace fs = std::filesystem;

// Gone when the tests have ended.
struct SavedFolder {
  fs::path path = fs::temp_directory_path() / ("tileloom-saving-" + std::to_string(::getpid()));
  SavedFolder() { fs::create_directories(path); }
  ~SavedFolder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};
fs::path savedFolder() {
  static const SavedFolder folder;
  return folder.path;
}

// Answers the question for a file's name, with Enter.
void name(ImGuiTestContext* ctx, const fs::path& file) {
  ctx->Yield(2);
  ctx->SetRef("//###filename");
  ctx->ItemInputValue("###file", file.string().c_str());
}

bool written(ImGuiTestContext* ctx, const fs::path& file) {
  return yieldUntil(ctx, [&] { return fs::exists(file); });
}

TEST_F(Bench, APanelIsSavedAsSvgWithItsTextAndAsPng) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().goToChapter(5);
    IM_CHECK(
        yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(modelOf(ctx).navigation().current()) != nullptr; }));
    const fs::path svg = savedFolder() / "nest.svg", png = savedFolder() / "nest.png";
    ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###loopnest");
    name(ctx, svg);
    IM_CHECK(written(ctx, svg));
    const std::string text = contents(svg);
    IM_CHECK_STR_EQ(report::whyNotWellFormed(text).c_str(), "");
    IM_CHECK(text.find("Y_shared</text>") != std::string::npos);
    IM_CHECK(text.find("<rect") != std::string::npos);
    IM_CHECK_LT(text.size(), std::size_t(400000));
    ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###loopnest");
    name(ctx, png);
    IM_CHECK(written(ctx, png));
    IM_CHECK(contents(png).compare(1, 3, "PNG") == 0);
    const auto rect = panelRect("###loopnest");
    IM_CHECK(rect.has_value());
    const std::string bytes = contents(png);
    auto big = [&](std::size_t at) {
      return int(std::uint8_t(bytes[at + 2])) * 256 + int(std::uint8_t(bytes[at + 3]));
    };
    IM_CHECK_LE(std::abs(big(16) - int(rect->to.x - rect->from.x)), 1);
    IM_CHECK_LE(std::abs(big(20) - int(rect->to.y - rect->from.y)), 1);
  });
}

// The height of a PNG, px.
int heightOf(const std::string& png) {
  int height = 0;
  for (int i = 20; i < 24; ++i) height = height * 256 + int(std::uint8_t(png[std::size_t(i)]));
  return height;
}

TEST_F(Bench, APictureOfAPanelHasWhatOneWouldScrollTo) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    model.navigation().select(int(model.navigation().history().nodes().size()) - 1);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    ctx->WindowFocus("//###cuda");
    ctx->Yield(4);
    const auto shown = panelRect("###cuda");
    IM_CHECK(shown.has_value());
    const std::vector<std::string>& lines = session::textsOf(*model.programs().of(model.navigation().current())).cuda;
    IM_CHECK_GT(float(lines.size()) * ImGui::GetFontSize(), shown->to.y - shown->from.y);
    const fs::path svg = savedFolder() / "cuda.svg", png = savedFolder() / "cuda.png";
    ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###cuda");
    name(ctx, svg);
    IM_CHECK(written(ctx, svg));
    const std::string text = contents(svg);
    IM_CHECK_STR_EQ(report::whyNotWellFormed(text).c_str(), "");
    IM_CHECK(text.find("__global__") != std::string::npos);
    IM_CHECK(text.find(">" + std::to_string(lines.size()) + "</text>") != std::string::npos);
    ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###cuda");
    name(ctx, png);
    IM_CHECK(written(ctx, png));
    IM_CHECK_GT(heightOf(contents(png)), int(float(lines.size()) * ImGui::GetFontSize()));
    // The panel itself is as it was.
    ctx->Yield(4);
    const auto after = panelRect("###cuda");
    IM_CHECK(after && after->to.y == shown->to.y && after->from.y == shown->from.y);
  });
}

TEST_F(Bench, TheIterationSpaceIsSavedAsShapesWithItsAxes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().goToChapter(3);
    IM_CHECK(
        yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(modelOf(ctx).navigation().current()) != nullptr; }));
    ctx->WindowFocus("//###iterations");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###iterations/picture"); }));
    const fs::path svg = savedFolder() / "space.svg";
    ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###iterations");
    name(ctx, svg);
    IM_CHECK(written(ctx, svg));
    const std::string text = contents(svg);
    IM_CHECK_STR_EQ(report::whyNotWellFormed(text).c_str(), "");
    for (const char* axis : {"i 1024</text>", "j 1024</text>", "k 1024</text>"}) {
      IM_CHECK(text.find(axis) != std::string::npos);
    }
    // 64 blocks: on each of the three sides 8 of them at least.
    std::size_t shapes = 0;
    for (std::size_t at = text.find("<path"); at != std::string::npos; at = text.find("<path", at + 1)) ++shapes;
    IM_CHECK_GE(shapes, std::size_t(24));
    IM_CHECK(text.find("<image") == std::string::npos);
    IM_CHECK_LT(text.size(), std::size_t(1000000));
  });
}

TEST_F(Bench, ReportAndTableAreWrittenFromTheMenu) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().goToChapter(3);
    const fs::path page = savedFolder() / "r.html", table = savedFolder() / "t.csv";
    ctx->MenuClick("//##MainMenuBar/###file/###export/###report");
    name(ctx, page);
    IM_CHECK(written(ctx, page));
    IM_CHECK_STR_EQ(report::whyNotWellFormed(contents(page)).c_str(), "");
    ctx->MenuClick("//##MainMenuBar/###file/###export/###csv");
    name(ctx, table);
    IM_CHECK(written(ctx, table));
    IM_CHECK(contents(table).rfind("step,", 0) == 0);
  });
}

TEST_F(Bench, ThePictureOfTheWindowAsksForItsName) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->MenuClick("//##MainMenuBar/###file/###picture");
    ctx->Yield(2);
    ctx->SetRef("//###filename");
    ctx->ItemClick("###cancel");
    IM_CHECK(!fs::exists("tileloom.png"));
    ctx->MenuClick("//##MainMenuBar/###file/###picture");
    name(ctx, savedFolder() / "window.png");
    IM_CHECK(written(ctx, savedFolder() / "window.png"));
    // The file's head says how large its picture is: as large as the window.
    const std::string png = contents(savedFolder() / "window.png");
    IM_CHECK_EQ(png.substr(1, 3), std::string("PNG"));
    const auto sizeAt = [&](std::size_t at) {
      int size = 0;
      for (std::size_t i = at; i < at + 4; ++i) size = size * 256 + static_cast<unsigned char>(png[i]);
      return size;
    };
    IM_CHECK_EQ(sizeAt(16), int(ImGui::GetIO().DisplaySize.x));
    IM_CHECK_EQ(sizeAt(20), int(ImGui::GetIO().DisplaySize.y));
  });
}

TEST_F(Bench, WhatIsThereAlreadyIsReplacedOnlyWhenAskedFor) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().goToChapter(3);
    const fs::path table = savedFolder() / "there.csv";
    std::ofstream(table) << "mine";
    ctx->MenuClick("//##MainMenuBar/###file/###export/###csv");
    name(ctx, table);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(contents(table).c_str(), "mine");
    IM_CHECK(ctx->ItemExists("###replace"));
    IM_CHECK(shows(ctx, "###filename", "there.csv is there already. Replace it?"));
    ctx->ItemClick("###cancel");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(contents(table).c_str(), "mine");
    ctx->MenuClick("//##MainMenuBar/###file/###export/###csv");
    name(ctx, table);
    ctx->Yield(3);
    ctx->ItemInputValue("###file", (savedFolder() / "other.csv").string().c_str());  // another name: nothing to ask
    IM_CHECK(written(ctx, savedFolder() / "other.csv"));
    ctx->MenuClick("//##MainMenuBar/###file/###export/###csv");
    name(ctx, table);
    ctx->Yield(3);
    ctx->ItemClick("###replace");
    IM_CHECK(yieldUntil(ctx, [&] { return contents(table).rfind("step,", 0) == 0; }));
  });
}

TEST(PanelPicture, IsCutAtTheEdgesOfTheWindow) {
  Image picture{4, 3, {}};
  for (int i = 0; i < 12; ++i) picture.rgb.insert(picture.rgb.end(), 3, std::uint8_t(i));
  const Image inside = cropped(picture, {{1, 1}, {3, 2}}, {1, 1});
  EXPECT_EQ(inside.width, 2);
  EXPECT_EQ(inside.rgb, (std::vector<std::uint8_t>{5, 5, 5, 6, 6, 6}));
  const Image over = cropped(picture, {{2, -5}, {90, 90}}, {1, 1});
  EXPECT_EQ(over.width, 2);
  EXPECT_EQ(over.height, 3);
  EXPECT_TRUE(cropped(picture, {{9, 9}, {20, 20}}, {1, 1}).rgb.empty());
}

}  // namespace
}  // namespace loom::window::saving_test
