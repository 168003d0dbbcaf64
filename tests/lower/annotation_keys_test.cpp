// Forms offer the annotations that lowering, or a later step, follows.
#include "core/schedule/annotation_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/lower/pass_table.h"
#include "core/schedule/read_place.h"
#include "core/schedule/read_value.h"

namespace loom::lower::annotation_keys_test {
namespace {

TEST(AnnotationKeys, AreThoseThatPassesFollow) {
  std::set<std::string> followed = {schedule::kReadPlace, schedule::kReadValue}, offered;
  for (const Pass& pass : passes()) {
    followed.insert(pass.ofBlocks.begin(), pass.ofBlocks.end());
    followed.insert(pass.ofLoops.begin(), pass.ofLoops.end());
  }
  for (const schedule::AnnotationKey& k : schedule::annotationKeys()) {
    EXPECT_TRUE(offered.insert(std::string(k.key)).second) << k.key << " is there twice";
    EXPECT_TRUE(followed.contains(std::string(k.key))) << "nothing follows " << k.key;
    EXPECT_FALSE(k.values(3).empty()) << k.key;
    EXPECT_FALSE(k.en.empty() || k.zh.empty()) << k.key;
  }
  for (const std::string& key : followed) EXPECT_TRUE(offered.contains(key)) << "no form offers " << key;
}

}  // namespace
}  // namespace loom::lower::annotation_keys_test
