// `vapor completion SHELL`: a script that asks this program, `vapor complete -- WORDS...`, whenever
// a word is to be completed, so that it never goes stale.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "commands.h"
#include "options.h"
#include "vapor/core/text.h"

namespace vapor::command {
namespace {

// Readline splits words at : and =, which are part of a spec here: the words are taken from the
// line, and the part before the last of those characters is cut from every answer.
constexpr std::string_view kBash = R"(_vapor_complete() {
  local line="${COMP_LINE:0:COMP_POINT}" word tail prefix candidate about
  local -a words
  read -a words <<< "$line"
  [[ $line != *[[:blank:]] ]] || words+=("")
  word="${words[${#words[@]} - 1]}"
  tail="$word"
  [[ $COMP_WORDBREAKS != *:* ]] || tail="${tail##*:}"
  [[ $COMP_WORDBREAKS != *=* ]] || tail="${tail##*=}"
  prefix="${word%"$tail"}"
  COMPREPLY=()
  while IFS=$'\t' read -r candidate about; do
    case "$candidate" in
      :file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$tail") ;;
      :folder) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$tail") ;;
      *)
        COMPREPLY+=("${candidate#"$prefix"}")
        [[ $candidate != *= ]] || compopt -o nospace 2>/dev/null
        ;;
    esac
  done < <(@PROGRAM@ complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _vapor_complete @NAMES@
)";

constexpr std::string_view kZsh = R"(_vapor_complete() {
  local line word
  local -a closed closed_shown open open_shown
  for line in "${(@f)$(@PROGRAM@ complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    word="${line%%$'\t'*}"
    case "$word" in
      '') ;;
      :file) compset -P '--*='; _files ;;
      :folder) compset -P '--*='; _files -/ ;;
      *=) open+=("$word"); open_shown+=("${line/$'\t'/  -- }") ;;
      *) closed+=("$word"); closed_shown+=("${line/$'\t'/  -- }") ;;
    esac
  done
  (( ! $#closed )) || compadd -l -d closed_shown -a closed
  (( ! $#open )) || compadd -S '' -l -d open_shown -a open
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _vapor_complete @NAMES@
)";

constexpr std::string_view kFish = R"(function __vapor_complete
    set -l before (commandline -opc)
    set -l last (commandline -ct)
    test -n "$last"; or set last ''
    for line in (@PROGRAM@ complete -- $before[2..-1] "$last" 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path "$last"
            case :folder
                __fish_complete_directories "$last" ''
            case '*'
                echo $line
        end
    end
end
for name in @NAMES@
    complete -c $name -f -a '(__vapor_complete)'
end
)";

int print_script(const std::string& shell) {
  std::string script(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
  // By its path: ./run would look for changes and build at every press of the key.
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  // bash knows ./run by that path, the others by its last part.
  std::string called = program();
  if (shell != "bash") called.erase(0, called.rfind('/') + 1);
  const std::string names = called == "vapor" ? called : "vapor " + shell_word(called);
  script = CLI::detail::find_and_replace(script, "@PROGRAM@", shell_word(self));
  fmt::print("{}", CLI::detail::find_and_replace(script, "@NAMES@", names));
  return kGood;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes words");
  command->require_subcommand(1);
  command->footer(
      "The script completes subcommands, options, names, settings of a spec and files.\n"
      "Examples:\n"
      "  eval \"$(vapor completion bash)\"                       now, or in ~/.bashrc\n"
      "  eval \"$(./run completion bash)\"                       in a checkout, for ./run too\n"
      "  vapor completion zsh > ~/.vapor.zsh                   and source it in ~/.zshrc\n"
      "  vapor completion fish > ~/.config/fish/completions/vapor.fish");
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CLI::App* part = command->add_subcommand(shell, fmt::format("The script for {}", shell));
    part->footer(command->get_footer());
    part->callback([shell, &action] { action = [shell] { return print_script(shell); }; });
  }
}

}  // namespace vapor::command
