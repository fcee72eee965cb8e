export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Runs a command on a terminal, which `script` of util-linux makes; with the exit code of the command. */
export function onTerminal(command: readonly string[], { columns, rows }: TerminalSize): readonly [string, string[]] {
  const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return ['script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${words.join(' ')}`, '/dev/null']];
}
