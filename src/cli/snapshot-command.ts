import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { storageFolder } from '../server/config.ts';
import type { SnapshotSummary } from '../storage/embedded/snapshot-file/format.ts';
import { inspectSnapshot, saveSnapshot } from '../storage/embedded/snapshot-file/save.ts';
import type { Progress } from '../storage/upkeep.ts';
import { addressOfServer } from './ask-server.ts';
import { UsageError } from './errors.ts';
import { defaultDataDir } from './serve-options.ts';
import { ProgressLine } from './progress-line.ts';
import type { CommandOutput } from './command-output.ts';
import { withSnapshot } from './snapshot-source.ts';

/** More writes than a store receives between a snapshot and its loss: 1,600 a second for a week. */
const defaultBump = 1_000_000_000;

/** `snapshot save`, `restore` and `status`, named as in etcdctl and etcdutl. */
export function addSnapshotCommands(program: Command, output: CommandOutput): void {
  const { stdout } = output;
  const snapshot = program
    .command('snapshot')
    .summary('back up and restore the embedded store')
    .description('back up and restore the embedded store');
  snapshot
    .command('save <file>')
    .summary('back up the store, while the server runs or not')
    .description('save the store at one revision to a file, with or without a running server')
    .option('--data-dir <string>', 'data directory of the store', defaultDataDir)
    .action(async (file: string, { dataDir }: { readonly dataDir: string }) => {
      const summary = await save(resolve(file), resolve(dataDir), output);
      stdout(`saved ${file}\n${describeSnapshot(summary)}`);
    });
  snapshot
    .command('status <file>')
    .summary('verify a snapshot file and print a summary')
    .description('verify a snapshot file and print a summary')
    .action(async (file: string) => stdout(describeSnapshot(await inspect(resolve(file), output))));
  snapshot
    .command('restore <file>')
    .summary('restore a snapshot file to a new data directory')
    .description('restore a snapshot file to a data directory without a store')
    .option('--data-dir <string>', 'data directory of the new store', defaultDataDir)
    .option('--bump-revision <int>', "how far the new store's revision is ahead of the snapshot's", String(defaultBump))
    .action(async (file: string, options: RestoreTexts) => stdout(await restore(file, options, output)));
}

async function save(path: string, dataDir: string, { terminal }: CommandOutput): Promise<SnapshotSummary> {
  using line = new ProgressLine('saving', terminal);
  return await withSnapshot(dataDir, ({ chunks, keys: total }) =>
    saveSnapshot(path, chunks, (done) => line.show({ done, total, unit: 'keys' })),
  );
}

async function inspect(path: string, { terminal }: CommandOutput): Promise<SnapshotSummary> {
  using line = new ProgressLine('verifying', terminal);
  return await inspectSnapshot(path, (progress) => line.show(progress));
}

interface RestoreTexts {
  readonly dataDir: string;
  readonly bumpRevision: string;
}

async function restore(file: string, options: RestoreTexts, { terminal }: CommandOutput): Promise<string> {
  const bumpRevision = Number(options.bumpRevision);
  if (!/^\d+$/.test(options.bumpRevision) || !Number.isSafeInteger(bumpRevision))
    throw new UsageError(`--bump-revision: ${options.bumpRevision} is not a non-negative integer`);
  const running = await addressOfServer(resolve(options.dataDir));
  if (running !== undefined) {
    const instead = 'stop it first, or restore to another data directory';
    throw new UsageError(`the server at ${running} runs on ${options.dataDir}: ${instead}`);
  }
  const dataDir = join(resolve(options.dataDir), storageFolder);
  // Loads SQLite, which is used nowhere else on this thread.
  const { restoreSnapshot } = await import('../storage/embedded/snapshot-file/restore.ts');
  using line = new ProgressLine('restoring', terminal);
  const onProgress = (progress: Progress): void => line.show(progress);
  const restored = await restoreSnapshot({ path: resolve(file), dataDir, bumpRevision, onProgress });
  return `restored to ${options.dataDir}; it goes on from revision ${restored.startRevision}\n${describeSnapshot(restored)}`;
}

function describeSnapshot({ revision, keys, sizeBytes, digest }: SnapshotSummary): string {
  const fields = { revision, keys, 'size in bytes': sizeBytes, sha256: digest };
  return Object.entries(fields)
    .map(([name, value]) => `  ${name.padEnd(14)} ${value}\n`)
    .join('');
}
