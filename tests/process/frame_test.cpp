#include <gtest/gtest.h>

#include <random>

#include "core/process/frame.h"

namespace loom::process::frame_test {
namespace {

TEST(Frames, ComeBackWhateverThePiecesTheyArriveIn) {
  const std::string blob("\0\n TLF2 bytes \xff", 15);
  const std::string bytes = encode({R"({"do":"hello"})", blob}) + encode({"{}", ""});
  for (std::size_t piece : {1u, 2u, 7u, 1000u}) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.append(bytes.data() + at, std::min(piece, bytes.size() - at));
      for (auto f = reader.next(); f && *f; f = reader.next()) frames.push_back(**f);
    }
    ASSERT_EQ(frames.size(), 2u) << piece;
    EXPECT_EQ(frames[0].blob, blob);
    EXPECT_EQ(frames[1].text, "{}");
  }
}

TEST(Frames, AreNotReadOutOfWhatCantBeOne) {
  for (const char* text : {"hello\n", "TLF1 2 0\n{}", "TLF2\n", "TLF2 2\n{}", "TLF2 -1 0\n", "TLF2 2 0 0\n{}",
                           "TLF2 a b\n", "TLF2 99999999999999999999999 0\n", "TLF2 2000000000 0\n", "X", "\n"}) {
    FrameReader reader;
    reader.append(text, std::string(text).size());
    auto f = reader.next();
    ASSERT_FALSE(f) << text;
    EXPECT_EQ(f.error().code, "ProtocolError");
  }
}

TEST(Frames, OfVeryManyLevelsAreRefused) {
  auto read = [](const std::string& text) {
    FrameReader reader;
    const std::string bytes = encode({text, ""});
    reader.append(bytes.data(), bytes.size());
    return reader.next();
  };
  const std::string deep(1000000, '[');
  EXPECT_EQ(read("{\"result\":" + deep).error().code, "ProtocolError");
  EXPECT_TRUE(read("{\"result\":\"" + deep + "\"}")) << "in a string they are no levels";
  EXPECT_TRUE(read("{\"result\":\"\\\"" + deep + "\"}")) << "behind a quoted quote, too";
}

TEST(Frames, OfWhichThereIsOnlyAPartAreWaitedFor) {
  const std::string bytes = encode({R"({"do":"hello"})", "blob"});
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    FrameReader reader;
    reader.append(bytes.data(), n);
    auto f = reader.next();
    ASSERT_TRUE(f) << n;
    EXPECT_FALSE(*f) << n;
  }
}

TEST(Frames, RandomBytesNeverCrashTheReader) {
  std::mt19937 random(1);
  const std::string good = encode({R"({"do":"hello"})", "blob"});
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = char(random());
    FrameReader reader;
    reader.append(bytes.data(), bytes.size());
    for (int i = 0; i < 4; ++i) {
      auto f = reader.next();
      if (!f || !*f) break;
    }
  }
}

}  // namespace
}  // namespace loom::process::frame_test
