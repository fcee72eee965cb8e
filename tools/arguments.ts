import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

type ParsedArguments<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

interface Limits {
  /** How many positional arguments a tool needs. */
  readonly needed?: number;
}

/**
 * The arguments of a tool. Its file begins with a comment on what it does and how it is called: `--help` prints that
 * and ends the process, and arguments that the tool does not take print it as an error.
 */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  { needed = 0 }: Limits = {},
): ParsedArguments<Config> {
  const args = process.argv.slice(2);
  const usage = usageIn(readFileSync(process.argv[1] ?? '', 'utf8'));
  if (args.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    const parsed = parseArgs({ ...config, args });
    if (parsed.positionals.length < needed) throw new TypeError('Arguments are missing');
    return parsed as ParsedArguments<Config>; // of the same options
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
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
