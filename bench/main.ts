import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAdmission } from './admission.ts';
import { measureAgainst } from './against.ts';
import { binnacle } from './binnacle.ts';
import { measureCel } from './cel/measure.ts';
import { measureCodecs } from './codecs/measure.ts';
import { comparisonText } from './comparison.ts';
import { measureOutgoing } from './outgoing.ts';
import { measurePermission } from './permission.ts';
import { measureOperations } from './operations.ts';
import { measureThreads } from './threads.ts';
import { measureQuota } from './quota.ts';
import { findReference, reference } from './reference.ts';
import { table, type TargetReport } from './report.ts';
import { measureDefinitions } from './rows/definitions.ts';
import { collectionRow, namespaceDeletionRow } from './rows/collection.ts';
import { listRows } from './rows/lists.ts';
import { measureManyObjects } from './rows/many-objects.ts';
import { manyWatchersRow, namespacesRow } from './rows/many-watchers.ts';
import { fullMemoryRow, idleMemoryRow, managedFieldsRow } from './rows/memory.ts';
import { createRow, requestRows } from './rows/requests.ts';
import type { Figure, Row } from './rows/row.ts';
import { measureStarts } from './rows/start.ts';
import { watchRow } from './rows/watch.ts';
import { writersRow } from './rows/writers.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

/** Run in this order on one server: later rows use the pods of earlier ones. */
const podRows: readonly Row[] = [
  idleMemoryRow,
  createRow,
  fullMemoryRow,
  managedFieldsRow,
  ...requestRows,
  ...listRows,
  watchRow,
];
/** Each on a fresh server. */
const ownRows: readonly Row[] = [namespacesRow, manyWatchersRow, writersRow, collectionRow, namespaceDeletionRow];

const rowNames = [
  'start',
  ...[...podRows, ...ownRows].map(({ name }) => name),
  'many-objects',
  'definitions',
  'codecs',
  'cel',
  'permission',
  'quota',
  'admission',
  'outgoing',
  'operations',
  'threads',
];
/** These compare other things than targets. */
const apart: readonly string[] = [
  'codecs',
  'cel',
  'permission',
  'quota',
  'admission',
  'outgoing',
  'operations',
  'threads',
];

const usage = `npm run bench -- [OPTIONS]
  --only ROW        ${rowNames.join(', ')}; may be repeated
  --no-reference    Binnacle alone
  --against FOLDER  another checkout in place of the reference, built, in turns with this one: start, requests, delete, lists, watch
  --flag FLAG       with --against, of this checkout's server only; may be repeated
  --settle COUNT    with --against, requests that are sent before those that count, 20000 unless told
  --pods COUNT      10000 unless told
  --objects COUNT   of the row many-objects, 100000 unless told
  --definitions COUNT of the row definitions, 1000 unless told
  --starts COUNT    starts to take the median of, 5 unless told
  --node-arg ARG    for the Node that runs Binnacle, such as --cpu-prof; may be repeated
  --json            figures as JSON in place of the table`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    'no-reference': { type: 'boolean', default: false },
    against: { type: 'string' },
    flag: { type: 'string', multiple: true, default: [] },
    settle: { type: 'string', default: '20000' },
    pods: { type: 'string', default: '10000' },
    objects: { type: 'string', default: '100000' },
    definitions: { type: 'string', default: '1000' },
    starts: { type: 'string', default: '5' },
    'node-arg': { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function isWanted(row: string): boolean {
  return options.only.length === 0 || options.only.includes(row);
}

async function measure(target: Target): Promise<TargetReport> {
  const figures: Figure[] = [];
  const add = (more: readonly Figure[]): void => {
    figures.push(...more);
    for (const { name, value, unit } of more) console.error(`${target.name}: ${name}: ${value.toFixed(1)} ${unit}`);
  };
  if (isWanted('start')) add(await measureStarts(target, Number(options.starts)));
  const wantedPodRows = podRows.filter(({ name }) => isWanted(name));
  if (wantedPodRows.length > 0) {
    await onFreshServer(target, async (session) => {
      for (const row of wantedPodRows) add(await row.run(session));
    });
  }
  for (const row of ownRows) {
    if (isWanted(row.name)) await onFreshServer(target, async (session) => add(await row.run(session)));
  }
  if (isWanted('many-objects')) await measureManyObjects(target, Number(options.objects), add);
  if (isWanted('definitions')) await measureDefinitions(target, Number(options.definitions), add);
  return { target: target.name, figures };
}

async function onFreshServer(target: Target, use: (session: Session) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    await using session = new Session(await target.start(dataDir), Number(options.pods));
    await use(session);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function targets(): readonly Target[] {
  const own = binnacle(options['node-arg']);
  const programs = options['no-reference'] ? undefined : findReference();
  return programs === undefined ? [own] : [own, reference(programs)];
}

if (options.help) {
  console.log(usage);
} else if (options.against !== undefined) {
  await measureAgainst({
    checkout: options.against,
    nodeArguments: options['node-arg'],
    flags: options.flag,
    settle: Number(options.settle),
    isWanted,
    report: (comparison) => console.log(options.json ? JSON.stringify(comparison) : comparisonText(comparison)),
  });
} else {
  // Targets are compared with each other, and codecs with codecs.
  const comparisons: (readonly TargetReport[])[] = [];
  if (rowNames.some((row) => !apart.includes(row) && isWanted(row))) {
    const reports: TargetReport[] = [];
    for (const target of targets()) reports.push(await measure(target));
    comparisons.push(reports);
  }
  if (isWanted('codecs')) comparisons.push(measureCodecs({ withReference: !options['no-reference'] }));
  if (isWanted('cel')) comparisons.push(await measureCel({ withReference: !options['no-reference'] }));
  if (isWanted('permission')) comparisons.push([await measurePermission(options['node-arg'])]);
  if (isWanted('quota')) comparisons.push([await measureQuota(options['node-arg'])]);
  if (isWanted('admission')) comparisons.push([await measureAdmission(options['node-arg'])]);
  if (isWanted('operations')) comparisons.push([await measureOperations(options['node-arg'])]);
  if (isWanted('threads')) comparisons.push(await measureThreads(options['node-arg']));
  if (isWanted('outgoing')) comparisons.push([await measureOutgoing(options['node-arg'])]);
  console.log(options.json ? JSON.stringify(comparisons.flat(), undefined, 2) : comparisons.map(table).join('\n\n'));
}
