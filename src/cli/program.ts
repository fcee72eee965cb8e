import { flushCompileCache } from 'node:module';
import { isAbsolute, relative } from 'node:path';
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { RunningServer, ServerConfig } from '../server/config.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { waitAtMost } from '../api/time/deadline.ts';
import { StorageError } from '../storage/contract.ts';
import { UpkeepRefusedError } from '../storage/upkeep.ts';
import { SnapshotError } from '../storage/embedded/snapshot-file/snapshot-error.ts';
import { UsageError } from './errors.ts';
import { builtFlags } from './built-flags.ts';
import { addCompletionCommand } from './completion/completion-command.ts';
import { addServeOptions, allFlags, type FlagTexts, normalizeArguments, serverConfigOf } from './serve-options.ts';
import type { CommandOutput } from './command-output.ts';
import { overview } from './overview.ts';
import { ProgressLine } from './progress-line.ts';
import { isWithoutCommand, serveArguments } from './without-command.ts';
import { addSnapshotCommands } from './snapshot-command.ts';
import { addEnvtestCommands } from './envtest/envtest-commands.ts';
import { addStoreCommands } from './store-commands.ts';

/** Dependencies of the command. */
export interface ProgramOptions extends CommandOutput {
  readonly startServer: (config: ServerConfig) => Promise<RunningServer>;
  readonly stderr: (text: string) => void;
  /** Resolves when the process is asked to stop. */
  readonly stopRequested: () => Promise<void>;
  /** Stops the process when npm, below which it runs, has ended. */
  readonly endWithNpm?: () => void;
  /** Writes the code compiled during the start, for later starts. */
  readonly keepCompiled?: () => void;
  /** Returns the memory that the start took and no longer needs. */
  readonly releaseMemory?: () => void;
}

const versionText = `Binnacle ${packageJson.version} (Kubernetes 1.37)`;

/** Runs the command and returns its exit code. */
export async function runProgram(args: readonly string[], options: ProgramOptions): Promise<number> {
  try {
    const normalized = normalizeArguments(args);
    const isPlain = isWithoutCommand(normalized);
    if (isPlain) options.endWithNpm?.();
    const complete = isPlain ? serveArguments(normalized) : normalized;
    await programOf(complete, options).parseAsync(complete, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has already printed its own errors.
    if (error instanceof CommanderError) return error.exitCode;
    options.stderr(`binnacle: ${describe(error)}\n`);
    return 1;
  }
}

function programOf(args: readonly string[], options: ProgramOptions): Command {
  const program = new Command('binnacle')
    .description('a Kubernetes-compatible API server')
    .version(versionText, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .showHelpAfterError('binnacle --help lists commands, binnacle serve --help the flags of the server')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: options.stdout, writeErr: options.stderr });
  program.helpInformation = () => overview(program, versionText);
  const serve = program
    .command('serve')
    .summary('run the API server, with the flags of kube-apiserver')
    .description('run the API server; flags have the names and meanings of kube-apiserver')
    .action((texts: FlagTexts & { readonly dataDir: string }) =>
      serveUntilStopped(serverConfigOf(texts, builtFlags, process.env), options),
    );
  addServeOptions(serve, args);
  addEnvtestCommands(program, args, { ...options, settled: () => started(options) });
  addSnapshotCommands(program, options);
  addStoreCommands(program, options);
  addCompletionCommand(program, options, () => programOf(allFlags, options));
  program
    .command('version')
    .summary('print the version')
    .action(() => options.stdout(`${versionText}\n`));
  return program;
}

async function serveUntilStopped(config: ServerConfig, options: ProgramOptions): Promise<void> {
  const stopRequested = options.stopRequested();
  const starting = startShown(config, options);
  const server = await Promise.race([starting, stopRequested.then(() => startedIn(lastStartMs, starting))]);
  // Nobody has been served, and a store out of reach may keep it from starting for long.
  if (server === undefined) return;
  options.stdout(screen(server));
  void server.settled.then(() => started(options));
  await stopRequested;
  await server.close();
}

/** A large store, or an etcd that does not answer, takes a while. */
async function startShown(config: ServerConfig, { startServer, terminal }: ProgramOptions): Promise<RunningServer> {
  using _line = new ProgressLine('starting', terminal);
  return await startServer(config);
}

/** How long a start may go on after the process has been asked to stop. */
const lastStartMs = 5_000;

/** The server, if it has started in time. */
async function startedIn(ms: number, starting: Promise<RunningServer>): Promise<RunningServer | undefined> {
  let server: RunningServer | undefined;
  await waitAtMost(
    ms,
    starting.then((running) => (server = running)),
  );
  return server;
}

/** At the end of the start, so that killed servers benefit as well, and later starts load nothing but the start's. */
function started({ keepCompiled, releaseMemory }: ProgramOptions): void {
  flushCompileCache();
  keepCompiled?.();
  releaseMemory?.();
}

/** The start-up message. */
function screen({ url, kubeconfigPath }: RunningServer): string {
  const kubeconfig = shellQuote(shortPath(kubeconfigPath));
  return [
    `${versionText} serves ${url}`,
    '',
    `  kubeconfig   ${kubeconfig}`,
    `  try          kubectl --kubeconfig ${kubeconfig} get namespaces`,
    '',
    '',
  ].join('\n');
}

/** Relative if below the working directory. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

function shellQuote(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * System errors (a port in use, an unreadable file) are self-explanatory; anything else is a bug and is printed with
 * its stack.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof StorageError ||
    error.cause instanceof StorageError ||
    error instanceof SnapshotError ||
    error instanceof UpkeepRefusedError ||
    'syscall' in error
  ) {
    return error.message;
  }
  return error.stack ?? error.message;
}
