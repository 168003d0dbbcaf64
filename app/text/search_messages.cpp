#include "app/text/messages.h"

namespace loom::text {
namespace {

// What a search does, and what the path to its winner says.
constexpr MessageWords kMessages[] = {
    {"schedules are drawn and ranked", "正在抽取调度并排序"},
    {"{} workers are asked to start", "正在请求启动 {} 个工作进程"},
    {"{} of {} compiled", "已编译 {0}，共 {1}"},
    {"the path to the winner is looked for", "正在查找通往胜者的路径"},
};

}  // namespace

std::span<const MessageWords> messagesOfSearch() { return kMessages; }

}  // namespace loom::text
