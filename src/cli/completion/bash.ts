import type { CompletedCommand } from './completed-commands.ts';
import { shellQuoted, valuesByFlag } from './shell-text.ts';

/** For bash 3.2 and newer, without the package bash-completion. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# Completion of binnacle for bash, written by \`binnacle completion bash\`.
_binnacle() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local command= commands= flags= flag= values= list= head= index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${command:+$command }\${COMP_WORDS[index]}" in
      ${paths.map(shellQuoted).join(' | ')}) command="\${command:+$command }\${COMP_WORDS[index]}" ;;
    esac
  done
  case $command in
${commands.map(commandCase).join('\n')}
  esac
  # Words end at = in most shells.
  if [[ $current == = ]]; then flag=$before current=
  elif [[ $before == = ]]; then flag=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $current == --*=* ]]; then flag=\${current%%=*} head=$flag= current=\${current#*=}
  elif [[ $before == -* && $current != -* && " $flags " == *" $before= "* ]]; then flag=$before
  fi
  if [[ -n $flag ]]; then
    case $flag in
${flagCases(commands).join('\n')}
    esac
    # Without any, readline completes names of files.
    [[ -n $values ]] || return
    if [[ -n $list && $current == *,* ]]; then head+=\${current%,*}, current=\${current##*,}; fi
    COMPREPLY=($(compgen -P "$head" -W "$values" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    if [[ \${#COMPREPLY[@]} == 1 && $COMPREPLY == *= ]] && type compopt &> /dev/null; then compopt -o nospace; fi
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o bashdefault -o default -F _binnacle binnacle
`;
}

function commandCase({ path, commands, words, flags }: CompletedCommand): string {
  const next = [...commands.map(({ name }) => name), ...words].join(' ');
  const names = flags.map(({ name, value }) => (value === undefined ? name : `${name}=`)).join(' ');
  return `    ${shellQuoted(path)}) commands=${shellQuoted(next)} flags=${shellQuoted(names)} ;;`;
}

function flagCases(commands: readonly CompletedCommand[]): readonly string[] {
  return [...valuesByFlag(commands)].map(
    ([name, { words, isList }]) => `      ${name}) values=${shellQuoted(words.join(' '))}${isList ? ' list=1' : ''} ;;`,
  );
}
