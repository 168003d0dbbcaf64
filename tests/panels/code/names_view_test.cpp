#include "app/panels/code/view/names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"

namespace loom::session::code_names_view_test {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";

// The Tensor Core lesson at the end of a chapter.
std::shared_ptr<const Program> chapterEnd(std::size_t chapter) {
  static const auto library = intrin::Library::load(kAssets / "intrinsics");
  const schedule::Environment environment{&*library};
  static const auto target =
      document::openLesson(*document::loadLesson(kAssets / "lessons" / "tensor_core"), environment);
  return programOf(programInput(target->history, target->chapterNodes.at(chapter)), viewMakers());
}

// The first word of that name on the first line that has `line`.
const CodeName* wordAt(const CodeNames& names, const std::vector<std::string>& lines, const std::string& line,
                       const std::string& word) {
  const auto found =
      std::ranges::find_if(lines, [&](const auto& text) { return text.find(line) != std::string::npos; });
  if (found == lines.end()) return nullptr;
  return names.at(int(found - lines.begin()), int(found->find(word)));
}

struct Script {
  explicit Script(std::size_t chapter) : program(chapterEnd(chapter)) {
    names = namesOfScript(*program->script, textsOf(*program).script, program->kernel.function, nestOf(*program));
  }
  const CodeName* at(const std::string& line, const std::string& word) const {
    return wordAt(names, textsOf(*program).script, line, word);
  }
  std::shared_ptr<const Program> program;
  CodeNames names;
};

TEST(CodeNames, LoopIsKnownInItsHeaderAndWhereItIsUsed) {
  const Script script(3);
  const CodeName* header = script.at("for i_0_0_j_0_0_fused", "i_0_0_j_0_0_fused");
  const CodeName* use = script.at("vi_o = T.axis", "i_0_0_j_0_0_fused");
  ASSERT_NE(header, nullptr);
  EXPECT_EQ(header, use);
  EXPECT_EQ(header->what, CodeName::What::kLoop);
  ASSERT_GE(header->row, 0);
  const NestRow& loop = nestOf(*script.program).rows[std::size_t(header->row)];
  EXPECT_EQ(loop.axis, HardwareAxis::kBlock);
  EXPECT_EQ(loop.extent, 64);
}

TEST(CodeNames, OfTwoLoopsOfOneNameTheInnermostAroundTheLineIsMeant) {
  const Script script(5);  // both shared copies have an ax0_ax1_fused_0
  std::vector<ir::Id> loops;
  for (std::size_t i = 0; i < textsOf(*script.program).script.size(); ++i) {
    const std::size_t at = textsOf(*script.program).script[i].find("ax0_ax1_fused_0 * ");
    const CodeName* name = at == std::string::npos ? nullptr : script.names.at(int(i), int(at));
    if (name != nullptr && (loops.empty() || loops.back() != name->id)) loops.push_back(name->id);
  }
  EXPECT_EQ(loops.size(), 2U);
}

TEST(CodeNames, BufferSaysShapeTypeAndScope) {
  const Script script(4);
  const CodeName* copy = script.at("X_shared[v0, v1] = X[v0, v1]", "X_shared");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->what, CodeName::What::kBuffer);
  EXPECT_EQ(copy->scope, "shared");
  EXPECT_EQ(copy->dtype, "float16");
  EXPECT_EQ(copy->shape, (std::vector<std::string>{"1024", "1024"}));
  EXPECT_EQ(copy->bytes, 2.0 * 1024 * 1024);
  const CodeName* parameter = script.at("X_shared[v0, v1] = X[v0, v1]", "X[v0");
  ASSERT_NE(parameter, nullptr);
  EXPECT_EQ(parameter->scope, "global");
}

TEST(CodeNames, MatchedBufferIsTheOneOfItsOwnBlock) {
  const Script script(13);  // every tensorized block calls its operands A, B, C
  std::vector<ir::Id> seen;
  for (std::size_t i = 0; i < textsOf(*script.program).script.size(); ++i) {
    const std::size_t at = textsOf(*script.program).script[i].find("C = T.match_buffer");
    if (at == std::string::npos) continue;
    const CodeName* name = script.names.at(int(i), int(at));
    ASSERT_NE(name, nullptr);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), name->id), 0);
    seen.push_back(name->id);
  }
  EXPECT_GE(seen.size(), 4U);
}

TEST(CodeNames, AxisSaysItsBlockKindExtentAndValue) {
  const Script script(3);
  const CodeName* axis = script.at("vk_o = T.axis.reduce", "vk_o");
  ASSERT_NE(axis, nullptr);
  EXPECT_EQ(axis->what, CodeName::What::kAxis);
  EXPECT_EQ(axis->block, "Z_o");
  EXPECT_EQ(axis->iter, ir::IterType::Reduce);
  EXPECT_EQ(axis->extent, 64);
  EXPECT_NE(axis->value.find("k_0_0"), std::string::npos) << axis->value;
}

TEST(CodeNames, NothingElseIsNamed) {
  const Script script(4);
  EXPECT_EQ(script.at("with T.block(\"X_shared\")", "X_shared"), nullptr) << "a text";
  EXPECT_EQ(script.at("X: T.Buffer", "Buffer"), nullptr) << "behind a dot";
  EXPECT_EQ(script.at("# from tvm", "from"), nullptr) << "a comment";
  EXPECT_EQ(script.names.at(-1, 0), nullptr);
  EXPECT_EQ(script.names.at(100000, 0), nullptr);
}

TEST(CodeNames, ThreadsOfTheKernelAreTheInnermostLoopsBoundToThem) {
  const auto program = chapterEnd(5);
  const CodeNames names = namesOfCuda(program->kernel, textsOf(*program).cuda, nestOf(*program));
  const CodeName* inCopy = wordAt(names, textsOf(*program).cuda, "reinterpret_cast<uint4*>(&X_shared", "ty");
  const CodeName* inSum = wordAt(names, textsOf(*program).cuda, "] += float(X_shared", "ty");
  ASSERT_NE(inCopy, nullptr);
  ASSERT_NE(inSum, nullptr);
  EXPECT_EQ(inCopy->name, "ax0_ax1_fused_1");
  EXPECT_EQ(inSum->name, "i_0_1_j_0_1_fused");
  const CodeName* tile = wordAt(names, textsOf(*program).cuda, "reinterpret_cast<uint4*>(&X_shared", "X_shared");
  ASSERT_NE(tile, nullptr);
  EXPECT_EQ(tile->bytes, 128.0 * 64 * 2) << "as allocated";
  EXPECT_TRUE(tile->strides.empty());
}

TEST(CodeNames, PaddedRowsSayTheirStrides) {
  const auto program = chapterEnd(14);
  const CodeNames names = namesOfCuda(program->kernel, textsOf(*program).cuda, nestOf(*program));
  const CodeName* tile = wordAt(names, textsOf(*program).cuda, "half X_shared", "X_shared");
  ASSERT_NE(tile, nullptr);
  ASSERT_EQ(tile->strides.size(), 2U);
  EXPECT_EQ(tile->strides[0], 72);
}

TEST(CodeNames, OfNoKernelThereAreNone) {
  const auto program = chapterEnd(7);
  ASSERT_TRUE(program->kernel.problem);
  EXPECT_TRUE(namesOfCuda(program->kernel, textsOf(*program).cuda, nestOf(*program)).names.empty());
}

TEST(FoldEnds, GoByIndentationAndTakeTheClosingBrace) {
  EXPECT_EQ(foldEnds({"def f():", "  for i:", "    a", "", "    b", "  c"}), (std::vector<int>{5, 4, 2, 3, 4, 5}));
  EXPECT_EQ(foldEnds({"for (;;) {", "  a;", "}", "b;"}), (std::vector<int>{2, 1, 2, 3}));
  EXPECT_TRUE(foldEnds({}).empty());
}

}  // namespace
}  // namespace loom::session::code_names_view_test
