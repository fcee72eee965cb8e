import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { Kubectl, skipWithoutKubectl } from '../kubectl/kubectl.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { createNode, createRunningPod } from './node.ts';
import { startKubectl } from './running-kubectl.ts';

const ways = [
  ['WebSocket', 'true'],
  ['SPDY', 'false'],
] as const;

const terminal = { columns: 90, rows: 30 };

/** A terminal is made by `script` of util-linux. */
function skipWithoutScript(): boolean {
  try {
    execFileSync('script', ['-qfec', 'stty size', '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return false;
  } catch {
    console.warn('skipped: there is no script of util-linux');
    return true;
  }
}

describe.skipIf(skipWithoutKubectl() || skipWithoutScript())('kubectl with programs in a pod', () => {
  const kubectl = new Kubectl('streams');
  let server: TestServer;
  let kubelet: Kubelet;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-terminals-'));
    server = await startTestServer();
    kubectl.server = server;
    kubelet = await startKubelet(server.scratchDir, '127.0.0.1');
    await kubectl.run`create namespace streams`;
    using admin = await ApiClient.connect(server);
    await createNode(admin, { name: 'loop', port: kubelet.port });
    const container = { stdin: true, tty: true };
    await createRunningPod(admin, { namespace: 'streams', name: 'shell', nodeName: 'loop', container });
  }, 60_000);

  afterAll(async () => {
    await kubelet?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(ways)('over %s', (way, isWebSocket) => {
    const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket };
    const own = (input?: string): Kubectl => {
      const given = kubectl.with({ env, ...(input === undefined ? {} : { input }) });
      given.server = server;
      return given;
    };

    test('input ends, and output, errors and the exit code arrive', async () => {
      const command = 'cat; echo warned >&2; exit 7';
      const { code, stdout, stderr } = await own('given').result`exec -i shell -- sh -c ${command}`;
      expect({ code, stdout }).toEqual({ code: 7, stdout: 'given' });
      expect(stderr).toContain('warned');
      expect(stderr).toContain('command terminated with exit code 7');
    });

    test('a terminal has the size of the client, and passes on keys and the exit code', async () => {
      const command = `trap 'echo interrupted; exit 3' INT; stty size; read line; echo "read $line"; read line`;
      const running = startKubectl(server, ['exec', '-it', 'shell', '--', 'sh', '-c', command], { env, terminal });
      await running.until('30 90');
      running.type('hello\n');
      await running.until('read hello');
      running.type('\u0003');
      await running.until('interrupted');
      expect(await running.ended).toBe(3);
    });

    test('a terminal is attached to', async () => {
      const running = startKubectl(server, ['attach', '-it', 'shell'], { env, terminal });
      await running.until("If you don't see a command prompt");
      running.type('echo $((6 * 7))\n');
      await running.until('42');
      running.type('exit\n');
      expect(await running.ended).toBe(0);
    });

    test('folders are copied into a pod and back', async () => {
      const [source, inPod, back] = [
        join(folder, `source-${way}`),
        join(folder, `pod-${way}`),
        join(folder, `back-${way}`),
      ];
      await mkdir(join(source, 'deep', 'er'), { recursive: true });
      await mkdir(inPod);
      const large = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join('');
      await writeFile(join(source, 'large'), large);
      await writeFile(join(source, 'deep', 'er', 'small'), 'small');
      await own().run`cp ${source} shell:${inPod}/copied`;
      await own().run`cp shell:${inPod}/copied ${back}`;
      for (const copy of [join(inPod, 'copied'), back]) {
        // A difference would be too long to show.
        expect((await readFile(join(copy, 'large'), 'utf8')) === large).toBe(true);
        expect(await readFile(join(copy, 'deep', 'er', 'small'), 'utf8')).toBe('small');
      }
    });
  });
});
