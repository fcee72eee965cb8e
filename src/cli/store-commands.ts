import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { compactPath, defragPath } from '../http/routes/upkeep-routes.ts';
import { storageFolder } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { ProgressLine } from './progress-line.ts';
import type { CommandOutput } from './command-output.ts';
import { defaultDataDir } from './serve-options.ts';
import { hasStore } from './snapshot-source.ts';
import { finish, runUpkeep } from './upkeep-source.ts';

interface CompactTexts {
  readonly dataDir: string;
  readonly revision?: string;
  readonly keep?: string;
}

/** `compact`, `defrag` and `upgrade-store`: maintenance of the store, named as in etcdctl where etcd has it. */
export function addStoreCommands(program: Command, output: CommandOutput): void {
  program
    .command('compact')
    .summary('discard old revisions of the store')
    .description('discard old revisions of the store, with or without a running server; reads of them answer 410')
    .option('--data-dir <string>', 'data directory of the store, or of a server that uses etcd', defaultDataDir)
    .option('--revision <int>', 'the oldest revision that remains readable; default: the current one')
    .option('--keep <int>', 'instead: how many revisions before the current one remain readable')
    .action((texts: CompactTexts) => compact(texts, output));
  program
    .command('defrag')
    .summary('return free space of the store to the file system')
    .description('return the free space of the store to the file system, with or without a running server')
    .option('--data-dir <string>', 'data directory of the store, or of a server that uses etcd', defaultDataDir)
    .action((texts: { readonly dataDir: string }) => defragment(texts, output));
  program
    .command('upgrade-store')
    .summary('rewrite a store of an older format')
    .description('rewrite an embedded store of an older format, without a running server; keeps the original')
    .option('--data-dir <string>', 'data directory of the store', defaultDataDir)
    .action((texts: { readonly dataDir: string }) => upgrade(texts, output));
}

async function compact({ dataDir, revision, keep }: CompactTexts, { stdout, terminal }: CommandOutput): Promise<void> {
  if (revision !== undefined && keep !== undefined) throw new UsageError('--revision and --keep exclude each other');
  const target =
    revision === undefined ? { keep: numberOf('--keep', keep ?? '0') } : { revision: numberOf('--revision', revision) };
  const query = new URLSearchParams(Object.entries(target).map(([name, value]) => [name, String(value)]));
  using line = new ProgressLine('compacting', terminal);
  const compacted = await runUpkeep({
    dataDir: resolve(dataDir),
    here: (upkeep) => upkeep.compact(target),
    path: `${compactPath}?${query.toString()}`,
    onProgress: (progress) => line.show(progress),
  });
  line[Symbol.dispose]();
  stdout(
    compacted.revision === 0
      ? 'nothing to compact: the history is shorter than that\n'
      : `compacted; the oldest readable revision is ${compacted.revision}\n`,
  );
}

async function defragment({ dataDir }: { readonly dataDir: string }, output: CommandOutput): Promise<void> {
  using line = new ProgressLine('defragmenting', output.terminal);
  const { beforeBytes, afterBytes } = await runUpkeep({
    dataDir: resolve(dataDir),
    here: (upkeep) => upkeep.defragment(),
    path: defragPath,
    onProgress: (progress) => line.show(progress),
  });
  line[Symbol.dispose]();
  output.stdout(`defragmented; ${beforeBytes} bytes before, ${afterBytes} bytes after\n`);
}

async function upgrade({ dataDir }: { readonly dataDir: string }, output: CommandOutput): Promise<void> {
  if (!hasStore(resolve(dataDir))) throw new UsageError(`${dataDir} contains no store`);
  // Loads SQLite, which is used nowhere else on this thread.
  const { upgradeStore } = await import('../storage/embedded/upgrade.ts');
  using line = new ProgressLine('upgrading', output.terminal);
  const work = upgradeStore(join(resolve(dataDir), storageFolder));
  const { from, to, backup } = await finish(work, (progress) => line.show(progress));
  line[Symbol.dispose]();
  output.stdout(
    backup === undefined
      ? `the store has the current format, ${to}\n`
      : `upgraded from format ${from} to ${to}\nthe store as it was is ${backup}; delete it when you no longer need it\n`,
  );
}

function numberOf(flag: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new UsageError(`${flag}: ${text} is not a non-negative integer`);
  return value;
}
