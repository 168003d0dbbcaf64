#include "app/pictures/scenes.h"

#include <imgui.h>

#include <sstream>
#include <string>
#include <string_view>

#include "app/window/shell.h"

namespace loom::window {
namespace {

constexpr text::Language kEn = text::Language::kEnglish;
constexpr text::Language kZh = text::Language::kChinese;

constexpr const char* kBranch =
    "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n"
    "k0, k1 = sch.split(k, [None, 16])\n"
    "sch.bind(k0, \"threadIdx.x\")\n"
    "sch.reorder(i, nowhere)\n"
    "sch.unroll(k1)";

constexpr const char* kSeveral =
    "sch.split(sch.get_loops(sch.get_block(\"Z\"))[0], [3, 5])\n"
    "sch.tensorize(sch.get_block(\"Z\"), \"wmma_sync_16x16x16_f16f16f32\")\n"
    "import os\n"
    "sch.compute_inline(sch.get_block(\"Z\"))";

constexpr const char* kLong =
    "b_shared = sch.cache_read(sch.get_block(\"Z\"), 0, \"shared\")\n"
    "sch.compute_at(b_shared, sch.get_loops(sch.get_block(\"Z\"))[2], preserve_unit_loops=True)\n"
    "fused = sch.fuse(*sch.get_loops(b_shared)[-2:], preserve_unit_iters=True)\n"
    "f0, f1, f2, f3 = sch.split(fused, factors=[None, 8, 32, 8], preserve_unit_iters=True)";

using Ask = Scene::Ask;

// Of the Tensor Core lesson's 17 chapters, as the share of the last one's index.
constexpr double kMiddle = 5.0 / 16;     // Y goes to shared memory
constexpr double kFragments = 8.0 / 16;  // Copies in tiles of 16

constexpr Scene kScenes[] = {
    {"start_en", kEn, Theme::kDark, 0},
    {"middle_en", kEn, Theme::kDark, kMiddle},
    {"middle_zh", kZh, Theme::kDark, kMiddle},
    {"end_zh", kZh, Theme::kDark, 1},
    {"end_light", kEn, Theme::kLight, 1},
    {"links_en", kEn, Theme::kDark, kMiddle, 100, "", "", "X_shared"},
    {"links_zh", kZh, Theme::kLight, 1, 100, "", "", "Z_wmma.accumulator_o"},
    {"large_en", kEn, Theme::kDark, kMiddle, 200},
    {"large_zh", kZh, Theme::kLight, kFragments, 200},
    {"matmul_en", kEn, Theme::kDark, 0, 100, "", "", "", Ask::kMatmul},
    {"matmul_zh", kZh, Theme::kLight, 0, 100, "", "", "", Ask::kMatmul},
    {"console_en", kEn, Theme::kDark, 0, 100, "", "", "", Ask::kConsole},
    {"console_zh", kZh, Theme::kDark, 0, 100, "", "", "", Ask::kConsole},
    {"refused_en", kEn, Theme::kDark, 0, 100, "", kBranch},
    {"refused_zh", kZh, Theme::kLight, 0, 100, ""},
    {"problems_en", kEn, Theme::kDark, 0, 100, "", kSeveral},
    {"problems_zh", kZh, Theme::kDark, 0, 100, "", kBranch},
    {"cuda_cores_start_en", kEn, Theme::kDark, 0, 100, "cuda_cores"},
    {"cuda_cores_start_zh", kZh, Theme::kDark, 0, 100, "cuda_cores"},
    {"cuda_cores_end_en", kEn, Theme::kDark, 1, 100, "cuda_cores"},
    {"cuda_cores_end_zh", kZh, Theme::kLight, 1, 100, "cuda_cores"},
    {"threads_en", kEn, Theme::kDark, 1, 100, "tensor_core", "", "", Ask::kNothing, "threads"},
    {"threads_zh", kZh, Theme::kLight, kMiddle, 100, "tensor_core", "", "", Ask::kNothing, "threads"},
    {"playback_en", kEn, Theme::kDark, 1, 100, "tensor_core", "", "", Ask::kNothing, "playback"},
    {"playback_zh", kZh, Theme::kLight, 1, 200, "tensor_core", "", "", Ask::kNothing, "playback"},
    {"pictures_en", kEn, Theme::kDark, kMiddle, 100, "tensor_core", "", "", Ask::kNothing, "tvmscript", "pictures"},
    {"pictures_zh", kZh, Theme::kLight, 1, 100, "tensor_core", "", "", Ask::kNothing, "tvmscript", "pictures"},
    {"machine_en", kEn, Theme::kDark, 1, 100, "tensor_core", "", "", Ask::kNothing, "sass", "machine"},
};

void selectBlock(session::Session& model, const std::string& name) {
  const auto& tree = model.navigation().node().state.tree();
  for (const auto& node : tree.nodes()) {
    if (node.isBlock && tree.block(node.id)->name == name) model.selection().select({node.id});
  }
}

}  // namespace

std::span<const Scene> scenes() { return kScenes; }

void set(Workbench& workbench, const Scene& scene) {
  session::Session& model = workbench.model();
  workbench.settings().language = scene.language;
  workbench.settings().theme = scene.theme;
  workbench.settings().reducedMotion = true;  // a picture has no time to wait for what glides
  if (workbench.settings().scalePercent != scene.scale || workbench.layouts().arranged() != scene.layout) {
    workbench.layouts().reset(*arrangementOf(scene.layout));
  }
  workbench.settings().scalePercent = scene.scale;
  workbench.dialogs().close();
  model.selection().select({});
  const auto chapters = static_cast<double>(model.documents().target()->chapterNodes.size());
  if (chapters > 0) model.navigation().goToChapter(static_cast<int>(scene.chapter * (chapters - 1) + 0.5));
  std::istringstream lines(scene.lines);
  for (std::string line; std::getline(lines, line);) model.edits().apply(line);
  if (*scene.block != 0) selectBlock(model, scene.block);
  workbench.showPanel(scene.ask == Scene::Ask::kConsole ? "console" : "problems");
  workbench.frame();  // one panel a frame comes to the front
  workbench.showPanel(scene.panel);
  // A panel that comes to the front would close the question over it.
  workbench.frame();
  if (scene.ask == Scene::Ask::kMatmul) workbench.dialogs().show(FileDialogs::Kind::kMatmul, model);
  if (scene.ask == Scene::Ask::kConsole) workbench.propose(kLong);
}

}  // namespace loom::window
