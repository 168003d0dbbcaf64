#pragma once

#include "app/text/text.h"

/// The texts around an error's message (drawRefusal, refusal.h), wherever one is shown, each in English and Chinese; {}
/// stands for a value.
namespace loom::text::refusal {

/// Stand above the message: what forbids the step or other operation, one for each value of Forbids.
inline constexpr Text kByProgram{"the program forbids it", "程序本身不允许"};
inline constexpr Text kByHardware{"the hardware forbids it", "硬件不允许"};
inline constexpr Text kByTvm{"TVM forbids it", "TVM 不允许"};
inline constexpr Text kByInput{"the input is not valid", "输入无效"};
inline constexpr Text kByEnvironment{"this machine forbids it", "当前环境不允许"};
/// Stands behind one of the five texts above: the name of the wrong parameter.
inline constexpr Text kParameter{"parameter {}", "参数 {}"};
/// Stand before the remedy: kThisWorks if a primitive refused the step, whose remedy is a step to take instead; else
/// kRemedy.
inline constexpr Text kRemedy{"Possible first:", "可以先做："};
inline constexpr Text kThisWorks{"This works:", "可以这样做："};
/// Buttons beside a remedy of step lines: one applies them, the other puts them into the console.
inline constexpr Text kDoIt{"Apply", "应用"};
inline constexpr Text kFill{"To console", "填入控制台"};
/// Stand before a message that is in English alone, unless the window is in English: kCompilerSays for a compiler's,
/// kReaderSays for a parser's, kSaysInEnglish for any other one.
inline constexpr Text kCompilerSays{"The compiler refuses the kernel and says:",
                                    "编译器没有接受这个核函数，它的说明（英文）："};
inline constexpr Text kReaderSays{"The text can't be read as it stands:", "这段文字无法解析，原因（英文）："};
inline constexpr Text kSaysInEnglish{"The reason as it was given:", "给出的原因（英文）："};

}  // namespace loom::text::refusal
