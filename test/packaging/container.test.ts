import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';
import { missingProgram, titled } from '../installed-programs.ts';
import { unexpectedLines } from '../unexpected-lines.ts';
import { Image } from './image.ts';

const why =
  missingProgram('buildah', 'crun', 'unshare', 'ldd') ??
  (process.getuid?.() === 0 ? undefined : 'it takes root to mount file systems');

/** Its 160 MB are copied three times. */
const timeout = 300_000;

test.skipIf(why !== undefined)(
  titled('the image starts, stores what it is told, and stops', why),
  { timeout },
  async () => {
    await using image = await Image.build();
    expect(await image.config()).toMatchObject({ User: '65532:65532', WorkingDir: '/data', Volumes: { '/data': {} } });
    const port = await freePort();
    const [command = '', ...args] = await image.runCommand(`--secure-port=${port}`);
    const container = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const errors = text(container.stderr);
    let printed = '';
    container.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
    const ended = once(container, 'close');
    try {
      await expect.poll(() => printed, { timeout: 60_000 }).toContain(`serves https://127.0.0.1:${port}`);
      const kubeconfigPath = join(image.data, 'admin.kubeconfig');
      expect(statSync(kubeconfigPath)).toMatchObject({ uid: 65_532, gid: 65_532 });
      using client = await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath });
      const body = { metadata: { name: 'cargo' } };
      expect((await client.send('POST', '/api/v1/namespaces', { body })).code).toBe(201);
      const headers = { 'impersonate-user': 'alice' };
      expect((await client.send('GET', '/api/v1/namespaces', { headers })).code).toBe(403);
    } finally {
      const [stop = '', ...stopArgs] = image.stopCommand();
      spawnSync(stop, stopArgs);
      const [code] = await ended;
      expect({ code, errors: unexpectedLines(await errors) }).toEqual({ code: 0, errors: [] });
    }
  },
);
