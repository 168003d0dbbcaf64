#pragma once

#include "app/text/help.h"

/// The texts of the panel Space, each in English and Chinese; {} stands for a number, a name or a text.
namespace loom::text::space {

inline constexpr Text kTitle{"Space", "空间"};
/// Stands in the panel until there is a sketch.
inline constexpr Text kExploring{"Rules make a space of schedules from the program…", "规则正在由程序生成调度空间……"};
/// The panel's heading: how many schedules the pins leave, a large number rounded; the tooltip has the exact number
/// (kExactly).
inline constexpr Text kSchedules{"{} schedules", "{} 个调度"};
inline constexpr Text kSchedule{"{} schedule", "{} 个调度"};
inline constexpr Text kExactlyOne{"exactly {} schedule", "恰好 {} 个调度"};
inline constexpr Text kExactly{"exactly {} schedules", "恰好 {} 个调度"};
/// The share of the schedules that the pins leave, and the number of schedules without pins.
inline constexpr Text kOfAll{"{} of {} without pins", "固定取值前为 {1} 个，现为其 {0}"};
/// Stands before the list of sketches (schedules with decisions left open), of which one is chosen.
inline constexpr Text kSketch{"sketch", "调度框架"};

/// Three buttons; kDrawTip and kPinToMineTip are the tooltips of the first two.
inline constexpr Text kDraw{"Draw one", "抽取一个"};
inline constexpr Text kDrawTip{
    "Appends the steps of one of these schedules to the start, as a branch of the history: each as likely as any "
    "other, "
    "none twice",
    "从起点追加其中一个调度的步骤，成为历史的一个分支：每个调度机会均等，不会重复"};
inline constexpr Text kPinToMine{"Pin to my schedule", "固定为我的调度"};
inline constexpr Text kPinToMineTip{"Pins the decisions that the current state's steps have taken",
                                    "按当前状态的步骤所作的决策固定取值"};
inline constexpr Text kRelease{"Release pins", "取消固定"};

/// One of kInside, kOutside, kOutsideMore and kUnknownSide stands below the buttons: whether the chosen space has the
/// current state's schedule. {0} is the number of decisions whose values were read from the schedule, {1} the number of
/// all decisions.
inline constexpr Text kInside{"Your schedule is in this space: {} of {} decisions read from its steps.",
                              "你的调度在此空间中：从其步骤读出了 {1} 个决策中的 {0} 个。"};
/// The constraints that the schedule breaks, with ";" between, at most two of them; and the number of the others.
inline constexpr Text kOutside{"Your schedule is outside: {}", "你的调度不在此空间中：{}"};
inline constexpr Text kOutsideMore{"Your schedule is outside: {}; and {} more", "你的调度不在此空间中：{}；另有 {} 项"};
/// Parts of the tooltip of these texts: kReadValues stands before a list of decisions with the values read; kNotRead
/// has the other decisions; kBroken stands before a list of all constraints that the schedule breaks.
inline constexpr Text kBroken{"outside by:", "不符合："};
inline constexpr Text kReadValues{"Read out of its loops, copies and annotations, whatever they are called:",
                                  "从其循环、拷贝和注解中读出，与名称无关："};
inline constexpr Text kNotRead{"not read: {}", "未读出：{}"};
/// {}: the reason.
inline constexpr Text kUnknownSide{"Whether your schedule is in this space is not known: {}",
                                   "尚不知你的调度是否在此空间中：{}"};

/// The heading of the rows of constraints, which a click opens, below a strip with a column for each row; with its
/// tooltip: the number of combinations of the decisions' values before any constraint, and the number of constraints.
inline constexpr Text kWaterfall{"combinations: {}, constraints: {}", "{} 种组合，经 {} 个约束"};
inline constexpr Text kWaterfallTip{"How each constraint shrinks the space, in this order, on a logarithmic scale",
                                    "各约束按此顺序如何缩小空间，对数刻度"};
/// The name of the first row and column, which have the combinations before any constraint.
inline constexpr Text kRaw{"all combinations", "全部组合"};
/// Stands in place of the rows and columns until they are counted.
inline constexpr Text kCounting{"counting…", "计数中……"};
/// Lines of the tooltip of a constraint's row and column. "it" is the constraint. How many combinations it alone
/// leaves, and how many there are without constraints.
inline constexpr Text kAlone{"Alone it leaves {} of {}", "单独作用时留下 {1} 中的 {0}"};
inline constexpr Text kAloneTakesNothing{"Alone it takes nothing", "单独作用时不排除任何组合"};
/// How many combinations are left after the constraint and all before it; and the ratio of those left by the
/// constraints before it to these.
inline constexpr Text kLeaves{"leaves {}, 1 in {}", "留下 {}，即 {} 分之一"};
inline constexpr Text kTakesNothing{"takes nothing that those above leave", "上面各约束留下的全部保留"};

// The tooltip of a value's button: the value ("bx = 4"), the number of schedules with it that the pins of the other
// decisions leave, and their share.
inline constexpr Text kHasOne{"{}: {} schedule, {}", "{}：{} 个调度，占 {}"};
inline constexpr Text kHas{"{}: {} schedules, {}", "{}：{} 个调度，占 {}"};
inline constexpr Text kUncountedValue{"{}: not counted", "{}：未计数"};
/// Stands in the tooltips of a value and of a decision, before the constraints that name the decision, one a line.
inline constexpr Text kNamedIn{"named in", "出现于"};
/// The tooltip of a value that no schedule has. Below it stands kLooking, or the reason: kAnyOne or kPairs before a
/// list of constraints, pins (kPin) and pairs (kBoth), which ends with kMore if it is long; or kNoReason. kIncomplete
/// stands last.
inline constexpr Text kDead{"{}: no schedule has it", "{}：没有调度取此值"};
inline constexpr Text kLooking{"looking for the reason…", "正在查找原因……"};
inline constexpr Text kAnyOne{"It is possible without any one of these:", "去掉以下任意一项，它就可行："};
inline constexpr Text kPairs{"It is possible only without two at once:", "需同时去掉两项，它才可行："};
/// In that list: a pin of another decision, {} being the words on what that decides.
inline constexpr Text kPin{"your pin: {}", "你固定的取值：{}"};
/// In that list: two constraints.
inline constexpr Text kBoth{"{} and {}", "{} 与 {}"};
inline constexpr Text kMore{"and {} more", "另有 {} 项"};
inline constexpr Text kNoReason{"It stays impossible without any one or two of the constraints.",
                                "去掉任意一两个约束，它仍不可行。"};
inline constexpr Text kIncomplete{"There may be more: a trial took too long.",
                                  "可能还有其他原因：有一次尝试耗时过长。"};

/// The heading of the guess that a lesson's chapter may ask for: which of the chapter's configurations, the schedules
/// that it compares, is the fastest.
inline constexpr Text kGuess{"Which of them is the fastest?", "哪一个最快？"};
/// Stands below the heading while the pins leave several configurations, or none: how many.
inline constexpr Text kPinUntilOne{"Pin values until one schedule is left: {} are.",
                                   "固定取值直到只剩一个调度：现有 {} 个。"};
// Stands below the heading, too: the predicted time of the configurations that the pins leave; where they have several,
// the least and the greatest.
inline constexpr Text kPredictedOne{"The model: {}.", "模型：{}。"};
inline constexpr Text kPredictedRange{"The model: {} to {}.", "模型：{} 到 {}。"};
/// The button, with its tooltip, once the pins leave one configuration.
inline constexpr Text kReveal{"Show its measurement", "显示它的测量"};
inline constexpr Text kRevealTip{
    "Makes a branch of the schedule and says what it takes on the device, and how far that is from the fastest",
    "把这个调度作为分支，并给出它在设备上的时间，以及与最快者的差距"};
// What came of a guess: the configuration's name, its measured time and its predicted one; then its speed as a
// percentage of the fastest's, how many of the measured configurations are faster, and how many are measured. The
// measured time is a recorded one; in `kGuessedHere`, it is one of this machine.
inline constexpr Text kGuessed{"{}: {}, predicted {}; {} % of the fastest's speed, {} of {} kernels are faster.",
                               "{}：{}，预测 {}；速度为最快者的 {} %，{} / {} 个核函数更快。"};
inline constexpr Text kGuessedHere{"{}: {} here, predicted {}.", "{}：此处 {}，预测 {}。"};
inline constexpr Text kGuessUnknown{"{}: its time isn't known.", "{}：尚不知其时间。"};
/// Stands behind kGuessed if no measured configuration is faster.
inline constexpr Text kGuessRight{"That is the fastest.", "这就是最快的。"};
/// Stands in place of the guess until all of the chapter's configurations are made.
inline constexpr Text kMakingTimes{"All its schedules are being made…", "正在生成其全部调度……"};

inline constexpr PanelHelp kHelp{
    {"All schedules that rules make of the program: a row for each decision that they leave open, a button for each of "
     "its values.",
     "规则由程序生成的全部调度：规则留下的每个决策占一行，它的每个取值是一个按钮。"},
    {"The bar of a value is its share of the schedules, against the largest of its row. **Pinned** values are filled; "
     "a "
     "*grey* value is impossible: no schedule has it, and it says without which constraint or pin it would be. The "
     "columns "
     "at "
     "the top: how each constraint shrinks the space, on a logarithmic scale. How much one takes depends on the order.",
     "取值下的横条是含有它的调度所占比例，以该行最大者为满。**固定**的取值有底色；*灰色*"
     "的取值不可行：没有调度取它，并会"
     "说明去掉哪个约束或固定的取值它才可行。上方的柱：各约束如何缩小空间，对数刻度。各约束的作用取决于顺序。"},
    {"Counted exactly, not sampled: the space is a decision diagram, and a pin counts all values again at once. A "
     "space "
     "that is too large says that it is not counted.",
     "精确计数而非抽样：空间是一个决策图，固定一个取值后立即重新计数。过大的空间会说明未计数。"},
    {"Click a value: pinned to it; again: released. Ctrl+click: several values. **Draw one** makes a branch of a "
     "schedule that the pins allow.",
     "单击取值：固定；再次单击：取消。Ctrl+单击：多个取值。**抽取一个**把固定取值所允许的一个调度作为分支。"}};

}  // namespace loom::text::space
