#include "core/compile/source_name.h"

#include <gtest/gtest.h>

namespace loom::compile::source_name_test {
namespace {

TEST(SourceName, StandsAloneWhereverTheCompilerWasStarted) {
  EXPECT_EQ(withSourceAlone("\t.file\t1 \"/x/a b/kernel.cu\"\n"), "\t.file\t1 \"kernel.cu\"\n");
  EXPECT_EQ(withSourceAlone("//## File \"/usr/mma.hpp\", line 91 inlined at \"/x/kernel.cu\", line 36\n"
                            "//## File \"/x/kernel.cu\", line 7\n"),
            "//## File \"/usr/mma.hpp\", line 91 inlined at \"kernel.cu\", line 36\n//## File \"kernel.cu\", line 7\n");
  EXPECT_EQ(withSourceAlone("/kernel.cu\""), "/kernel.cu\"") << "no quote before it";
}

}  // namespace
}  // namespace loom::compile::source_name_test
