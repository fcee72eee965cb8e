import { Command } from 'commander';
import { addServeOptions, type FlagTexts, normalizeArguments, serverConfigOf } from '../../src/cli/serve-options.ts';
import type { ServerConfig } from '../../src/server/config.ts';

/** The whole configuration of flags. */
export function configOf(flags: readonly string[]): ServerConfig {
  const args = normalizeArguments(flags);
  const command = addServeOptions(new Command().exitOverride(), args).action(() => undefined);
  command.parse(args, { from: 'user' });
  return serverConfigOf(command.opts<FlagTexts & { readonly dataDir: string }>());
}

/** The authentication and authorization configuration of flags. */
export function serverConfigFor(flags: readonly string[]): Pick<ServerConfig, 'authentication' | 'authorization'> {
  const { authentication, authorization } = configOf(flags);
  return { authentication, authorization };
}
