#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "core/compile/compile.h"
#include "tests/compile/scratch.h"

namespace loom::compile::cache_test {
namespace {

namespace fs = std::filesystem;

const std::string kCompiler = "NVRTC 13.0";

Request request(const std::string& source, bool lineInfo = false) {
  Request r;
  r.source = source;
  r.architecture = "sm_90";
  r.lineInfo = lineInfo;
  return r;
}

Binary binary(const std::string& bytes) {
  Binary b;
  b.cubin.assign(bytes.begin(), bytes.end());
  b.kernels = {{"k", 40, 1, 2, 3, 4, 5}};
  b.compiler = kCompiler;
  b.milliseconds = 12.5;
  return b;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

fs::path onlyFile(const fs::path& folder) {
  fs::directory_iterator it(folder);
  EXPECT_NE(it, fs::directory_iterator());
  return it->path();
}

TEST(Cache, GivesBackWhatWasPut) {
  Scratch folder;
  Cache cache(folder / "deep/down");
  EXPECT_FALSE(cache.find(request("a"), kCompiler));
  cache.put(request("a"), binary(std::string("bytes\0\n", 7)));
  auto found = cache.find(request("a"), kCompiler);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cubin, binary(std::string("bytes\0\n", 7)).cubin);
  EXPECT_EQ(found->kernels.at(0).spillLoads, 2);
  EXPECT_TRUE(found->cached);
}

TEST(Cache, GoesByAllThatDecidesAResult) {
  Scratch folder;
  Cache cache(folder.path());
  cache.put(request("// one\na\n"), binary("bytes"));
  EXPECT_TRUE(cache.find(request("// two\na\n"), kCompiler)) << "comments decide nothing without line numbers";
  EXPECT_FALSE(cache.find(request("// one\na\n", true), kCompiler));
  EXPECT_FALSE(cache.find(request("b"), kCompiler));
  EXPECT_FALSE(cache.find(request("a"), "NVRTC 13.1"));
  Request options = request("// one\na\n");
  options.options = {"--use_fast_math"};
  EXPECT_FALSE(cache.find(options, kCompiler));
  Request other = request("// one\na\n");
  other.architecture = "sm_80";
  EXPECT_FALSE(cache.find(other, kCompiler));
}

TEST(Cache, TakesNoTruncatedOrChangedFileForAResult) {
  Scratch folder;
  Cache cache(folder.path());
  cache.put(request("a kernel"), binary("the bytes of a cubin"));
  const fs::path file = onlyFile(folder.path());
  const std::string good = read(file);
  for (std::size_t n = 0; n < good.size(); ++n) {
    write(file, good.substr(0, n));
    EXPECT_FALSE(cache.find(request("a kernel"), kCompiler)) << n << " of " << good.size() << " bytes";
  }
  write(file, good + "x");
  EXPECT_FALSE(cache.find(request("a kernel"), kCompiler));
  // A changed byte is noticed, or it was in a number that says nothing of the code (times, the log).
  std::mt19937 random(3);
  const std::string cubin = "the bytes of a cubin";
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = good;
    bytes[random() % bytes.size()] = char(random());
    write(file, bytes);
    auto found = cache.find(request("a kernel"), kCompiler);
    if (found) {
      EXPECT_EQ(std::string(found->cubin.begin(), found->cubin.end()), cubin) << round;
    }
  }
}

TEST(Cache, InAPlaceThatCantBeWrittenIsNoError) {
  Scratch folder;
  write(folder / "file", "not a folder");
  Cache cache(folder / "file/below");
  cache.put(request("a"), binary("bytes"));
  EXPECT_FALSE(cache.find(request("a"), kCompiler));
}

TEST(Cache, OnAFullDiskKeepsNoHalfFile) {
  Scratch folder;
  Cache cache(folder.path());
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit small{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
    cache.put(request("a"), binary(std::string(100000, 'x')));
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(fs::directory_iterator(folder.path()), fs::directory_iterator()) << "neither a result nor a leftover";
  EXPECT_FALSE(cache.find(request("a"), kCompiler));
}

TEST(Cache, IsSharedByProcesses) {
  Scratch folder;
  Cache cache(folder.path());
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    pid_t child = fork();
    if (child == 0) {
      bool fine = true;
      for (int i = 0; i < 200; ++i) {
        cache.put(request("a"), binary(std::string(20000, 'x')));
        auto found = cache.find(request("a"), kCompiler);
        fine &= found && found->cubin.size() == 20000;
      }
      _exit(fine ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "a reader saw a half-written file";
  }
}

}  // namespace
}  // namespace loom::compile::cache_test
