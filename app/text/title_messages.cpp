#include "app/text/messages.h"

namespace loom::text {
namespace {

// Titles of steps that were applied at once.
constexpr MessageWords kMessages[] = {
    {"The rest of the rules: {}", "其余规则：{}"},
    {"A schedule that the rules construct: {}", "规则构造的调度：{}"},
    {"From the loop nest to tensor cores", "从循环嵌套到 Tensor Core"},
    {"To tensor cores: {}", "走向 Tensor Core：{}"},
    {"Faster on tensor cores: {}", "在 Tensor Core 上更快：{}"},
    {"What makes {} possible", "使 {} 可行的步骤"},
    {"A schedule of the search", "搜索得到的调度"},
    {"A schedule on the way to the winner", "通往最优调度途中的调度"},
    {"A schedule drawn from the space", "从空间中抽取的调度"},
    {"A configuration of the lesson: {}", "课程中的配置：{}"},
    {"The configuration that is left: {}", "剩下的配置：{}"},
    {"Advice: {}", "建议：{}"},
    {"Steps against several findings at once", "同时解决几项问题的步骤"},
    {"Other arguments of a past step, and the steps after it", "已用步骤换用其他参数，及其后的步骤"},
    {"{} + {}", "{} + {}"},
    {"Overlap copies with products", "拷贝与乘法重叠"},
    {"asynchronous copies", "异步拷贝"},
    {"one slot more", "多一个槽位"},
    {"products first", "先乘后拷贝"},
    {"fragments read ahead", "提前读取片段"},
    {"the ring unrolled", "展开各槽位"},
    {"swizzle instead of padding", "以 swizzle 代替填充"},
    {"ldmatrix and mma.sync instead of wmma", "以 ldmatrix 和 mma.sync 代替 wmma"},
    {"slices of k across a cluster", "跨线程块簇的 k 片"}};

}  // namespace

std::span<const MessageWords> messagesOfTitles() { return kMessages; }

}  // namespace loom::text
