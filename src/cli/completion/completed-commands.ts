import type { Command, Option } from 'commander';
import type { BuiltFlag } from '../flag.ts';
import { shownCommands } from '../leaf-commands.ts';

/** What can follow the words of a command, for shells to suggest. */
export interface CompletedCommand {
  /** `snapshot save`; empty: no command. */
  readonly path: string;
  /** Commands that may follow. */
  readonly commands: readonly CompletedWord[];
  /** Words in place of an argument. */
  readonly words: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

export interface CompletedWord {
  readonly name: string;
  readonly help: string;
}

export interface CompletedFlag extends CompletedWord {
  /** Without one: does not take the next word. */
  readonly value: CompletedValue | undefined;
}

export interface CompletedValue {
  /** Known ones; empty: of any kind, such as files. */
  readonly words: readonly string[];
  /** Several, with commas between them. */
  readonly isList: boolean;
}

/** The completions of all shown commands; `program` serves, with the flags of `serve`, if it is given no command. */
export function completedCommands(program: Command, rows: readonly BuiltFlag[]): readonly CompletedCommand[] {
  const values = new Map(rows.map(({ name, values: words }) => [name, words?.() ?? []]));
  const ofCommand = (command: Command, path: string): readonly CompletedCommand[] => {
    const inner = shownCommands(command);
    const complete: CompletedCommand = {
      path,
      commands: inner.map((each) => ({ name: each.name(), help: each.summary() })),
      words: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
      flags: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => completedFlag(option, values)),
    };
    return [complete, ...inner.flatMap((each) => ofCommand(each, `${path} ${each.name()}`.trim()))];
  };
  const [root, ...commands] = ofCommand(program, '');
  const serve = commands.find(({ path }) => path === 'serve');
  if (root === undefined) return commands;
  return [{ ...root, flags: [...root.flags, ...(serve?.flags ?? [])].filter(isFirstOfName) }, ...commands];
}

function isFirstOfName({ name }: CompletedFlag, index: number, flags: readonly CompletedFlag[]): boolean {
  return flags.findIndex((other) => other.name === name) === index;
}

function completedFlag(option: Option, values: ReadonlyMap<string, readonly string[]>): CompletedFlag {
  const name = option.long ?? option.flags;
  const type = /<([^<>]*)>$/.exec(option.flags)?.[1];
  const words = values.get(name.replace(/^--/, '')) ?? [];
  const takesNext = type !== undefined && type !== 'bool';
  return {
    name,
    help: option.description,
    value: takesNext ? { words, isList: type === 'strings' } : undefined,
  };
}
