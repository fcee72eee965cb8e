import type { Argument, Command } from 'commander';

/** A command that does something, rather than only having subcommands. */
export interface LeafCommand {
  /** `snapshot save <file>` */
  readonly usage: string;
  readonly command: Command;
}

/** The commands that help shows, in the order in which they were added. */
export function leafCommands(program: Command): readonly LeafCommand[] {
  return shownCommands(program).flatMap((command): readonly LeafCommand[] => {
    const inner = leafCommands(command);
    if (inner.length > 0) return inner.map((leaf) => ({ ...leaf, usage: `${command.name()} ${leaf.usage}` }));
    return [{ usage: [command.name(), ...command.registeredArguments.map(argumentText)].join(' '), command }];
  });
}

/** Without commander's `help`, which only leads to what `--help` prints. */
export function shownCommands(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
}

function argumentText(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}
