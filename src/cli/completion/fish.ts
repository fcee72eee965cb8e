import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed-commands.ts';

/** For fish 3 and newer. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# Completion of binnacle for fish, written by \`binnacle completion fish\`.
function __binnacle_command
    set -l command
    for word in (commandline -opc)[2..-1]
        switch (string join -- ' ' $command $word)
            case ${paths.map(fishQuoted).join(' ')}
                set -a command $word
        end
    end
    string join -- ' ' $command
end
function __binnacle_is
    test (__binnacle_command | string collect --allow-empty) = $argv[1]
end
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ path, commands, words, flags }: CompletedCommand): readonly string[] {
  const where = `complete -c binnacle -n ${fishQuoted(`__binnacle_is ${fishQuoted(path)}`)}`;
  const described = (help: string): string => (help === '' ? '' : ` -d ${fishQuoted(help)}`);
  return [
    ...commands.map(({ name, help }) => `${where} -f -a ${fishQuoted(name)}${described(help)}`),
    ...words.map((word) => `${where} -f -a ${fishQuoted(word)}`),
    ...flags.map((flag) => `${where} ${optionText(flag)}${described(flag.help)}`),
  ];
}

function optionText({ name, value }: CompletedFlag): string {
  const long = `-l ${name.replace(/^--/, '')}`;
  return value === undefined ? long : `${long} -r${valueText(value)}`;
}

function valueText({ words, isList }: CompletedValue): string {
  if (words.length === 0) return ' -F';
  if (!isList) return ` -f -a ${fishQuoted(words.join(' '))}`;
  const print = `printf '%s\\n' ${words.map(fishQuoted).join(' ')}`;
  return ` -f -a ${fishQuoted(`(__fish_complete_list , ${fishQuoted(print)})`)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
