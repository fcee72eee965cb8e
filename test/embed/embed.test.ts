import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CoreV1Api, KubeConfig, Watch } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from '../../src/embed/index.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-embed-'));
afterAll(() => rm(root, { recursive: true }));

function clientOf({ kubeconfig }: ApiServer): { readonly config: KubeConfig; readonly core: CoreV1Api } {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return { config, core: config.makeApiClient(CoreV1Api) };
}

async function createConfigMap(server: ApiServer, name: string): Promise<void> {
  const body = { metadata: { name }, data: { text: name } };
  await clientOf(server).core.createNamespacedConfigMap({ namespace: 'default', body });
}

/** Without the one that every namespace is given. */
async function configMapsOf(server: ApiServer): Promise<string[]> {
  const { items } = await clientOf(server).core.listNamespacedConfigMap({ namespace: 'default' });
  return items.map(({ metadata }) => metadata?.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
}

test('in-memory servers start with only system objects, are independent, and leave nothing behind', async () => {
  const [first, second] = await Promise.all([startApiServer(), startApiServer()]);
  await createConfigMap(first, 'a');
  expect(await configMapsOf(first)).toEqual(['a']);
  expect(await configMapsOf(second)).toEqual([]);
  const { items } = await clientOf(second).core.listNamespace();
  expect(items.map(({ metadata }) => metadata?.name)).toContain('kube-system');
  expect(first.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(existsSync(first.kubeconfigPath)).toBe(true);
  await Promise.all([first.close(), second.close()]);
  await first.close();
  expect(existsSync(dirname(first.kubeconfigPath))).toBe(false);
  await expect(configMapsOf(first)).rejects.toThrow('fetch failed');
});

test('a data directory is persistent', async () => {
  const dataDir = join(root, 'kept');
  {
    await using server = await startApiServer({ dataDir });
    await createConfigMap(server, 'a');
  }
  await using server = await startApiServer({ dataDir });
  expect(await configMapsOf(server)).toEqual(['a']);
  expect(server.kubeconfigPath).toBe(join(dataDir, 'admin.kubeconfig'));
});

test('closing ends watches', { timeout: 10_000 }, async () => {
  const server = await startApiServer();
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  const { promise: seen, resolve: see } = Promise.withResolvers<string>();
  const watch = new Watch(clientOf(server).config);
  await watch.watch('/api/v1/configmaps', { fieldSelector: 'metadata.name=a' }, see, end);
  await createConfigMap(server, 'a');
  expect(await seen).toBe('ADDED');
  await server.close();
  await ended;
});

test('a failed start gives the reason and releases everything', async () => {
  await using first = await startApiServer();
  const [dataDir, port] = [join(root, 'failing'), Number(new URL(first.url).port)];
  await expect(startApiServer({ dataDir, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // The store is unlocked again.
  await using second = await startApiServer({ dataDir });
  await expect(startApiServer({ dataDir })).rejects.toThrow(/it is in use by another process/);
  await createConfigMap(second, 'a');
  await writeFile(join(root, 'file'), '');
  await expect(startApiServer({ dataDir: join(root, 'file') })).rejects.toThrow(/EEXIST|ENOTDIR/);
});

test('API versions are served as configured', async () => {
  await using server = await startApiServer({ runtimeConfig: { 'apps/v1': false, 'api/alpha': true } });
  const config = clientOf(server).config;
  const { AppsV1Api } = await import('@kubernetes/client-node');
  await expect(config.makeApiClient(AppsV1Api).listDeploymentForAllNamespaces()).rejects.toMatchObject({ code: 404 });
});

test('the package is imported by name, and a process exits on its own when its server is closed', async () => {
  const modules = join(root, 'node_modules');
  await mkdir(modules);
  await symlink(join(import.meta.dirname, '..', '..'), join(modules, 'binnacle'), 'junction');
  const program = join(root, 'program.mjs');
  await writeFile(
    program,
    `import { startApiServer } from 'binnacle';
    const server = await startApiServer();
    console.log(server.url);
    await server.close();`,
  );
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd: root });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.1:\d+\n$/);
});
