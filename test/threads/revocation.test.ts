import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';
import { launcher } from '../release-form.ts';
import { buildBundle } from '../robustness/bundles.ts';
import { ServerProcess } from '../robustness/server-process.ts';

const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const binding = {
  metadata: { name: 'bob' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
};
const asBob = { headers: { 'impersonate-user': 'bob' } };
const rounds = 40;
/** Enough that each thread has one of them. */
const connections = 9;

interface Counts {
  readonly allowed: number;
  /** After the right had been given. */
  readonly refused: number;
  /** After it had been taken away. */
  readonly outdated: number;
}

/** Gives a user a right and takes it away on one connection, and uses it on the others. */
async function giveAndTake(program: string): Promise<Counts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-revocation-'));
  const args = ['--api-threads=3', '--authorization-mode=RBAC'];
  const server = new ServerProcess({ name: 'server', launcher: program, dataDir, port: await freePort(), args });
  try {
    await server.start();
    const connecting = Array.from({ length: connections }, () => ApiClient.connect(server));
    const clients = await Promise.all(connecting);
    const answers = { allowed: 0, refused: 0, outdated: 0 };
    const ask = async (): Promise<readonly number[]> => {
      const pending = clients.map((client) => client.send('GET', '/api/v1/namespaces/default/configmaps', asBob));
      return (await Promise.all(pending)).map(({ code }) => code);
    };
    for (let round = 0; round < rounds; round += 1) {
      const client = clients[round % connections]!;
      expect((await client.send('POST', bindings, { body: binding })).code).toBe(201);
      for (const code of await ask()) answers[code === 200 ? 'allowed' : 'refused'] += 1;
      expect((await client.send('DELETE', `${bindings}/bob`)).code).toBe(200);
      for (const code of await ask()) if (code !== 403) answers.outdated += 1;
    }
    for (const client of clients) client[Symbol.dispose]();
    return answers;
  } finally {
    await server.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}

test('all threads know at once who may do what', async () => {
  expect(await giveAndTake(launcher)).toEqual({ allowed: rounds * connections, refused: 0, outdated: 0 });
}, 120_000);

test('a thread that answers from what it knew before a revocation is detected', async () => {
  const file = 'src/storage/ports/port-connection.ts';
  const find = "port.on('message', (message: ReplyMessage) => this.#take(message));";
  const replace = "port.on('message', (message: ReplyMessage) => setTimeout(() => this.#take(message), 20));";
  const change = { file, find, replace };
  await using bundle = await buildBundle([change]);
  const { refused, outdated } = await giveAndTake(bundle.launcherWith(change));
  expect(refused + outdated).toBeGreaterThan(0);
}, 120_000);
