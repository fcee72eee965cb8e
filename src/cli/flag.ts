import { resolve } from 'node:path';
import type { ServerConfig } from '../server/config.ts';
import type { FlagType } from './flag-types.ts';

/** A supported flag: its help text, and how its occurrences change the configuration. */
export interface BuiltFlag {
  readonly name: string;
  readonly help: string;
  /** The type shown in the help, for flags that the reference does not have. */
  readonly ownType?: string;
  /** Binnacle's default differs from the reference's; the help says how. */
  readonly ownDefault?: boolean;
  /** Values that shells complete, or the items of a list. */
  readonly values?: () => readonly string[];
  readonly apply: (config: ServerConfig, texts: readonly string[]) => ServerConfig;
}

interface FlagDefinition<T> {
  readonly type: FlagType<T>;
  readonly help: string;
  readonly ownType?: string;
  readonly ownDefault?: boolean;
  readonly values?: () => readonly string[];
  /** The changed sections of the configuration. Throws a FlagValueError for invalid values of the right type. */
  readonly set: (value: T, config: ServerConfig) => Partial<ServerConfig>;
}

export function flag<T>(name: string, { type, set, ...shown }: FlagDefinition<T>): BuiltFlag {
  return { name, ...shown, apply: (config, texts) => ({ ...config, ...set(type(texts), config) }) };
}

/** The absolute path of a file that a flag names; undefined for an empty value. */
export function fileOf(path: string): string | undefined {
  return path === '' ? undefined : resolve(path);
}
