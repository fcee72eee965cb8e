import type { ServerConfig } from '../server/config.ts';
import type { FlagType } from './flag-types.ts';

/** A flag that the server honours: what the help says of it, and what its occurrences change in the configuration. */
export interface BuiltFlag {
  readonly name: string;
  readonly help: string;
  /** The type as the help shows it, of a flag that the reference does not have. */
  readonly ownType?: string;
  /** Without the flag Binnacle does something else than the reference; the help tells what. */
  readonly ownDefault?: boolean;
  readonly apply: (config: ServerConfig, texts: readonly string[]) => ServerConfig;
}

interface FlagDefinition<T> {
  readonly type: FlagType<T>;
  readonly help: string;
  readonly ownType?: string;
  readonly ownDefault?: boolean;
  /** The sections of the configuration that change. Throws a FlagValueError for a value of the right type that makes no sense. */
  readonly set: (value: T, config: ServerConfig) => Partial<ServerConfig>;
}

export function flag<T>(name: string, { type, set, ...shown }: FlagDefinition<T>): BuiltFlag {
  return { name, ...shown, apply: (config, texts) => ({ ...config, ...set(type(texts), config) }) };
}
