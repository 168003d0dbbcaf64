#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/compile/compile.h"
#include "core/compile/constant_banks.h"
#include "tests/compile/scratch.h"

namespace loom::compile::toolkit_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void touch(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "x";
}

TEST(Toolkit, PiecesMayComeFromDifferentPlaces) {
  Scratch folder;
  touch(folder / "toolkit/lib64/libnvrtc.so.13");
  touch(folder / "site/nvidia/cuda_runtime/include/cuda_fp16.h");
  touch(folder / "site/nvidia/cuda_nvdisasm/bin/nvdisasm");
  auto found = findToolkit({{folder / "toolkit"}, {folder / "site"}});
  ASSERT_TRUE(found) << found.error().message.english();
  EXPECT_EQ(found->nvrtc, folder / "toolkit/lib64/libnvrtc.so.13");
  EXPECT_TRUE(found->nvdisasm);
  EXPECT_FALSE(found->cublasLt);
}

// What app/install makes of pip's packages of CUDA 13: one folder for all of them.
TEST(Toolkit, OneFolderOfPipIsEnough) {
  Scratch folder;
  touch(folder / "cuda/lib/libnvrtc.so.13");
  touch(folder / "cuda/lib/libnvrtc-builtins.so.13.0");
  touch(folder / "cuda/lib/libnvrtc.alt.so.13");
  touch(folder / "cuda/include/cuda_fp16.h");
  touch(folder / "cuda/include/cccl/cuda/std/cstdint");
  touch(folder / "cuda/bin/nvdisasm");
  auto found = findToolkit({{folder / "nothing"}, {folder / "cuda"}});
  ASSERT_TRUE(found) << found.error().message.english();
  EXPECT_EQ(found->nvrtc, folder / "cuda/lib/libnvrtc.so.13");
  EXPECT_EQ(found->nvdisasm, folder / "cuda/bin/nvdisasm");
  EXPECT_THAT(found->includes, testing::ElementsAre(folder / "cuda/include", folder / "cuda/include/cccl"));
}

TEST(Toolkit, ThatIsMissingNamesThePlacesSearched) {
  Scratch folder;
  auto none = findToolkit({{folder / "a", folder / "b"}, {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "NoNvrtc");
  EXPECT_THAT(none.error().message.english(), HasSubstr((folder / "b").string()));
  touch(folder / "a/lib64/libnvrtc.so.13");
  EXPECT_EQ(findToolkit({{folder / "a"}, {}}).error().code, "NoCudaHeaders");
}

// A variable that leads nowhere was looked at: that another place is used is told.
TEST(Toolkit, ThatAVariableNamesInVainIsTold) {
  Scratch folder;
  touch(folder / "good/lib64/libnvrtc.so.13");
  touch(folder / "good/include/cuda_fp16.h");
  auto found = findToolkit({{folder / "nowhere", folder / "good"}, {}, {{"CUDA_HOME", folder / "nowhere"}}});
  ASSERT_TRUE(found) << found.error().message.english();
  EXPECT_THAT(found->remarks,
              testing::ElementsAre(testing::AllOf(HasSubstr("$CUDA_HOME names " + (folder / "nowhere").string()),
                                                  HasSubstr((folder / "good").string()))));
  EXPECT_THAT(findToolkit({{folder / "good"}, {}, {{"CUDA_HOME", folder / "good"}}})->remarks, testing::IsEmpty());
}

TEST(Toolkit, WhoseLibraryIsNoneIsNoNvrtc) {
  Scratch folder;
  touch(folder / "libnvrtc.so.13");
  Toolkit toolkit;
  toolkit.nvrtc = folder / "libnvrtc.so.13";
  auto loaded = Compiler::load(toolkit);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, "NoNvrtc");
}

// An ELF file of 64 bits with the sections of that name and their bytes.
std::vector<char> elf(const std::vector<std::pair<std::string, std::string>>& sections) {
  std::string names(1, '\0'), bodies, headers;
  auto put = [](std::string& to, std::uint64_t value, int bytes) {
    for (int n = 0; n < bytes; ++n) to += char(value >> (8 * n));
  };
  auto header = [&](std::size_t name, std::size_t at, std::size_t size) {
    std::string h;
    put(h, name, 4);
    h.resize(0x18, '\0');
    put(h, at, 8);
    put(h, size, 8);
    h.resize(64, '\0');
    headers += h;
  };
  for (const auto& [name, bytes] : sections) {
    header(names.size(), 64 + bodies.size(), bytes.size());
    names += name + '\0';
    bodies += bytes;
  }
  header(0, 64 + bodies.size(), names.size());
  std::string file(
      "\x7f"
      "ELF\x02\x01",
      6);
  file.resize(0x28, '\0');
  put(file, 64 + bodies.size() + names.size(), 8);
  file.resize(0x3a, '\0');
  put(file, 64, 2);
  put(file, sections.size() + 1, 2);
  put(file, sections.size(), 2);
  file += bodies + names + headers;
  return {file.begin(), file.end()};
}

TEST(ConstantBanks, AreReadFromTheCubinsSections) {
  const auto cubin =
      elf({{".text.k", "code"}, {".nv.constant0.k", "launch"}, {".nv.constant2.k", std::string("\x00\x24", 2)}});
  EXPECT_EQ(constantBanks(cubin),
            "\t.section\t.nv.constant2.k,\"a\",@progbits\n.nv.constant2.k:\n        .byte 0x00, 0x24\n");
  EXPECT_EQ(constantBanks({'n', 'o'}), "");
  for (std::size_t size = 0; size < cubin.size(); ++size)  // none is read beyond its end
    (void)constantBanks({cubin.begin(), cubin.begin() + std::ptrdiff_t(size)});
  auto wild = cubin;
  for (std::size_t n = 0x28; n < 0x30; ++n) wild[n] = char(0xff);
  EXPECT_EQ(constantBanks(wild), "");
}

TEST(Disassembly, WithoutNvdisasmOrOfNoCubinIsAnError) {
  Binary b;
  b.cubin = {'n', 'o'};
  EXPECT_EQ(disassemble({}, b).error().code, "NoNvdisasm");
  Toolkit toolkit;
  toolkit.nvdisasm = "/bin/false";
  EXPECT_EQ(disassemble(toolkit, b).error().code, "CompileError");
}

TEST(Resources, AreReadFromTheAssemblersLog) {
  auto kernels = parseResources(
      "ptxas info    : Compiling entry function 'main_kernel' for 'sm_90'\n"
      "ptxas info    : Function properties for main_kernel\n"
      "    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 1 barriers, 32768 bytes smem, 552 bytes cmem[0]\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].registers, 128);
  EXPECT_EQ(kernels[0].spillStores, 8);
  EXPECT_EQ(kernels[0].staticShared, 32768);
  EXPECT_TRUE(parseResources("ptxas info : Used 99999999999 registers without an entry\n\xff").empty());
}

}  // namespace
}  // namespace loom::compile::toolkit_test
