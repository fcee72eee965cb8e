import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CoreV1Api, CustomObjectsApi, KubeConfig, VersionApi } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { startApiServer } from '../../src/embed/index.ts';
import { wheelsDefinition } from './wheels.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-content-'));
afterAll(() => rm(root, { recursive: true }));

function clientOf({ kubeconfig }: { readonly kubeconfig: string }): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const wheels = wheelsDefinition('Namespaced');

/** A rendered chart: the order is not the one in which its objects can be made. */
const chart = `---
# Source: chart/templates/wheel.yaml
apiVersion: example.com/v1
kind: Wheel
metadata: {name: front, namespace: bikes}
size: 28
---
apiVersion: v1
kind: Pod
metadata: {name: rider, namespace: bikes}
spec: {containers: [{name: main, image: none}]}
---

---
apiVersion: v1
kind: Namespace
metadata: {name: bikes}
`;

test('definitions and objects are there when the start resolves', async () => {
  const folder = join(root, 'crd');
  await mkdir(join(folder, 'bases'), { recursive: true });
  await writeFile(join(folder, 'bases', 'wheels.json'), JSON.stringify(wheels));
  await writeFile(
    join(folder, 'kustomization.yaml'),
    'resources: [bases/wheels.json]\nkind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1',
  );
  // A patch, and something else.
  const { metadata, kind, apiVersion } = wheels;
  await writeFile(join(folder, 'patch.yml'), JSON.stringify({ apiVersion, kind, metadata, spec: { conversion: {} } }));
  await writeFile(join(folder, 'role.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: left-out}');
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' }, data: { large: '9007199254740993' } },
    ],
  };
  await using server = await startApiServer({ definitions: [folder], objects: [chart, list] });
  const config = clientOf(server);
  const front = { group: 'example.com', version: 'v1', plural: 'wheels', namespace: 'bikes', name: 'front' };
  expect(await config.makeApiClient(CustomObjectsApi).getNamespacedCustomObject(front)).toMatchObject({
    size: 28,
    metadata: { managedFields: [{ manager: 'binnacle', operation: 'Apply' }] },
  });
  const core = config.makeApiClient(CoreV1Api);
  expect((await core.readNamespacedPod({ namespace: 'bikes', name: 'rider' })).spec?.serviceAccountName).toBe(
    'default',
  );
  const { items } = await core.listNamespacedConfigMap({ namespace: 'default' });
  expect(items.map(({ data }) => data?.['large'])).toContain('9007199254740993');
  expect(items.map((each) => each.metadata?.name)).not.toContain('left-out');
});

test('they are applied again to a data directory that has them', async () => {
  const dataDir = join(root, 'kept');
  const text = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: ${value}}`;
  await (await startApiServer({ dataDir, definitions: [wheels], objects: [text('one')] })).close();
  await using server = await startApiServer({ dataDir, definitions: [wheels], objects: [text('two')] });
  const found = await clientOf(server)
    .makeApiClient(CoreV1Api)
    .readNamespacedConfigMap({ namespace: 'default', name: 'a' });
  expect(found.data).toEqual({ value: 'two' });
});

test.each([
  ['text that is no YAML', 'a: [\n', /^text 1: .*yaml/],
  ['an object without a kind', { apiVersion: 'v1' }, /^value 1: an object has no apiVersion or no kind$/],
  [
    'a kind that is not served',
    { apiVersion: 'example.com/v1', kind: 'Wheel', metadata: { name: 'a' } },
    /^value 1: Wheel a: no such kind in example.com\/v1 is served$/,
  ],
  [
    'an object that is invalid',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}',
    /^text 1: ConfigMap A: ConfigMap "A" is invalid: metadata\.name: Invalid value: "A"/,
  ],
  ['a file that is missing', join(root, 'missing.yaml'), /ENOENT/],
])('the start fails for %s', async (_what, source, message) => {
  await expect(startApiServer({ objects: [source] })).rejects.toThrow(message);
});

test('names of definitions that are taken fail the start', async () => {
  const other = {
    ...wheels,
    metadata: { name: 'others.example.com' },
    spec: { ...wheels.spec, names: { plural: 'others', kind: 'Wheel' } },
  };
  const started = (async () => {
    await using _ = await startApiServer({ dataDir: join(root, 'kept'), objects: [other] });
  })();
  await expect(started).rejects.toThrow(/definition others\.example\.com: .*"WheelList" is already in use/);
});

test('users have the rights of their groups', async () => {
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'developers' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'dev' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  };
  const users = { alice: { groups: ['staff', 'dev'] }, 'bob/a b': {} };
  const server = await startApiServer({ objects: [binding], users, flags: { 'authorization-mode': 'RBAC' } });
  const { alice, 'bob/a b': bob } = server.users;
  const list = (user: typeof alice) =>
    clientOf(user).makeApiClient(CoreV1Api).listNamespacedPod({ namespace: 'default' });
  expect((await list(alice)).items).toEqual([]);
  await expect(list(bob)).rejects.toMatchObject({
    code: 403,
    body: expect.stringContaining('User \\"bob/a b\\" cannot list resource') as string,
  });
  await expect(clientOf(alice).makeApiClient(CoreV1Api).deleteNamespace({ name: 'default' })).rejects.toMatchObject({
    code: 403,
  });
  expect(existsSync(bob.kubeconfigPath)).toBe(true);
  await server.close();
  expect(existsSync(dirname(bob.kubeconfigPath))).toBe(false);
});

test('flags are those of the command', async () => {
  await using server = await startApiServer({
    flags: { 'emulated-version': '1.36', 'service-cluster-ip-range': '10.1.0.0/16', v: 1 },
  });
  const config = clientOf(server);
  expect((await config.makeApiClient(VersionApi).getCode()).emulationMinor).toBe('36');
  const body = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
  const { spec } = await config.makeApiClient(CoreV1Api).createNamespacedService({ namespace: 'default', body });
  expect(spec?.clusterIP).toMatch(/^10\.1\./);
  await expect(startApiServer({ flags: { 'no-such-flag': true } })).rejects.toThrow('there is no flag --no-such-flag');
  await expect(startApiServer({ flags: { 'max-requests-inflight': 'many' } })).rejects.toThrow(
    /^--max-requests-inflight: "many" is not an integer/,
  );
});

test('controllers are those that are named', async () => {
  await using server = await startApiServer({ controllers: ['*', '-root-ca-certificate-publisher-controller'] });
  const core = clientOf(server).makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: 'a' } } });
  await core.createNamespacedPod({
    namespace: 'a',
    body: { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  });
  expect((await core.listNamespacedConfigMap({ namespace: 'a' })).items).toEqual([]);
});
