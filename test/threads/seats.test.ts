import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { allowAll, made } from '../flow-control/silent-hook.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const flows = '/apis/flowcontrol.apiserver.k8s.io/v1';
const user = 'limited';
const limited = { 'impersonate-user': user };
const configMaps = '/api/v1/namespaces/default/configmaps';

const slowMs = 1_000;

/** A webhook that never answers: no config map is made faster than that. */
class SlowMaking implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket.on('error', () => undefined));
  });

  async start(client: ApiClient): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.#server.address() as AddressInfo; // listens on TCP
    const webhook = {
      name: 'slow.example.com',
      clientConfig: { url: `https://127.0.0.1:${port}/` },
      timeoutSeconds: slowMs / 1_000,
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    };
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await made(client, path, { metadata: { name: 'slow' }, webhooks: [webhook] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A level with one seat, for the requests of one user. */
async function makeTightLevel(client: ApiClient, limitResponse: object): Promise<void> {
  await allowAll(client, user);
  const shares = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0 };
  await made(client, `${flows}/prioritylevelconfigurations`, {
    metadata: { name: 'tight' },
    spec: { type: 'Limited', limited: { ...shares, limitResponse } },
  });
  const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
  const subjects = [{ kind: 'User', user: { name: user } }];
  await made(client, `${flows}/flowschemas`, {
    metadata: { name: 'tight' },
    spec: {
      priorityLevelConfiguration: { name: 'tight' },
      matchingPrecedence: 50,
      rules: [{ subjects, resourceRules: [rule] }],
    },
  });
}

function startThreads(limits: Partial<ServerConfig['requests']> = {}): Promise<TestServer> {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  const requests = { ...configDefaults.requests, maxReadOnlyInFlight: 20, maxMutatingInFlight: 20, ...limits };
  return startTestServer({}, { inMemory: true }, { config: { serving, requests } });
}

/** Resolves once requests of every connection are those of the level. */
async function isInForce(clients: readonly ApiClient[]): Promise<void> {
  for (const client of clients) {
    const uids = async (): Promise<unknown> => {
      const { headers } = await client.send('GET', `${configMaps}?limit=1`, { headers: limited });
      return headers['x-kubernetes-pf-prioritylevel-uid'];
    };
    const { body } = await client.send('GET', `${flows}/prioritylevelconfigurations/tight`);
    const { uid } = body['metadata'] as { readonly uid: string };
    await expect.poll(uids, { timeout: 20_000 }).toBe(uid);
  }
}

/** One request runs, and the others wait for it, as whoever asks is told: while the first ones have not ended. */
async function expectWaiting(clients: readonly ApiClient[]): Promise<void> {
  const others = clients.length - 1;
  const shown = async (client: ApiClient | undefined, page: string): Promise<readonly string[]> => {
    const text = (await client?.text(`/debug/api_priority_and_fairness/${page}`)) ?? '';
    return text.split('\n').filter((line) => line.startsWith('tight,'));
  };
  await expect
    .poll(() => shown(clients[0], 'dump_priority_levels'))
    .toEqual([expect.stringMatching(`^tight, +1, +false, +false, +${others}, +1, `)]);
  const [queued] = await shown(clients[1], 'dump_queues');
  expect(queued).toMatch(new RegExp(`^tight, +0, +${others}, +1, +1, `));
  const requests = await shown(clients[2], 'dump_requests?includeRequestDetails=1');
  const places = requests.map((line) => Number(line.split(/, +/)[3])).toSorted((a, b) => a - b);
  expect(places).toEqual(Array.from({ length: clients.length }, (_, at) => at - 1));
}

const queue = { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 50 } };

test.each([
  ['run one after the other, whichever thread has the seat', queue, 201],
  ['are refused while a request of any thread has the seat', { type: 'Reject' }, 429],
] as const)('requests for a single seat %s', { timeout: 240_000 }, async (_, limitResponse, code) => {
  await using server = await startThreads();
  const clients = await Promise.all(Array.from({ length: 9 }, () => ApiClient.connect(server)));
  const [first] = clients;
  if (first === undefined) throw new Error('there are clients');
  await makeTightLevel(first, limitResponse);
  await isInForce(clients);
  await using making = new SlowMaking();
  await making.start(first);
  const beganMs = performance.now();
  const pending = clients.map((client, at) =>
    client.exchange('POST', `${configMaps}?timeout=60s`, {
      headers: limited,
      body: { metadata: { name: `x${at}` } },
    }),
  );
  if (code === 201) await expectWaiting(clients);
  const answers = await Promise.all(pending);
  const tookMs = performance.now() - beganMs;
  const codes = answers.map((answer) => answer.code);
  const served = codes.filter((each) => each === 201).length;
  expect(new Set(codes)).toEqual(new Set([201, code]));
  // Two at once would be done sooner; timers may be early by a millisecond.
  expect(tookMs).toBeGreaterThan(served * (slowMs - 5));
  for (const client of clients) client[Symbol.dispose]();
});

test(
  'without priority and fairness, so many requests run at once as the server may have',
  { timeout: 240_000 },
  async () => {
    const limit = 4;
    await using server = await startThreads({ priorityAndFairness: false, maxMutatingInFlight: limit });
    const clients = await Promise.all(Array.from({ length: 12 }, () => ApiClient.connect(server)));
    const [first] = clients;
    if (first === undefined) throw new Error('there are clients');
    await allowAll(first, user);
    await using making = new SlowMaking();
    await making.start(first);
    const make = (round: number): Promise<readonly number[]> =>
      Promise.all(
        clients.map(async (client, at) => {
          const request = { headers: limited, body: { metadata: { name: `x${round}-${at}` } } };
          return (await client.exchange('POST', configMaps, request)).code;
        }),
      );
    // What was taken is given back: the second time is like the first.
    for (const round of [1, 2]) {
      const making = make(round);
      // Reads have a limit of their own.
      const read = await Promise.all(clients.map((client) => client.send('GET', configMaps, { headers: limited })));
      expect(new Set(read.map(({ code }) => code))).toEqual(new Set([200]));
      const codes = (await making).toSorted((a, b) => a - b);
      expect(codes).toEqual(clients.map((_, at) => (at < limit ? 201 : 429)));
    }
    for (const client of clients) client[Symbol.dispose]();
  },
);
