import type { CompletedCommand, CompletedValue } from './completed-commands.ts';

/** As one word of bash, zsh or sh. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What is known of the values of flags: a flag means the same in every command. */
export function valuesByFlag(commands: readonly CompletedCommand[]): ReadonlyMap<string, CompletedValue> {
  const known = new Map<string, CompletedValue>();
  for (const { name, value } of commands.flatMap(({ flags }) => flags)) {
    if (value !== undefined && value.words.length > 0) known.set(name, value);
  }
  return known;
}
