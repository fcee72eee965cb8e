import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { skipWithoutPrograms } from '../components/programs.ts';
import { Kubectl, skipWithoutKubectl } from '../kubectl/kubectl.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { type Kwok, startKwok } from './kwok.ts';
import { createRunningPod } from './node.ts';
import { startKubectl } from './running-kubectl.ts';

const ways = [
  ['WebSocket', 'true'],
  ['SPDY', 'false'],
] as const;

describe.skipIf(skipWithoutPrograms() || skipWithoutKubectl())('kubectl with a kubelet', () => {
  const kubectl = new Kubectl('streams');
  let server: TestServer;
  let admin: ApiClient;
  let kwok: Kwok;
  let echo: Server;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-streams-'));
    server = await startTestServer();
    kubectl.server = server;
    admin = await ApiClient.connect(server);
    echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
    await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve));
    const forwardTo = (echo.address() as AddressInfo).port;
    kwok = await startKwok({ folder, kubeconfigPath: server.kubeconfigPath, admin, forwardTo });
    await kubectl.run`create namespace streams`;
    const container = { ports: [{ containerPort: 80 }] };
    await createRunningPod(admin, { namespace: 'streams', name: 'one', nodeName: 'kwok', container });
  }, 60_000);

  afterAll(async () => {
    await kwok?.[Symbol.asyncDispose]();
    admin?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    echo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('logs, and logs that follow', async () => {
    const stamp = '2026-01-01T00:00:00.000000000Z stdout F';
    await writeFile(kwok.logFile, `${stamp} one\n${stamp} two\n`);
    expect(await kubectl.run`logs one`).toBe('one\ntwo\n');
    expect(await kubectl.run`logs one --tail=1`).toBe('two\n');
    const follower = startKubectl(server, ['logs', '--follow', 'one']);
    await follower.until('two\n');
    await appendFile(kwok.logFile, `${stamp} three\n`);
    await follower.until('three\n');
    follower.end();
  });

  describe.each(ways)('over %s', (_way, isWebSocket) => {
    const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket, KUBECTL_PORT_FORWARD_WEBSOCKETS: isWebSocket };
    let own: Kubectl;
    beforeAll(() => {
      own = kubectl.with({ env });
      own.server = server;
    });

    // kwok knows no exit codes, nor an end of input: those are in terminals.test.ts.
    test('output and errors of a command', async () => {
      expect(await own.result`exec one -- sh -c ${'echo out; sleep 0.2; echo err >&2'}`).toEqual({
        code: 0,
        stdout: 'out\n',
        stderr: 'err\n',
      });
      const { code, stderr } = await own.result`exec one -- /no/such/program`;
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no such file or directory') });
    });

    test('output of a size that has to be waited for', async () => {
      const output = await own.run`exec one -- sh -c ${'seq 1 300000'}`;
      expect(output.length).toBe(1_988_895);
      expect(output.endsWith('\n300000\n')).toBe(true);
    });

    test('files are copied', async () => {
      const [from, to] = [join(folder, 'from'), join(folder, 'to')];
      await writeFile(from, 'x'.repeat(300_000));
      await own.run`cp one:${from} ${to}`;
      expect((await readFile(to, 'utf8')).length).toBe(300_000);
    });

    test('ports are forwarded', async () => {
      const forward = startKubectl(server, ['port-forward', 'pod/one', ':80'], { env });
      const [, port = ''] = await forward.until(/127\.0\.0\.1:(\d+) -> 80/);
      for (const size of [10, 1_000_000]) {
        const socket = connect(Number(port), '127.0.0.1');
        let received = 0;
        const done = new Promise<void>((resolve) => {
          socket.on('data', (chunk: Buffer) => {
            received += chunk.length;
            if (received === size) resolve();
          });
        });
        socket.write(Buffer.alloc(size, 'x'));
        await done;
        socket.destroy();
      }
      forward.end();
    }, 30_000);
  });
});
