#include "app/text/messages.h"

namespace loom::text {
namespace {

constexpr MessageWords kMessages[] = {
    // Spaces that are malformed.
    {"\"{}\" is no name of a decision", "“{}”不是决策的名称"},
    {"{} has no values", "{} 没有取值"},
    {"{} has a negative value", "{} 有负的取值"},
    {"the values of {} do not ascend", "{} 的取值不是升序"},
    {"two decisions are called {}", "有两个决策都叫 {}"},
    {"two constraints are called {}", "有两个约束都叫 {}"},
    {"constraint {} has too many or too few terms", "约束 {} 的项数不对"},
    {"constraint {} names a decision that is not there", "约束 {} 提到了不存在的决策"},
    {"a row of constraint {} has {} values for {} columns", "约束 {} 的一行有 {} 个值，而列数为 {}"},
    // Spaces that are not counted.
    {"not counted: it was stopped", "未计数：已被停止"},
    {"not counted: its diagram has more than {} nodes", "未计数：其决策图超过 {} 个节点"},
    {"not counted: it takes more than {} s", "未计数：耗时超过 {} 秒"},
    {"not counted: its numbers are too large to be exact", "未计数：数值过大，无法精确"},
    {"all schedules that the pins allow have been drawn", "固定取值所允许的调度已全部抽取"},
    // Why a schedule is not in a space.
    {"the space has no decision {}", "空间中没有决策 {}"},
    {"{} {} is not in {{{}}}", "{} {} 不在 {{{}}} 中"},
    {"{}: {} is not {}", "{}：{} 不等于 {}"},
    {"{}: {} is more than {}", "{}：{} 大于 {}"},
    {"{}: {} does not divide {}", "{}：{} 不整除 {}"},
    {"{}: ({}) is not one of {} combinations", "{}：({}) 不是 {} 种组合之一"},
    {"no constraint forbids these values alone, but all together do", "没有一个约束单独禁止这些值，但所有约束一起禁止"},
};

}  // namespace

std::span<const MessageWords> messagesOfSpaces() { return kMessages; }

}  // namespace loom::text
