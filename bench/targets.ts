import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binnacle } from './binnacle.ts';
import { binnacleOnEtcd } from './binnacle-on-etcd.ts';
import { type BenchOptions, defaultPods } from './options.ts';
import { findReference, reference } from './reference.ts';
import type { TargetReport } from './report.ts';
import type { AddFigures, Figure, Row } from './rows/row.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

/** Binnacle on its stores, and the reference if its programs are found, one after the other. */
export async function measureTargets(rows: readonly Row[], options: BenchOptions): Promise<readonly TargetReport[]> {
  const reports: TargetReport[] = [];
  for (const target of targetsOf(options)) reports.push(await measure(target, rows, options));
  return reports;
}

export type TargetChoice = Pick<BenchOptions, 'nodeArguments' | 'flags' | 'withReference' | 'onEtcd' | 'isEmbedded'>;

/** The targets that the options choose and whose programs are found. */
export function targetsOf({
  nodeArguments,
  flags,
  withReference,
  onEtcd,
  isEmbedded,
}: TargetChoice): readonly Target[] {
  const programs = findReference();
  if (onEtcd && programs === undefined) throw new Error('there is no etcd: see BINNACLE_REFERENCE in CONTRIBUTING.md');
  const found = programs === undefined ? [] : [programs];
  return [
    ...(isEmbedded ? [binnacle(nodeArguments, flags)] : []),
    ...(onEtcd ? found.map((folder) => binnacleOnEtcd(folder, nodeArguments, flags)) : []),
    ...(withReference ? found.map(reference) : []),
  ];
}

async function measure(target: Target, rows: readonly Row[], options: BenchOptions): Promise<TargetReport> {
  const figures: Figure[] = [];
  const add: AddFigures = (more) => {
    figures.push(...more);
    for (const { name, value, unit } of more) console.error(`${target.name}: ${name}: ${value.toFixed(1)} ${unit}`);
  };
  const onPods = rows.flatMap((row) => row.onPods ?? []);
  if (onPods.length > 0) {
    await withFreshServer(target, options, async (session) => {
      for (const measureOnPods of onPods) add(await measureOnPods(session));
    });
  }
  for (const { onFreshServer, ofTarget } of rows) {
    if (onFreshServer !== undefined)
      await withFreshServer(target, options, async (session) => add(await onFreshServer(session)));
    await ofTarget?.(target, options, add);
  }
  return { target: target.name, figures };
}

async function withFreshServer(
  target: Target,
  { pods = defaultPods }: BenchOptions,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    await using session = new Session(await target.start(dataDir), pods);
    await use(session);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
