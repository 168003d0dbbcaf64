#pragma once

#include <span>
#include <string>

#include "app/text/text.h"
#include "core/ir/message.h"

namespace loom::text {

/// A message's id, its English template, and how it reads in Chinese. Where Chinese says names and numbers in another
/// order, it numbers them, `{0}`, `{1}`.
struct MessageWords {
  const char* id;
  const char* chinese;
};

/// What the core says of programs, files and machines. What compilers, profilers and the system say stays as they say
/// it.
std::span<const MessageWords> messages();
/// Its parts, each in a file of its own: devices, files and the model; steps and kernels; refusals of primitives that
/// rewrite what blocks compute; the executor, layouts and device programs; TVMScript as it is read; scripts in Python;
/// spaces of schedules; passes to tensor cores; rules of schedules; searches;
/// titles of steps; Hopper's copy engine and tensor cores; rules for products by its warpgroups.
std::span<const MessageWords> messagesOfMachines();
std::span<const MessageWords> messagesOfPrograms();
std::span<const MessageWords> messagesOfPrimitives();
std::span<const MessageWords> messagesOfExecution();
std::span<const MessageWords> messagesOfScript();
std::span<const MessageWords> messagesOfNotebooks();
std::span<const MessageWords> messagesOfSpaces();
std::span<const MessageWords> messagesOfTensorize();
std::span<const MessageWords> messagesOfRules();
std::span<const MessageWords> messagesOfSearch();
std::span<const MessageWords> messagesOfOwnRules();
std::span<const MessageWords> messagesOfTitles();
std::span<const MessageWords> messagesOfHopper();
std::span<const MessageWords> messagesOfWarpgroups();

/// A message of the core in a language. One that the table does not have stays as it is.
std::string wordsOf(Language language, const Message& message);

}  // namespace loom::text
