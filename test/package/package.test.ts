import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ApiClient } from '../api-client.ts';
import { unexpectedLines } from '../unexpected-lines.ts';
import { type NodeRelease, nodes, olderNode } from './nodes.ts';
import { installPackage } from './packed.ts';

const run = promisify(execFile);
const installed = await installPackage();
const binnacle = join(installed.folder, 'node_modules', 'binnacle');
const launcher = join(binnacle, 'dist', 'binnacle.js');
afterAll(() => installed[Symbol.dispose]());

/** As the package says it. */
const oldest = /[\d.]+/.exec(packageJson.engines.node)?.[0];
const mostBytes = 12_000_000;

/** What folders take on a disk, in blocks. */
function allocatedBytes(path: string): number {
  const { blocks } = lstatSync(path);
  const names = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return names.reduce((sum, name) => sum + allocatedBytes(join(path, name)), blocks * 512);
}

test('an installation is small and brings nothing else', () => {
  const modules = join(installed.folder, 'node_modules');
  expect(readdirSync(modules).toSorted()).toEqual(['.bin', '.package-lock.json', 'binnacle']);
  expect(readdirSync(join(modules, '.bin'))).toEqual(['binnacle']);
  expect(allocatedBytes(modules)).toBeLessThan(mostBytes);
});

test('the package contains what is used, and the licenses of what it is made of', () => {
  const parts = installed.files.filter((path) => !/^dist\/[\w-]+-[A-Z\d]{8}\.js$/.test(path));
  expect(parts.toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/api-thread.js',
    'dist/binnacle.js',
    'dist/cli.js',
    'dist/core-script.js',
    'dist/core.js',
    'dist/descriptions.json',
    'dist/embed.cjs',
    'dist/embed.d.cts',
    'dist/embed.d.ts',
    'dist/embed.js',
    'dist/envtest-etcd.js',
    'dist/licenses.txt',
    'dist/node-check.js',
    'dist/node-test.cjs',
    'dist/node-test.d.cts',
    'dist/node-test.d.ts',
    'dist/node-test.js',
    'dist/storage-worker.js',
    'dist/vitest.d.ts',
    'dist/vitest.js',
    'package.json',
    'packaging/binnacle.service',
  ]);
  const text = readFileSync(join(binnacle, 'package.json'), 'utf8');
  expect(JSON.parse(text)).not.toHaveProperty('dependencies');
  expect(JSON.parse(text)).not.toHaveProperty('optionalDependencies');
  const licenses = readFileSync(join(binnacle, 'dist', 'licenses.txt'), 'utf8');
  for (const name of ['@grpc/grpc-js', 'commander', 'prom-client', 're2js', 'ws'])
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\(.*\\)\n\n.*(?:license|copyright)`, 'im'));
});

/** For programs that start while the machine does much else. */
const patience = { timeout: 60_000 };

function titled(title: string, { missing }: NodeRelease): string {
  return missing === undefined ? title : `${title} (skipped: ${missing})`;
}

describe.each(nodes)('Node $version', (node) => {
  test.skipIf(node.missing !== undefined)(titled('runs the command', node), async () => {
    const folder = mkdtempSync(join(installed.folder, 'data-'));
    const child = spawn(node.path, [launcher, '--secure-port=0'], { cwd: folder });
    const [printed, errors] = [collected(child.stdout), collected(child.stderr)];
    try {
      await expect.poll(() => printed(), patience).toContain('kubeconfig');
      await useServer(readFileSync(join(folder, '.binnacle', 'admin.kubeconfig'), 'utf8'));
    } finally {
      child.kill();
      const [code] = await once(child, 'exit');
      expect({ code, errors: unexpectedLines(errors()) }).toEqual({ code: 0, errors: [] });
    }
  });

  test.skipIf(node.missing !== undefined)(titled('embeds a server', node), async () => {
    const program = `import { startApiServer } from 'binnacle';
const server = await startApiServer();
console.log(server.kubeconfig.includes(server.url));
await server.close();`;
    const args = ['--input-type=module', '--eval', program];
    expect(await run(node.path, args, { cwd: installed.folder })).toEqual({ stdout: 'true\n', stderr: '' });
  });

  test.skipIf(node.missing !== undefined)(titled('embeds a server of several threads', node), async () => {
    const program = `import { readdirSync, readFileSync } from 'node:fs';
import { startApiServer } from 'binnacle';
const threads = () => readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8'));
const server = await startApiServer({ threads: 3 });
console.log(server.kubeconfig.includes(server.url));
await server.close();`;
    const args = ['--input-type=module', '--eval', program];
    expect(await run(node.path, args, { cwd: installed.folder })).toEqual({ stdout: 'true\n', stderr: '' });
  });

  test.skipIf(node.missing !== undefined)(titled('embeds a server in a program in CommonJS', node), async () => {
    const program = `const { startApiServer } = require('binnacle');
startApiServer().then((server) => {
  console.log(server.kubeconfig.includes(server.url));
  return server.close();
});`;
    const args = ['--input-type=commonjs', '--eval', program];
    expect(await run(node.path, args, { cwd: installed.folder })).toEqual({ stdout: 'true\n', stderr: '' });
  });
});

describe(`Node ${olderNode.version}`, () => {
  const refusal = `Binnacle needs Node ${oldest} or newer; this is v${olderNode.version}.`;

  test.skipIf(olderNode.missing !== undefined)(titled('is refused by the command in one line', olderNode), async () => {
    const refused = run(olderNode.path, [launcher, '--version']);
    await expect(refused).rejects.toMatchObject({ code: 1, stdout: '', stderr: `${refusal}\n` });
  });

  test.skipIf(olderNode.missing !== undefined)(titled('is refused by an import', olderNode), async () => {
    const program = `import('binnacle').catch(({ message }) => console.log(message));`;
    const { stdout } = await run(olderNode.path, ['--eval', program], { cwd: installed.folder });
    expect(stdout).toBe(`${refusal}\n`);
  });
});

test('npx serves in the current folder, under RBAC, for as long as npm runs', async () => {
  const npm = spawn('npm', ['exec', '--offline', '--no', '--', 'binnacle', '--secure-port=0'], {
    cwd: installed.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = collected(npm.stdout);
  await expect.poll(printed, patience).toContain('kubeconfig   .binnacle/admin.kubeconfig');
  const url = /https:\S+/.exec(printed())?.[0] ?? '';
  {
    using client = await ApiClient.connect({
      url,
      kubeconfigPath: join(installed.folder, '.binnacle/admin.kubeconfig'),
    });
    const headers = { 'impersonate-user': 'alice' };
    expect((await client.send('GET', '/api/v1/namespaces', { headers })).code).toBe(403);
  }
  // Closed by the last process that has it open.
  const ended = once(npm.stdout, 'close');
  npm.kill();
  await ended;
});

/** Not only reads, but also code that is loaded when it is needed. */
async function useServer(kubeconfig: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: 'team' } } });
  const body = { metadata: { name: 'settings' }, data: { text: 'a' } };
  await core.createNamespacedConfigMap({ namespace: 'team', body });
  const { items } = await core.listConfigMapForAllNamespaces();
  expect(items.map(({ metadata }) => metadata?.name)).toContain('settings');
  await core.deleteNamespace({ name: 'team' });
  const names = async (): Promise<readonly (string | undefined)[]> =>
    (await core.listNamespace()).items.map(({ metadata }) => metadata?.name);
  await expect.poll(names).not.toContain('team');
}

function collected(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}
