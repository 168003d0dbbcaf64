#pragma once

#include <span>
#include <string>

#include "app/text/text.h"
#include "core/ir/message.h"

namespace loom::text {

/// One row of the tables of messages. Where Chinese names the arguments in another order, its placeholders are
/// numbered: `{0}`, `{1}`.
struct MessageWords {
  const char* id;       ///< the message's English template, which is its id, too
  const char* chinese;  ///< the same in Chinese; never null
};

/// Returns the rows of all tables below, which live as long as the program. What compilers, profilers and the operating
/// system say has no row, except for some common errors of files.
std::span<const MessageWords> messages();

/// The tables, one for each file `…_messages.cpp`. A message stands in the table of the thing that it is about.
std::span<const MessageWords> messagesOfMachines();    ///< devices, the worker, compilers, profiling by ncu
std::span<const MessageWords> messagesOfFiles();       ///< documents, functions, lessons, databases of results
std::span<const MessageWords> messagesOfModel();       ///< how predictions were obtained, and what can't be predicted
std::span<const MessageWords> messagesOfKernels();     ///< why a state is no kernel, and what its kernel doesn't do
std::span<const MessageWords> messagesOfSteps();       ///< step lines that can't be read, and refusals of primitives
std::span<const MessageWords> messagesOfPrimitives();  ///< refusals of primitives that rewrite what blocks compute
std::span<const MessageWords> messagesOfExecution();   ///< findings of the executor; layouts and device programs
std::span<const MessageWords> messagesOfScript();      ///< TVMScript that can't be read
std::span<const MessageWords> messagesOfNotebooks();   ///< Python scripts with schedules that can't be read
std::span<const MessageWords> messagesOfSpaces();      ///< spaces of schedules and their constraints
std::span<const MessageWords> messagesOfTensorize();   ///< the passes that take a block to tensor cores
std::span<const MessageWords> messagesOfRules();       ///< MetaSchedule's rules
std::span<const MessageWords> messagesOfSearch();      ///< searches and their strategies
std::span<const MessageWords> messagesOfOwnRules();    ///< rules that MetaSchedule lacks
std::span<const MessageWords> messagesOfTitles();      ///< titles of steps
std::span<const MessageWords> messagesOfHopper();      ///< Hopper's copy engine and its tensor cores
std::span<const MessageWords> messagesOfWarpgroups();  ///< rules for products by warpgroups of Hopper

/// Returns a message of the core in a language, with its arguments filled in; in English a noun after the number 1 is
/// in the singular. A message without a row is returned in English.
std::string wordsOf(Language language, const Message& message);

/// Returns a message as a sentence of its own: in English its first word has a capital letter, unless that is a name
/// (of an instruction, a step, a program of others) or the message begins with one.
std::string sentenceOf(Language language, const Message& message);

}  // namespace loom::text
