import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launcher } from '../release-form.ts';
import { untilGone } from '../settled-object.ts';
import { ended, stop, Suite } from './suite.ts';

const cache = mkdtempSync(join(tmpdir(), 'binnacle-cache-'));
let assets: string;

function printedFolder(): string {
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  return execFileSync(process.execPath, [launcher, 'envtest'], { env, encoding: 'utf8' }).trimEnd();
}

beforeAll(() => {
  assets = printedFolder();
});

afterAll(() => rmSync(cache, { recursive: true, force: true }));

function answer(program: string, flag: string): string {
  return execFileSync(join(assets, program), [flag], { encoding: 'utf8' });
}

const maps = '/api/v1/namespaces/default/configmaps';

test('envtest prints one folder, with the programs that tests look for', () => {
  expect(printedFolder()).toBe(assets);
  expect(readdirSync(assets).filter((name) => name !== 'kubectl')).toEqual(['etcd', 'kube-apiserver']);
  // By these expressions envtest decides which flags it passes.
  expect(answer('etcd', '--help')).toMatch(/^\s*--unsafe-no-fsync\b/m);
  expect(answer('kube-apiserver', '--help')).not.toMatch(/^\s*--insecure-port\b/m);
  expect(answer('kube-apiserver', '--help')).toMatch(/^\s*--etcd-servers\b/m);
  expect(answer('etcd', '--version')).toMatch(/^etcd Version: \d/);
  expect(answer('kube-apiserver', '--version')).toMatch(/^Kubernetes v1\.\d+\.\d+\n$/);
});

test('its etcd answers health and version, says what it is not, and ends by signals', async () => {
  using suite = await Suite.prepare(assets);
  const etcd = spawn(suite.etcdCommand[0] ?? '', suite.etcdCommand.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(etcd.stderr);
  const url = `http://127.0.0.1:${suite.etcdPort}`;
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        (health) => health.json(),
        () => undefined,
      ),
    )
    .toMatchObject({ health: 'true' });
  expect(await (await fetch(`${url}/version`)).json()).toMatchObject({ etcdserver: expect.stringMatching(/^3\./) });
  expect((await fetch(`${url}/v3/kv/range`)).status).toBe(404);
  const grpc = connect(suite.etcdPort, '127.0.0.1');
  grpc.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  // The end may be a reset, which is an error to the socket.
  grpc.resume().on('error', () => undefined);
  await new Promise((resolve) => void grpc.once('close', resolve));
  etcd.kill('SIGTERM');
  expect(await once(etcd, 'close')).toEqual([null, 'SIGTERM']);
  expect(await said).toContain("does not speak etcd's own protocol");
});

test('without controllers a namespace stays, and with all of them it vanishes', async () => {
  using plain = await Suite.prepare(assets);
  using controlled = await Suite.prepare(assets, { BINNACLE_CONTROLLERS: '*' });
  // Beside each other.
  const suites = [plain, controlled];
  const etcds = await Promise.all(suites.map((suite) => suite.startEtcd()));
  const servers = await Promise.all(suites.map((suite) => suite.startServer()));
  using client = await plain.client();
  using other = await controlled.client();
  for (const each of [client, other]) {
    const metadata = { name: 'berth' };
    expect((await each.send('POST', '/api/v1/namespaces', { body: { metadata } })).code).toBe(201);
    expect((await each.send('DELETE', '/api/v1/namespaces/berth')).code).toBe(200);
  }
  await untilGone(other, '/api/v1/namespaces/berth');
  expect((await client.send('GET', '/api/v1/namespaces/berth')).body).toMatchObject({
    status: { phase: 'Terminating' },
  });
  await Promise.all(servers.map((server) => stop(server, 'SIGTERM')));
  expect(servers.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  await Promise.all(etcds.map((etcd) => stop(etcd, 'SIGTERM')));
});

test('a store belongs to its etcd: a killed server finds it again, and without etcd there is none', async () => {
  using suite = await Suite.prepare(assets);
  const etcd = await suite.startEtcd();
  const first = await suite.startServer();
  {
    using client = await suite.client();
    expect((await client.send('POST', maps, { body: { metadata: { name: 'kept' } } })).code).toBe(201);
  }
  await stop(first, 'SIGKILL');
  const second = await suite.startServer();
  using client = await suite.client();
  expect((await client.send('GET', `${maps}/kept`)).code).toBe(200);
  const over = ended(second);
  await stop(etcd, 'SIGKILL');
  await over;
  expect(second.exitCode).toBe(1);
});

/** Starts both in the background of a shell, which stands for the test. */
function startedByTest(suite: Suite): {
  readonly parent: ReturnType<typeof spawn>;
  readonly pids: Promise<readonly number[]>;
} {
  const background = (command: readonly string[]): string =>
    `${command.map((word) => `'${word}'`).join(' ')} & echo $!`;
  const script = [suite.etcdCommand, suite.serverCommand].map(background).join('\n');
  const parent = suite.start(['/bin/sh', '-c', `${script}\nwait`]);
  const { promise: pids, resolve } = Promise.withResolvers<readonly number[]>();
  let output = '';
  parent.stdout?.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    const lines = output.trim().split('\n');
    if (lines.length === 2) resolve(lines.map(Number));
  });
  return { parent, pids };
}

test.each([
  { killed: 'the test', victims: [] },
  { killed: 'etcd, then the test', victims: [0] },
  { killed: 'kube-apiserver, then the test', victims: [1] },
])('when $killed is killed, neither processes nor files are left', async ({ victims }) => {
  using suite = await Suite.prepare(assets);
  const { parent, pids } = startedByTest(suite);
  await suite.serves(parent);
  expect(existsSync(join(suite.etcdFolder, 'member'))).toBe(true);
  const running = await pids;
  const over = ended(parent);
  for (const victim of victims) process.kill(running[victim] ?? 0, 'SIGKILL');
  parent.kill('SIGKILL');
  await over;
  expect(readdirSync(suite.temporary)).toEqual([]);
});

test('kube-apiserver has to be told an etcd', async () => {
  using suite = await Suite.prepare(assets);
  const command = suite.serverCommand.filter((flag) => !flag.startsWith('--etcd-servers'));
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  expect(await text(child.stderr)).toBe('binnacle: --etcd-servers must be specified\n');
});
