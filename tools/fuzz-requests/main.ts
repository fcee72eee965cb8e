// Sends the same random requests to a reference server and to Binnacle, and prints the first answer of each play that
// differs:
//   node tools/fuzz-requests/main.ts URL KUBECONFIG [objects|documents|reviews] [--from SEED] [--count N] [--steps N]
//     [--kinds PATTERN] [--scope namespaced|cluster] [--all]
// The reference runs with --feature-gates=AllAlpha=true,AllBeta=true --runtime-config=api/all=true
// --disable-admission-plugins=ServiceAccount,ResourceQuota
import { configDefaults } from '../../src/server/config.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import { type Address, Connection } from '../compare-requests/connection.ts';
import { differences } from '../compare-requests/differences.ts';
import { readArguments } from '../arguments.ts';
import { withEverything } from '../walk-schemas/starts.ts';
import { chosenKinds, type Played, playRequests, type Subject } from './play.ts';

const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '0' },
      count: { type: 'string', default: '50' },
      steps: { type: 'string', default: '60' },
      kinds: { type: 'string', default: '.' },
      scope: { type: 'string', default: 'namespaced' },
      all: { type: 'boolean', default: false },
    },
  },
  { needed: 2 },
);
const [url = '', kubeconfigPath = '', subject = 'objects'] = positionals;
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);
const kinds = chosenKinds(values.kinds, values.scope);
const run = Date.now().toString(36);
/** Lists of kinds without namespaces show what other plays make. */
const atOnce = values.scope === 'namespaced' ? 8 : 1;

async function playAll(address: Address): Promise<ReadonlyMap<number, readonly Played[]>> {
  using connection = await Connection.open(address);
  const all = new Map<number, readonly Played[]>();
  await inParallel(seeds, atOnce, async (seed) =>
    all.set(
      seed,
      await playRequests(connection, { seed, run, subject: subject as Subject, kinds, steps: Number(values.steps) }),
    ),
  );
  return all;
}

const { authentication, authorization } = configDefaults;
const [api, storage, { config }] = withEverything;
await using server = await startTestServer(
  api,
  { ...storage, compactionIntervalMs: 0 },
  {
    config: {
      ...config,
      requests: { ...configDefaults.requests, timeoutMs: 60_000 },
      authentication: {
        ...authentication,
        serviceAccounts: { ...authentication.serviceAccounts, issuers: ['https://kubernetes.default.svc'] },
      },
      authorization: { ...authorization, modes: ['Node', 'RBAC'] },
    },
  },
);
const [theirs, ours] = await Promise.all([playAll({ url, kubeconfigPath }), playAll(server)]);
let [requests, different] = [0, 0];
for (const [seed, expected] of [...theirs].toSorted(([a], [b]) => a - b)) {
  const found = ours.get(seed) ?? [];
  requests += expected.length;
  for (const [at, step] of expected.entries()) {
    const own = found[at];
    if (own !== undefined && JSON.stringify({ ...step, request: '' }) === JSON.stringify({ ...own, request: '' }))
      continue;
    different += 1;
    process.stdout.write(`seed ${seed}, step ${at}: ${step.request.slice(0, 1500)}\n`);
    const shown = (played: Played | undefined) =>
      played === undefined ? null : { code: played.code, headers: played.headers, body: parsed(played.body) };
    const lines = differences(shown(step), shown(own));
    process.stdout.write(
      lines.length === 0
        ? `    order: ${step.body}\n    here:  ${own?.body}\n`
        : lines.map((line) => `    ${line}\n`).join(''),
    );
    if (!values.all) break;
  }
}
process.stdout.write(`${requests} requests, ${different} differ\n`);

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
