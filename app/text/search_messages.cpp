#include "app/text/messages.h"

namespace loom::text {
namespace {

// What a search does, and what the path to its winner says.
constexpr MessageWords kMessages[] = {
    {"schedules are drawn and ranked", "正在抽取调度并排序"},
    {"{} workers are asked to start", "正在请求启动 {} 个工作进程"},
    {"{} of {} compiled", "已编译 {0}，共 {1}"},
    {"the path to the winner is looked for", "正在查找通往胜者的路径"},
    {"the states of the path are modelled", "正在对路径上的状态建模"},
    {"{} alone makes it slower, {:.3g} µs, which the others win back",
     "仅改动{}会使它变慢（{:.3g} µs），其余改动将其赢回"},
    {"its steps make no kernel", "它的步骤得不到核函数"},
    {"its steps make no kernel: {}", "它的步骤得不到核函数：{}"},
    {"its steps are not those of the sketch {}", "它的步骤不是草图 {} 的步骤"},
    {"in the sketch {} this is never {}: {}", "在草图 {0} 中，此项不会是 {1}：{2}"},
    {"it breaks a constraint of the sketch {}: {}", "它违反草图 {} 的一条约束：{}"},
    {"with its decisions the sketch {} makes another kernel: lines of the schedule are others ({}): {} where the "
     "sketch has {}",
     "草图 {0} 以它的决策生成另一个核函数：有 {1} 行不同：{2}，而草图为 {3}"},
    {"with its decisions the sketch {} makes another kernel: the schedule has further lines ({}): {}",
     "草图 {0} 以它的决策生成另一个核函数：它多出 {1} 行：{2}"},
    {"with its decisions the sketch {} makes another kernel: the schedule lacks lines ({}): {}",
     "草图 {0} 以它的决策生成另一个核函数：它缺少其中 {1} 行：{2}"},
    {"with its decisions the sketch {} makes another kernel: the schedule has its lines in another order",
     "草图 {} 以它的决策生成另一个核函数：各行次序不同"},
};

}  // namespace

std::span<const MessageWords> messagesOfSearch() { return kMessages; }

}  // namespace loom::text
