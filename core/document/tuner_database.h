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

// A time that a tuning record states. It was measured by whoever ran the tuner, on the record's target, not by this
// program.
struct TunedTime {
  int node = 0;                   // the state of the history that the record's trace leads to
  int record = 0;                 // the number of the record among the readable ones of its file, from 1
  std::optional<double> seconds;  // the mean of the runs that succeeded; nothing if none did
  int runs = 0;                   // number of the record's runs that succeeded
  std::string target;             // "nvidia/nvidia-a100"; "" if the record doesn't say it
  bool whole = true;              // whether the whole trace was applied; if not, the time isn't that of the state
  // JSON text that `tunerFiles` writes again as it was read: the line of the workload, and the record's seconds of each
  // run, target and arguments.
  std::string workload, runsText, targetText, argumentsText;

  // A record of the database that can be opened instead of this one.
  struct Choice {
    std::string word;       // the word that opens the record: "results/db#3"
    Message text;           // the record's time, as the sentence that text() returns
    std::string arguments;  // the arguments of the record's program; "" if the record doesn't say them
  };
  // The first records of the database in the order of TunerDatabase::ranked, 1000 at most. Empty if the database has
  // only one record, or if the user chose this one by its number.
  std::vector<Choice> choices;

  // Returns a sentence: "tuner's record 3: 500 µs on nvidia/nvidia-a100, the mean of 3 runs", or that it has no time.
  Message text() const;
};

// A database of MetaSchedule: its workloads and tuning records.
struct TunerDatabase {
  struct Workload {
    int line = 0;         // number of the line in `workloadFile`, from 1
    std::string program;  // the module as TVM saves it, in JSON; empty if the line can't be read
    std::string text;     // the whole line
  };
  struct Record {
    int line = 0;                  // number of the line in `recordFile`, from 1
    std::size_t workload = 0;      // index in `workloads`, as the file has it; may be beyond the last one
    std::string trace;             // TVM's trace of the schedule, in JSON
    std::size_t instructions = 0;  // number of the trace's instructions
    std::vector<double> seconds;   // time of each run that succeeded; empty if none did
    std::string target;            // "nvidia/nvidia-a100", "cuda sm_80"; "" if the record doesn't say it
    std::string arguments;         // the program's arguments: "float32[64, 64], float32[64, 64]"; "" if unknown
    // JSON of the record's last three entries: the seconds of each run, the target, the arguments; "null" for an entry
    // that is missing.
    std::string runsText, targetText, argumentsText;

    // Returns the mean time, in seconds, of the runs that succeeded, by which records are ranked; nothing if none did.
    std::optional<double> mean() const;
  };

  std::filesystem::path workloadFile, recordFile;
  std::vector<Workload> workloads;
  std::vector<Record> records;  // those that can be read, in the order of the file; texts for users count them from 1
  // A sentence for each line that can't be read and is passed over, for at most five lines of a file, and one on the
  // number of further lines.
  std::vector<Message> remarks;

  // Returns the indices of all records, in the order of their workloads. Within a workload the fastest record comes
  // first; records without a time come last.
  std::vector<std::size_t> ranked() const;
  // Returns the index of the record with the least mean time, of any workload, or the first record's if none has a
  // time; nothing if there are no records.
  std::optional<std::size_t> best() const;
};

// The two files of a database.
struct DatabaseFiles {
  std::filesystem::path workload, records;  // one of them may be empty or name no file
};
// Returns the two files of the database at `path`, which is their folder or one of the two files. If the files have
// other names than TVM's, the name of the second file is that of the given one with "workload" and "tuning_record"
// exchanged. Returns nothing if there is no database at `path`: a folder must have one of TVM's two files; a file must
// begin with an entry of a database, or be a .json file with "tuning_record" in its name or "workload" at its end.
std::optional<DatabaseFiles> databaseAt(const std::filesystem::path& path);

// Reads a database. A line that can't be read is passed over, with a remark. Errors: "NoSuchFile", "CantRead" or
// "TooLarge" for a file that can't be read; "ParseError" if no line of the workloads' file is one. Without a file of
// tuning records, the database has none, and a remark.
Result<TunerDatabase> readDatabase(const DatabaseFiles& files);
// Reads a database from the texts of its files, which remarks and errors call `files`. Error "ParseError" as above.
Result<TunerDatabase> readDatabase(std::string_view workloads, std::string_view records, const DatabaseFiles& files);

// Opens the program of a record with the steps of its trace, as far as they can be applied; Target::refusal says which
// step was refused. `record` is an index into TunerDatabase::records, from 0. The record's time and target are in
// Target::tuned and in the note of the state that the trace leads to. Errors: "ParseError" for a program or a trace
// that can't be read, or a record of a workload that the database lacks; "ValueError" for a program that can't be
// scheduled.
Result<Target> openRecord(const TunerDatabase& database, std::size_t record, const schedule::Environment& environment);
// Opens the unscheduled program of a workload, which is an index into TunerDatabase::workloads. Errors as those of
// `openRecord`.
Result<Target> openWorkload(const TunerDatabase& database, std::size_t workload);

// A word that may name a database and one of its records.
struct RecordWord {
  std::string path;
  std::optional<int> record;  // the number in the word; records are counted from 1. Nothing: the word has none
};
// Returns the parts of "results/db#3": "results/db" and 3. A word without a number ("db", "db#x"), or that is the path
// of something that exists, stays whole; "db#0" is split.
RecordWord recordWord(const std::string& word);

// Opens what a word that names a database stands for: the record whose number the word has, or else the best one, with
// a remark on how many there are. For a database without records this is its only workload. Returns nothing if there is
// no database at the word's path, unless the word has a record's number and the path exists, which is an error. Errors:
// those of `readDatabase` and `openRecord`, and "NoSuchTarget" for the number of a record that isn't there, also in a
// file that is no database, or for several workloads without records.
std::optional<Result<Target>> openDatabase(const std::string& word, const schedule::Environment& environment);

// Returns the two files of a database, name → content, with one record: `trace` (TVM's JSON), which leads to the state
// `node` of the target. The record has the times of the runs of Target::tuned if `node` is the state that they were
// measured of and TunedTime::whole, else none. Errors: "ParseError" if `trace` is no JSON; "NoSuchTarget" for a target
// that wasn't opened from a record, because a database has its program as TVM saves it, which is only copied here.
Result<std::map<std::string, std::string>> tunerFiles(const Target& target, int node, const std::string& trace);

// Opens an unscheduled module as a target with this title. `passedOver` has the names of its functions that aren't
// TIR's; if there are some, the target has a remark that names them. Error "ValueError" if it can't be scheduled.
Result<Target> openModule(const ir::Module& module, const std::string& title,
                          const std::vector<std::string>& passedOver);

}  // namespace loom::document
