import { Command } from 'commander';
import { addServeOptions, type FlagTexts, normalizeArguments, serverConfigOf } from '../../src/cli/serve-options.ts';
import type { ServerConfig } from '../../src/server/config.ts';

/** The authentication and authorization configuration of flags. */
export function serverConfigFor(flags: readonly string[]): Pick<ServerConfig, 'authentication' | 'authorization'> {
  const command = addServeOptions(new Command().exitOverride()).action(() => undefined);
  command.parse(normalizeArguments(flags), { from: 'user' });
  const { authentication, authorization } = serverConfigOf(command.opts<FlagTexts & { readonly dataDir: string }>());
  return { authentication, authorization };
}
