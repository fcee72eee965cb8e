import { bashCompletion } from './bash.ts';
import type { CompletedCommand } from './completed-commands.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

/** A script for each shell, which it runs to know what can be completed. */
export const shellTable: { readonly [shell: string]: (commands: readonly CompletedCommand[]) => string } = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
