import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Names of rows; empty: all. */
  readonly only: readonly string[];
  readonly withReference: boolean;
  /** The folder of another checkout, built. */
  readonly against: string | undefined;
  /** Whether Binnacle is measured on the embedded store. */
  readonly isEmbedded: boolean;
  /** Whether Binnacle is measured on an etcd. */
  readonly onEtcd: boolean;
  /** Flags of Binnacle; where two checkouts are compared, of the server of this one only. */
  readonly flags: readonly string[];
  /** Requests that are sent first, for V8 to compile what they run. */
  readonly settle: number;
  /** Undefined: as many as the row has unless told. */
  readonly pods: number | undefined;
  readonly nodes: number;
  readonly objects: number;
  readonly definitions: number;
  readonly starts: number;
  readonly nodeArguments: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
}

export const defaultPods = 10_000;

export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      'no-reference': { type: 'boolean', default: false },
      against: { type: 'string' },
      etcd: { type: 'boolean', default: false },
      'no-embedded': { type: 'boolean', default: false },
      flag: { type: 'string', multiple: true, default: [] },
      settle: { type: 'string', default: '20000' },
      pods: { type: 'string' },
      nodes: { type: 'string', default: '100' },
      objects: { type: 'string', default: '100000' },
      definitions: { type: 'string', default: '1000' },
      starts: { type: 'string', default: '5' },
      'node-arg': { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, against, json, help } = values;
  return {
    only,
    against,
    json,
    help,
    withReference: !values['no-reference'],
    isEmbedded: !values['no-embedded'],
    onEtcd: values.etcd,
    flags: values.flag,
    settle: Number(values.settle),
    pods: values.pods === undefined ? undefined : Number(values.pods),
    nodes: Number(values.nodes),
    objects: Number(values.objects),
    definitions: Number(values.definitions),
    starts: Number(values.starts),
    nodeArguments: values['node-arg'],
  };
}

export function usage(rows: readonly string[], rowsAgainst: readonly string[]): string {
  return `npm run bench -- [OPTIONS]
  --only ROW        ${rows.join(', ')}; may be repeated
  --no-reference    Binnacle alone
  --no-embedded     without Binnacle on its embedded store
  --against FOLDER  another checkout in place of the reference, built, in turns with this one; rows: ${rowsAgainst.join(', ')}
  --etcd            Binnacle on an etcd as well
  --flag FLAG       of Binnacle, with --against of this checkout's server only; may be repeated
  --settle COUNT    with --against, requests that are sent before those that count, 20000 unless told
  --pods COUNT      ${defaultPods} unless told, 2000 of the row cluster
  --nodes COUNT     of the row cluster, 100 unless told
  --objects COUNT   of the row many-objects, 100000 unless told
  --definitions COUNT of the row definitions, 1000 unless told
  --starts COUNT    starts to take the median of, 5 unless told
  --node-arg ARG    for the Node that runs Binnacle, such as --cpu-prof; may be repeated
  --json            figures as JSON in place of the table`;
}
