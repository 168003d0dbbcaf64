#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "core/intrin/instantiate.h"
#include "core/intrin/intrinsic.h"
#include "core/ir/visit.h"
#include "tests/schedules/schedule_text.h"

namespace loom::intrin::library_test {
namespace {

const std::string kFolder = TILELOOM_SOURCE_DIR "/assets/intrinsics";

const std::string kCopy = tests::programText("intrinsic_copy_4");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// What the program's own folder holds, read once.
const Library& shipped() {
  static const auto library = Library::load(kFolder);
  EXPECT_TRUE(library.has_value()) << library.error().message.english() << " line " << library.error().place.line;
  static const Library none;
  return library ? *library : none;
}

TEST(Library, ReadsEveryFamilyOfTheProgramsOwnFolder) {
  const Library* library = &shipped();
  for (const char* name :
       {"wmma_load_16x16x16_f16_a_shared", "wmma_load_16x16x16_f16_b_trans_shared_dyn", "wmma_fill_16x16x16_f16",
        "wmma_sync_16x16x16_f16f16f32_trans", "wmma_store_16x16x16_f32_global", "mma_ldmatrix_f16_b_trans_dyn",
        "mma_i8i8i32_trans_b", "mma_fill_16x16_f16", "mma_store_16x16_f32_global_", "mma_sync_m16n8k8_f16f16f32"}) {
    const Intrinsic* intrinsic = library->find(name);
    ASSERT_NE(intrinsic, nullptr) << name;
    EXPECT_EQ(intrinsic->group, ExecutionGroup::Warp);
    EXPECT_EQ(intrinsic->name, name);
  }
  EXPECT_EQ(library->find("no_such_intrinsic"), nullptr);
  // Those that differ in numbers are parsed here only.
  for (const std::string& name : library->names()) {
    const Intrinsic* intrinsic = library->find(name);
    ASSERT_NE(intrinsic, nullptr) << name;
    EXPECT_EQ(intrinsic->name, name);
  }
}

// The copy's file with a table of forms: `forms` are a row each.
std::string inForms(const std::string& forms) {
  std::string text = replaced(kCopy, R"({"copy_4": {"N": 4}})", R"({"copy": {}})");
  return text.insert(text.find("INTRINSICS"), "FORMS = {" + forms + "}\n");
}

TEST(Library, ParsesFormsOfOtherNumbersWhenAskedAndOthersAtOnce) {
  Library library, copy;
  auto added = library.add(inForms(R"("_4": {"N": 4}, "_8": {"N": 8})"), "a.py");
  ASSERT_TRUE(added.has_value()) << added.error().message.english();
  copy = library;
  ASSERT_EQ(library.names().size(), 2u);
  const Intrinsic* wide = library.find(library.names()[1]);
  ASSERT_NE(wide, nullptr);
  EXPECT_TRUE(ir::isConst(wide->description->params[0].buffer->shape[0], 8));
  EXPECT_EQ(wide->file, "a.py");
  EXPECT_EQ(wide->group, ExecutionGroup::Thread);
  EXPECT_EQ(copy.find(library.names()[1]), wide);
  for (const char* broken :
       {R"("_4": {"N": 4}, "_x": {"N": x})", R"("_4": {"N": 4}, "_0": {"N": 0.5})", R"("_4": {"N": 4}, "": {})"}) {
    Library other;
    EXPECT_FALSE(other.add(inForms(broken), "a.py").has_value()) << broken;
    EXPECT_TRUE(other.names().empty());
  }
}

TEST(Library, RefusesANameThatExists) {
  Library library;
  ASSERT_TRUE(library.add(kCopy, "a.py").has_value());
  auto again = library.add(kCopy, "b.py");
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, "ValueError");
  EXPECT_EQ(again.error().place.file, "b.py");
  EXPECT_EQ(library.names().size(), 1u);
}

TEST(Library, RefusesABufferThatTheRootBlockDoesNotTouch) {
  Library library;
  auto bad = library.add(replaced(kCopy, "        T.reads(A[0:N])\n", "        T.reads()\n"), "a.py");
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().message.english().find("parameter A"), std::string::npos) << bad.error().message.english();
}

TEST(Library, SaysWhereAFunctionDoesNotParse) {
  Library library;
  auto bad = library.add(replaced(kCopy, "C[i] = A[i]", "C[i] = A[i"), "a.py");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, "ParseError");
  auto unknown = library.add(replaced(kCopy, "C[i] = A[i]", "C[i] = B[i]"), "a.py");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().place.line, 28);
}

TEST(Library, RefusesAFolderThatIsNotThere) {
  auto library = Library::load(kFolder + "/nowhere");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().code, "NoSuchFile");
}

TEST(Instantiate, SharesNoVariableAndNoBufferWithTheLibrary) {
  const Library* library = &shipped();
  const auto& implementation = library->find("wmma_sync_16x16x16_f16f16f32")->implementation;
  ir::IdSource ids(7);
  auto copy = instantiate(implementation, ids, 32);
  std::set<const ir::ExprNode*> theirs;
  auto collect = [](const ir::Function& f, auto use) {
    ir::forEachExpr(f->body, [&](const ir::Expr& e) {
      if (e->kind == ir::ExprKind::Var) use(e.get());
    });
  };
  collect(implementation, [&](const ir::ExprNode* v) { theirs.insert(v); });
  EXPECT_FALSE(theirs.empty());
  collect(copy, [&](const ir::ExprNode* v) { EXPECT_EQ(theirs.count(v), 0u); });
  for (std::size_t i = 0; i < copy->params.size(); ++i) {
    EXPECT_NE(copy->params[i].buffer, implementation->params[i].buffer);
    EXPECT_EQ(copy->params[i].buffer->id.step, 7u);
    EXPECT_EQ(copy->params[i].buffer->strides.size(), 2u);
  }
}

TEST(Instantiate, WidensIndexArithmeticButNotTheTileShape) {
  const Library* library = &shipped();
  ir::IdSource ids(1);
  auto copy = instantiate(library->find("wmma_fill_16x16x16_f32")->implementation, ids, 64);
  const auto& buffer = copy->params[0].buffer;
  EXPECT_EQ(buffer->elemOffset->dtype.bits, 64);
  EXPECT_EQ(buffer->strides[0]->dtype.bits, 64);
  EXPECT_EQ(buffer->shape[0]->dtype.bits, 64);
  const auto* call = ir::asCall(ir::as<ir::EvaluateNode>(copy->body->block->body)->value);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->args[1]->dtype.bits, 32);  // the fragment's extent is an immediate of the instruction
  EXPECT_EQ(call->args[4]->dtype.bits, 64);
}

TEST(Library, RefusesAGroupThatItsOperationsDoNotHave) {
  std::ifstream in(kFolder + "/wmma_fill.py");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  Library library;
  EXPECT_TRUE(library.add(text, "wmma_fill.py").has_value());
  for (const char* group : {"\"thread\"", "\"block\""}) {
    Library other;
    auto added = other.add(replaced(text, "\"warp\"", group), "wmma_fill.py");
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().code, "ValueError");
    EXPECT_NE(added.error().message.english().find("T.tvm_fill_fragment is an operation of a warp"), std::string::npos)
        << added.error().message.english();
  }
}

}  // namespace
}  // namespace loom::intrin::library_test
