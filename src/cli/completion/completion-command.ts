import { Argument, type Command } from 'commander';
import { builtFlags } from '../built-flags.ts';
import type { CommandOutput } from '../command-output.ts';

const shells = ['bash', 'zsh', 'fish'];

/** `completion`; `complete` makes the program with all flags of all commands. */
export function addCompletionCommand(program: Command, { stdout }: CommandOutput, complete: () => Command): void {
  program
    .command('completion')
    .summary('print the completion script of bash, zsh or fish')
    .description('print the completion script of a shell, as in source <(binnacle completion bash)')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: string) => {
      const [{ shellTable }, { completedCommands }] = await Promise.all([
        import('./shell-table.ts'),
        import('./completed-commands.ts'),
      ]);
      stdout(shellTable[shell]?.(completedCommands(complete(), builtFlags)) ?? '');
    });
}
