// A tuner's database, as TVM's MetaSchedule keeps it in two files of one folder, an entry a line:
//
//     database_workload.json        [hash, the module as TVM saves it, in base64]
//     database_tuning_record.json   [workload, [trace, [seconds of each run] or null, target, arguments]]
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"
#include "core/schedule/environment.h"

namespace loom::document {

struct Target;

// A time that a tuner's record names: taken by whoever tuned, on its target, not by this program.
struct TunedTime {
  int node = 0;                   // the state at the end of its trace
  int record = 0;                 // from 1
  std::optional<double> seconds;  // the mean of its runs; nothing where none succeeded
  int runs = 0;
  std::string target;  // "nvidia/nvidia-a100"; "" where it isn't said
  bool whole = true;   // whether all of its trace was applied: else the time isn't of the state
  // Of its entries, as the files have them: the workload's line, and of the record each run's seconds, the target and
  // the arguments. What tunerFiles writes again.
  std::string workload, runsText, targetText, argumentsText;

  // A record of the database that can be opened in this one's place.
  struct Choice {
    std::string word;       // what opens it: "results/db#3"
    Message text;           // its time, as text() says it
    std::string arguments;  // of its program; "" where they aren't said
  };
  // All of the database's, as TunerDatabase::ranked orders them, where it has several and none was asked for by number.
  std::vector<Choice> choices;

  // Returns a sentence: "tuner's record 3: 500 µs on nvidia/nvidia-a100, the mean of 3 runs".
  Message text() const;
};

// A database of MetaSchedule: its workloads and tuning records.
struct TunerDatabase {
  struct Workload {
    int line = 0;         // in its file, from 1
    std::string program;  // JSON, as script::readSavedProgram takes it
    std::string text;     // of the line
  };
  struct Record {
    int line = 0;                  // in its file, from 1
    std::size_t workload = 0;      // index in `workloads`
    std::string trace;             // JSON, as schedule::stepLines takes it
    std::size_t instructions = 0;  // of the trace
    std::vector<double> seconds;   // of each run; empty where none succeeded
    std::string target;            // "nvidia/nvidia-a100", "cuda sm_80"; "" where it isn't said
    std::string arguments;         // of the program: "float32[64, 64], float32[64, 64]"; "" where they aren't said
    std::string runsText, targetText, argumentsText;  // JSON of the last three entries; "null" where there is none

    // Returns the mean time of its runs, in seconds, by which the tuner ranks records; nothing if no run succeeded.
    std::optional<double> mean() const;
  };

  std::filesystem::path workloadFile, recordFile;
  std::vector<Workload> workloads;
  std::vector<Record> records;   // in the order of the file; people count them from 1
  std::vector<Message> remarks;  // lines that are passed over, a sentence each

  // Returns the indices of all records, by workload; within one the fastest comes first and those without a time last.
  std::vector<std::size_t> ranked() const;
  // Returns the record with the least mean time, or else the first; nothing if there are no records.
  std::optional<std::size_t> best() const;
};

// The two files of a database, of which `path` is one, or their folder; nothing where that is no database. Of files
// under other names, one tells of the other by "workload" and "tuning_record" in its name.
struct DatabaseFiles {
  std::filesystem::path workload, records;
};
std::optional<DatabaseFiles> databaseAt(const std::filesystem::path& path);

// Reads a database. A line that can't be read is passed over, with a remark. Errors: those of reading a file;
// "ParseError" if no line can be read.
Result<TunerDatabase> readDatabase(const DatabaseFiles& files);
// Reads a database from the texts of its files.
Result<TunerDatabase> readDatabase(std::string_view workloads, std::string_view records, const DatabaseFiles& files);

// Opens the program of a record, scheduled as far as its trace can be applied (Target::refusal says where it ends). The
// record's time and target are in Target::tuned and in the note of the state that they are of. Errors: "ParseError" for
// a program that can't be read, and those of History::create.
Result<Target> openRecord(const TunerDatabase& database, std::size_t record, const schedule::Environment& environment);
// Opens a workload's program, unscheduled.
Result<Target> openWorkload(const TunerDatabase& database, std::size_t workload);

// "results/db#3" → "results/db" and 3; a word without a number, or that names a file as it is, stays whole.
struct RecordWord {
  std::string path;
  std::optional<int> record;  // from 1
};
RecordWord recordWord(const std::string& word);

// Opens what a word that names a database stands for: the record whose number it has, or else the best one, with a
// remark on how many there are. For a database without records this is its only workload. Returns nothing if the word
// names no database. Errors: the above, and "NoSuchTarget" for a record that isn't there, or for several workloads
// without records.
std::optional<Result<Target>> openDatabase(const std::string& word, const schedule::Environment& environment);

// Returns the two files of a database with one record: the state `node` of the program that the target's record has,
// with this trace. It has the times of the record's runs if the state is the one that they are of, else none. Error
// "NoSuchTarget" for a target that wasn't opened from a record, because a database has its program as TVM saves it,
// which is only copied here.
Result<std::map<std::string, std::string>> tunerFiles(const Target& target, int node, const std::string& trace);

// Opens an unscheduled module, with a remark on the functions that aren't TIR's.
Result<Target> openModule(const ir::Module& module, const std::string& title,
                          const std::vector<std::string>& passedOver);

}  // namespace loom::document
