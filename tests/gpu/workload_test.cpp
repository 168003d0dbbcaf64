// Which functions are products that the vendor's library knows, batched ones and those with a vector among them, and
// what all that follows from it makes of them: places, reference, keys, messages, the CPU device's comparison.
#include "core/gpu/workload.h"

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/compile/compile.h"
#include "core/gpu/project.h"
#include "core/gpu/protocol.h"
#include "core/gpu/resize.h"
#include "core/gpu/result_database.h"
#include "core/gpu/vendor.h"
#include "tests/gpu/programs.h"

namespace loom::gpu::workload_test {
namespace {

using ir::DType;
using testing::HasSubstr;

const std::map<char, int> kExtents{{'b', 3}, {'h', 2}, {'i', 8}, {'j', 16}, {'k', 32}, {'l', 5}};

template <class Of>
std::string listed(const std::string& letters, Of&& of) {
  std::string text;
  for (const char c : letters) text += (text.empty() ? "" : ", ") + of(c);
  return text;
}
std::string at(const std::string& letters) {
  return listed(letters, [](char c) { return std::string("v") + c; });
}

// C[c] = Σ A[a] · B[b], where each letter is an iterator, summed over if `c` lacks it: {"bij", "bik", "bjk"}.
struct Sum {
  std::string c, a, b;
  std::string in = "float32", out = "float32", init = "0", more = "";  // `more` is added to what each update stores

  std::string letters() const {
    std::string all = c;
    for (const char letter : a + b)
      if (all.find(letter) == std::string::npos) all += letter;
    return all;
  }
  std::string text() const {
    const auto shape = [](const std::string& of) {
      return listed(of, [](char letter) { return std::to_string(kExtents.at(letter)); }) + ",";
    };
    const auto factor = [&](const std::string& matrix, const std::string& of) {
      const std::string element = matrix + "[" + at(of) + "]";
      return in == out ? element : "T.Cast(\"" + out + "\", " + element + ")";
    };
    std::string kinds;
    for (const char letter : letters()) kinds += c.find(letter) == std::string::npos ? 'R' : 'S';
    return tests::programText(
        "any_product", {{"A", shape(a)},
                        {"B", shape(b)},
                        {"C", shape(c)},
                        {"IN", in},
                        {"OUT", out},
                        {"LOOPS", listed(letters(), [](char letter) { return std::string(1, letter); })},
                        {"EXTENTS", listed(letters(), [](char letter) { return std::to_string(kExtents.at(letter)); })},
                        {"ITERATORS", at(letters())},
                        {"KINDS", kinds},
                        {"AT", at(c)},
                        {"INIT", "T." + out + "(" + init + ")"},
                        {"VALUE", "C[" + at(c) + "] + " + factor("A", a) + " * " + factor("B", b) + more}});
  }
};

ir::Function function(const std::string& text) {
  const auto module = script::parseModule(text, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  return module->functions.front();
}
std::optional<Matmul> productOf(const Sum& sum) { return recognizeMatmul(function(sum.text())); }

// Every product of two elements that the function adds to one, by their offsets in C, A and B.
std::multiset<std::array<std::int64_t, 3>> termsOf(const Sum& sum) {
  const std::string letters = sum.letters();
  std::map<char, int> index;
  const auto offset = [&](const std::string& of) {
    std::int64_t all = 0;
    for (const char letter : of) all = all * kExtents.at(letter) + index[letter];
    return all;
  };
  std::multiset<std::array<std::int64_t, 3>> terms;
  const std::function<void(std::size_t)> loop = [&](std::size_t depth) {
    if (depth == letters.size()) {
      terms.insert({offset(sum.c), offset(sum.a), offset(sum.b)});
      return;
    }
    int& i = index[letters[depth]];
    for (i = 0; i < kExtents.at(letters[depth]); ++i) loop(depth + 1);
  };
  loop(0);
  return terms;
}
std::multiset<std::array<std::int64_t, 3>> termsOf(const Matmul& m) {
  std::multiset<std::array<std::int64_t, 3>> terms;
  const MatrixPlaces a = m.placesA(), b = m.placesB(), d = m.placesD();
  for (std::int64_t z = 0; z < m.batch; ++z)
    for (std::int64_t i = 0; i < m.m; ++i)
      for (std::int64_t j = 0; j < m.n; ++j)
        for (std::int64_t p = 0; p < m.k; ++p) {
          std::array<std::int64_t, 3> term{d.at(i, j, z), a.at(i, p, z), b.at(p, j, z)};
          if (m.a > m.b) std::swap(term[1], term[2]);
          terms.insert(term);
        }
  return terms;
}

TEST(Products, OfVectorsAndBatchesAreRecognizedWithTheirPlaces) {
  const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
      // A matrix and a vector, which is a row.
      {"i", "ik", "k", "1x8x32 NT"},
      {"i", "k", "ik", "1x8x32 NT"},
      {"i", "ki", "k", "1x8x32 NN"},
      {"j", "k", "kj", "1x16x32 NN"},
      // A batch; one whose dimension isn't the first.
      {"bij", "bik", "bkj", "3 of 8x16x32 NN"},
      {"bij", "bik", "bjk", "3 of 8x16x32 NT"},
      {"bij", "bjk", "bik", "3 of 8x16x32 NT"},
      {"bij", "bki", "bkj", "3 of 8x16x32 TN"},
      {"bji", "bik", "bkj", "3 of 16x8x32 TT"},
      {"ibj", "ibk", "bkj", "3 of 8x16x32 NN"},
      {"bij", "ibk", "jkb", "3 of 8x16x32 NT"},
      // Iterators that count as one: of a batch, of rows, of columns.
      {"bhij", "bhik", "bhkj", "6 of 8x16x32 NN"},
      {"bij", "bik", "kj", "24x16x32 NN"},
      {"ibj", "ik", "kbj", "8x48x32 NN"},
      {"bi", "bik", "k", "1x24x32 NT"},
      // One that doesn't, and whose other factor is the same for all.
      {"bij", "ibk", "kj", "3 of 8x16x32 NN"},
      {"bij", "ik", "bkj", "3 of 8x16x32 NN"},
      {"bji", "ibk", "kj", "3 of 16x8x32 TT"},
      {"bi", "ibk", "k", "3 of 1x8x32 NT"},
      // Vectors of a batch.
      {"bi", "bik", "bk", "3 of 1x8x32 NT"},
      {"bj", "bk", "bkj", "3 of 1x16x32 NN"},
  };
  for (const auto& [c, a, b, key] : cases) {
    const Sum sum{c, a, b};
    const auto m = productOf(sum);
    ASSERT_TRUE(m) << c << a << b;
    EXPECT_THAT(workloadKey(*m), HasSubstr(std::string("matmul float32 ") + key + " float32"))
        << c << " " << a << " " << b;
    EXPECT_EQ(termsOf(*m), termsOf(sum)) << c << " " << a << " " << b;
    EXPECT_EQ(m->flops(), 2.0 * double(termsOf(sum).size()));
    nlohmann::json json = toJson(*m);
    EXPECT_EQ(matmulFromJson(nlohmann::json::parse(json.dump())), *m) << json;
  }
}

TEST(Products, OfOtherFormsAreNone) {
  for (const Sum& none : {
           Sum{"bij", "ik", "kj"},       // the same product again and again
           Sum{"ij", "bik", "bkj"},      // a sum over two iterators
           Sum{"bijk", "bik", "bkj"},    // no sum
           Sum{"b", "bk", "bk"},         // products of vectors
           Sum{"ij", "i", "j"},          // of a column and a row, without a sum
           Sum{"bhij", "bhik", "hbkj"},  // two batches that don't count as one
           Sum{"i", "ik", "ik"},
           Sum{"i", "iik", "k"},  // a diagonal
           Sum{"i", "ik", "k", "float32", "float32", "1"},
           Sum{"bij", "bik", "bkj", "float32", "float32", "1"},
           Sum{"i", "ik", "k", "float32", "float32", "0", " + T.float32(1)"},
       })
    EXPECT_FALSE(productOf(none)) << none.c << " " << none.a << " " << none.b;
  const auto with = [](const Sum& sum, const std::string& what, const std::string& by) {
    std::string text = sum.text();
    const auto found = text.find(what);
    if (found == std::string::npos) throw std::runtime_error("no " + what + " in " + text);
    return recognizeMatmul(function(text.replace(found, what.size(), by)));
  };
  for (const auto& [c, a, b] : {std::tuple{"i", "ik", "k"}, {"bij", "bik", "bkj"}}) {
    const Sum sum{c, a, b, "float16", "float32"};
    ASSERT_TRUE(productOf(sum));
    EXPECT_EQ(productOf(sum)->input, DType::Float(16));
    const std::string remap = "T.axis.remap(\"" + std::string(sum.c.size(), 'S') + "R\", [" +
                              listed(sum.letters(), [](char letter) { return std::string(1, letter); }) + "])";
    EXPECT_FALSE(with(sum, remap, remap + "\n            T.where(k <= i)")) << "a triangle";
    EXPECT_FALSE(with(sum, remap, remap + "\n            T.where(k < 31)")) << "a product is left out";
    EXPECT_FALSE(with(sum, "\"float16\")", "\"int8\")")) << "factors of two types";
    EXPECT_FALSE(with(sum, "A[" + at(a) + "]", "A[" + at(a) + " - 1]")) << "an index that is no iterator";
  }
}

// A vector with gaps is a matrix whose rows, or columns, have one element.
TEST(Products, OfVectorsWithGapsHaveAVendorsLine) {
  const auto keyOf = [](int ofB, int ofC, int startOfC) {
    const auto m = recognizeMatmul(function(
        tests::programText("rows_times_strided_vector", {{"OF_B", ofB}, {"OF_C", ofC}, {"START_OF_C", startOfC}})));
    if (!m) return std::string("none");
    EXPECT_EQ(m->placesD().at(m->m - 1, m->n - 1), startOfC + 23 * ofC);
    EXPECT_EQ((m->m == 1 ? m->placesA().at(0, 31) : m->placesB().at(31, 0)), 4 + 31 * ofB);
    EXPECT_TRUE(whyNoVendorProduct(*m).empty()) << whyNoVendorProduct(*m).english();
    return workloadKey(*m);
  };
  EXPECT_EQ(keyOf(1, 1, 0), "matmul float32 1x24x32 NT float32 A from 4 by 32 1");
  EXPECT_EQ(keyOf(2, 1, 8), "matmul float32 1x24x32 TT float32 A from 4 by 2 1 D from 8 by 24 1");
  EXPECT_EQ(keyOf(2, 3, 0), "matmul float32 24x1x32 NN float32 B from 4 by 2 1 D from 0 by 3 1");
}

TEST(Products, BatchedHaveAVendorsLineWhereRowsHaveNoGaps) {
  for (const char* b : {"bkj", "bjk"}) EXPECT_TRUE(whyNoVendorProduct(*productOf({"bij", "bik", b})).empty());
  EXPECT_TRUE(whyNoVendorProduct(*productOf({"bij", "ibk", "kj"})).empty());
  EXPECT_THAT(whyNoVendorProduct(*productOf({"bij", "bik", "jkb"})).english(), HasSubstr("gaps between"));
  Matmul many = *productOf({"bij", "bik", "bkj"});
  many.batch = std::int64_t{1} << 31;
  EXPECT_THAT(whyNoVendorProduct(many).english(), HasSubstr("no batch of 2147483648 products"));
}

TEST(WorkloadKey, OfABatchTellsItsStridesAndOfOneProductIsAsEver) {
  EXPECT_EQ(workloadKey(*productOf({"ij", "ik", "jk", "float16"})), "matmul float16 8x16x32 NT float32");
  EXPECT_EQ(workloadKey(*productOf({"ibj", "ibk", "bkj"})),
            "matmul float32 3 of 8x16x32 NN float32 A from 0 by 96 1 and 32 D from 0 by 48 1 and 16");
  EXPECT_EQ(workloadKey(*productOf({"bij", "ibk", "kj"})),
            "matmul float32 3 of 8x16x32 NN float32 A from 0 by 96 1 and 32 B from 0 by 16 1 and 0");
  Matmul m = *productOf({"ij", "ik", "kj"});
  EXPECT_FALSE(toJson(m).contains("batch")) << "an older worker reads it";
  m.ownA = MatrixPlaces{1, 40, 1};
  EXPECT_EQ(toJson(m)["places_a"].size(), 3u);
  EXPECT_EQ(matmulFromJson(toJson(m)), m);
}

TEST(Protocol, RefusesNumbersOfProductsAndPlacesThatCannotBe) {
  nlohmann::json good = toJson(*productOf({"bij", "ibk", "kj"}));
  for (const auto& [key, value] : std::vector<std::pair<const char*, nlohmann::json>>{
           {"batch", 0}, {"batch", -1}, {"batch", 1}, {"places_a", {0, 96, 1}}, {"places_b", {0, 16, 1, -1}}}) {
    nlohmann::json bad = good;
    bad[key] = value;
    EXPECT_THROW(matmulFromJson(bad), nlohmann::json::exception) << key << " " << value;
  }
}

// The kernel's text as C++ that a test can run would need a compiler: what it computes, its indices say.
TEST(Reference, OfABatchComputesEachProductByItsPlaces) {
  const std::string batched = referenceSource(*productOf({"bij", "ibk", "jkb"}));
  EXPECT_THAT(batched, HasSubstr("if (at >= 384ll) return;"));
  EXPECT_THAT(batched, HasSubstr("long long z = at / 128, i = at / 16 % 8, j = at % 16;"));
  EXPECT_THAT(batched, HasSubstr("double(A[z * 32 + i * 96 + p]) * double(B[z + j * 96 + p * 3])"));
  const std::string shared = referenceSource(*productOf({"bij", "ibk", "kj"}));
  EXPECT_THAT(shared, HasSubstr("double(A[z * 32 + i * 96 + p]) * double(B[p * 16 + j])"));
  const std::string single = referenceSource(*productOf({"ij", "ik", "kj"}));
  EXPECT_THAT(single, HasSubstr("long long i = at / 16, j = at % 16;"));
  EXPECT_THAT(single, HasSubstr("double(A[i * 32 + p]) * double(B[p * 16 + j])"));
  const std::string vector = referenceSource(*productOf({"i", "ik", "k"}));
  EXPECT_THAT(vector, HasSubstr("if (at >= 8ll) return;"));
  EXPECT_THAT(vector, HasSubstr("double(A[i * 32 + p]) * double(B[j * 32 + p])"));
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  const auto nvrtc = toolkit ? compile::Compiler::load(*toolkit).value_or(nullptr) : nullptr;
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  for (const std::string& text : {batched, shared, single, vector}) {
    const auto binary = nvrtc->compile(compile::requestFor(text, "sm_90a"));
    EXPECT_TRUE(binary) << binary.error().message.english() << text;
  }
}

std::string projectOf(const std::string& text) {
  const ir::Function f = function(text);
  return exportProject(codegen::generate(lower::lower(f).value()), recognizeMatmul(f), "title", "").at("main.cu");
}

TEST(Project, ChecksVectorsAndAllProductsOfABatch) {
  const std::string vector = projectOf(Sum{"i", "ik", "k"}.text());
  EXPECT_THAT(vector, HasSubstr("reference<<<unsigned((count + 255) / 256), 256, 0, stream>>>(B, A, sums, sizes);"));
  EXPECT_THAT(vector, HasSubstr("const long long count = 8ll;"));
  EXPECT_THAT(projectOf(Sum{"bij", "bik", "bkj"}.text()), HasSubstr("const long long count = 384ll;"));
  const std::string interleaved = projectOf(Sum{"ibj", "ibk", "bkj"}.text());
  EXPECT_THAT(interleaved, HasSubstr("got[0 + i / 16 % 8 * 48 + i % 16 * 1 + i / 128 * 16]"));
}

// With sizes that the user gives: of one product, with a vector as a row; a batch isn't checked.
TEST(SymbolicProducts, HaveVectorsButNoBatch) {
  const auto of = [](const Sum& sum) { return recognizeSymbolicMatmul(function(sum.text())); };
  const auto vector = of({"i", "ik", "k"});
  ASSERT_TRUE(vector);
  EXPECT_EQ(vector->types.a, 1);
  EXPECT_EQ(vector->types.b, 0);
  EXPECT_EQ(ir::asInt(vector->m)->value, 1);
  EXPECT_EQ(ir::asInt(vector->n)->value, 8);
  EXPECT_EQ(ir::asInt(vector->a.column)->value, 1);
  EXPECT_EQ(ir::asInt(vector->b.row)->value, 1);
  EXPECT_EQ(ir::asInt(vector->b.column)->value, 32);
  EXPECT_EQ(ir::asInt(vector->d.column)->value, 1);
  EXPECT_FALSE(of({"bij", "bik", "bkj"}));
  EXPECT_FALSE(of({"bij", "bik", "kj"}));
}

TEST(Resized, IsNoProductOfVectorsOrOfABatch) {
  for (const Sum& sum : {Sum{"i", "ik", "k"}, Sum{"bij", "bik", "bkj"}, Sum{"bij", "bik", "kj"}}) {
    const ir::Function f = function(sum.text());
    ASSERT_TRUE(recognizeMatmul(f));
    EXPECT_FALSE(resizableProduct(f));
    const auto refused = resized(f, {8, 8, 8, {}, {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "NotAProduct");
    EXPECT_THAT(refused.error().message.english(), HasSubstr("one product of two matrices"));
  }
  EXPECT_TRUE(resizableProduct(function(Sum{"ij", "ik", "kj"}.text())));
}

TEST(CpuDevice, FindsAWrongElementOfAVectorAndOfABatch) {
  Worker worker({workerCommand("cpu"), 60, 20});
  for (const auto& [sum, wrong, where] :
       {std::tuple{Sum{"i", "ik", "k"}, "vi == 5", "element 5 is"},
        {Sum{"bij", "bik", "bjk"}, "vb == 2 and vi == 7 and vj == 3", "element 371 is"},
        {Sum{"ibj", "ibk", "bkj"}, "vb == 1 and vi == 0 and vj == 15", "element 143 is"},
        {Sum{"bij", "ibk", "kj"}, "vb == 1 and vi == 0 and vj == 15", "element 143 is"}}) {
    Sum planted = sum;
    planted.more = std::string(" + T.if_then_else(") + wrong + ", T.float32(1), T.float32(0))";
    Job job;
    job.matmul = productOf(sum);
    ASSERT_TRUE(job.matmul);
    job.candidates = {candidate("right", sum.text()), candidate("wrong", planted.text())};
    const auto report = worker.measure(0, job);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(report->outcomes[0].status, Outcome::Status::Measured) << report->outcomes[0].message.english();
    EXPECT_EQ(report->outcomes[0].error, 0);
    EXPECT_EQ(report->outcomes[1].status, Outcome::Status::Wrong) << sum.c;
    EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr(where));
  }
}

}  // namespace
}  // namespace loom::gpu::workload_test
