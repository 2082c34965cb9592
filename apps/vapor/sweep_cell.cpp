#include "sweep_cell.h"

namespace vapor::command {

const char* name_of(CellStatus status) {
  switch (status) {
    case CellStatus::kUnfinished:
      return "unfinished";
    case CellStatus::kFinished:
    case CellStatus::kWasFinished:
      return "finished";
    case CellStatus::kFailed:
      return "failed";
  }
  return "unfinished";
}

std::string path_of(const GridCell& cell, const std::string& out) {
  return out + "/" + cell.folder;
}

CellStatus status_on_disk(const GridCell& cell, const std::string& out) {
  const std::string folder = path_of(cell, out);
  const std::optional<RunFile> run =
      cell.run() != nullptr ? expect_room_for(folder, header_of(*cell.run()).definition)
                            : read_run_file(folder);
  return run && run->finished ? CellStatus::kWasFinished : CellStatus::kUnfinished;
}

std::vector<std::string> words_of_child(const GridCell& cell, const std::string& out) {
  std::vector<std::string> words = cell.words();
  const std::string folder = path_of(cell, out);
  words.insert(words.end(),
               {"--out", folder.substr(0, folder.rfind('/')), "--threads", "1", "--quiet"});
  return words;
}

}  // namespace vapor::command
