import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

type ParsedArguments<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

interface Limits {
  /** How many positional arguments a tool needs. */
  readonly needed?: number;
}

/** Why a tool ends before it begins: the usage was requested, or an argument is wrong. */
export class UsageExit extends Error {
  readonly isWanted: boolean;

  constructor(text: string, isWanted: boolean) {
    super(text);
    this.isWanted = isWanted;
  }
}

/**
 * The arguments of a tool. Its file begins with a comment on what it does and how it is called: `--help` prints that
 * and ends the process, and arguments that the tool does not take print it as an error.
 */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  limits?: Limits,
): ParsedArguments<Config> {
  const usage = usageIn(readFileSync(process.argv[1] ?? '', 'utf8'));
  try {
    return argumentsIn(process.argv.slice(2), { usage, config, ...limits });
  } catch (error) {
    if (!(error instanceof UsageExit)) throw error;
    (error.isWanted ? process.stdout : process.stderr).write(error.message);
    process.exit(error.isWanted ? 0 : 2);
  }
}

interface Expected<Config> extends Limits {
  readonly usage: string;
  readonly config: Config;
}

/** Throws a UsageExit. */
export function argumentsIn<const Config extends ParseArgsConfig>(
  args: readonly string[],
  { usage, config, needed = 0 }: Expected<Config>,
): ParsedArguments<Config> {
  if (args.includes('--help')) throw new UsageExit(usage, true);
  try {
    const parsed = parseArgs({ ...config, args });
    if (parsed.positionals.length < needed) throw new TypeError('Arguments are missing');
    return parsed as ParsedArguments<Config>; // of the same options
  } catch (error) {
    throw new UsageExit(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, false);
  }
}

/** The text of the comment that a file begins with. */
export function usageIn(text: string): string {
  const [comment = ''] = /^(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(text) ?? [];
  return comment
    .replaceAll(/^(?:\/\*|\/\/ ?| \*\/| \* ?)/gm, '')
    .trim()
    .concat('\n');
}
