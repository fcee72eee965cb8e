import type { CompletedCommand, CompletedFlag, CompletedWord } from './completed-commands.ts';
import { shellQuoted } from './shell-text.ts';

/** To be sourced after `compinit`, or as a file \`_binnacle\` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `#compdef binnacle
# Completion of binnacle for zsh, written by \`binnacle completion zsh\`.
_binnacle() {
  local command= index state
  local -a commands flags line
  local -A opt_args
  for ((index = 2; index < CURRENT; index++)); do
    case "\${command:+$command }\${words[index]}" in
      (${paths.map(shellQuoted).join('|')}) command="\${command:+$command }\${words[index]}" ;;
    esac
  done
  case $command in
${commands.map(commandCase).join('\n')}
  esac
  _arguments -C : $flags '*: :->word' && return
  [[ $state == word ]] || return
  if (( $#commands )); then _describe command commands; else _files; fi
}
if [[ $funcstack[1] == _binnacle ]]; then _binnacle "$@"; else compdef _binnacle binnacle; fi
`;
}

function commandCase({ path, commands, words, flags }: CompletedCommand): string {
  const next = [...commands.map(describedWord), ...words.map(shellQuoted)];
  return `    (${shellQuoted(path)})
      commands=(${next.join(' ')})
      flags=(
${flags.map((flag) => `        ${argumentSpec(flag)}`).join('\n')}
      ) ;;`;
}

function describedWord({ name, help }: CompletedWord): string {
  return shellQuoted(`${name}:${help}`);
}

/** As \`_arguments\` reads it: \`*--flag=[help]:value:action\`. */
function argumentSpec({ name, help, value }: CompletedFlag): string {
  const text = help.replaceAll(/[[\]\\:]/g, String.raw`\$&`);
  if (value === undefined) return shellQuoted(`${name}[${text}]`);
  const { words, isList } = value;
  const list = words.map((word) => word.replaceAll(/[\\:*[\]()]/g, String.raw`\$&`)).join(' ');
  const action = words.length === 0 ? '_files' : isList ? `_values -s , value ${list}` : `(${list})`;
  return shellQuoted(`*${name}=[${text}]:value:${action}`);
}
