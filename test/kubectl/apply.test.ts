import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servedResources } from '../../src/schema/kubernetes/api-enablement.ts';
import { describeKubectl, manifest } from './kubectl.ts';

const folder = manifest('');

/** Client-side apply takes defaults within atomic fields of these manifests for changes, also with the reference. */
const alwaysConfigured = [
  'secret/registry',
  'endpoints/lighthouse',
  'node/berth-1',
  'pod/pilot',
  'validatingwebhookconfiguration.admissionregistration.k8s.io/customs',
  'mutatingwebhookconfiguration.admissionregistration.k8s.io/paint',
  'validatingadmissionpolicy.admissionregistration.k8s.io/replica-limit',
  'mutatingadmissionpolicy.admissionregistration.k8s.io/inspected',
  'networkpolicy.networking.k8s.io/pilot',
  'deployment.apps/pilot',
  'statefulset.apps/ledger',
  'poddisruptionbudget.policy/pilot',
];

describeKubectl('harbor', (kubectl) => {
  test('the manifests cover every resource that can be created by default', async () => {
    const creatable = servedResources(new Map())
      .filter(({ storage, verbs }) => storage !== undefined && verbs.includes('create'))
      .map(({ group, kind }) => (group === 'events.k8s.io' ? `/${kind}` : `${group}/${kind}`));
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    const present = texts.flatMap((text) =>
      [...text.matchAll(/^apiVersion: (?:(\S+)\/)?\w+\nkind: (\w+)$/gm)].map(
        ([, group = '', kind]) => `${group}/${kind}`,
      ),
    );
    expect([...new Set(creatable)].filter((kind) => !present.includes(kind))).toEqual([]);
  });

  test('apply creates them all, leaves them unchanged, and configures changes', async () => {
    const created = await kubectl.run`apply -f ${folder}`;
    const lines = created.trimEnd().split('\n');
    // The namespace already exists.
    expect(lines.filter((line) => !line.endsWith(' created'))).toEqual(['namespace/harbor configured']);
    const again = await kubectl.run`apply -f ${folder}`;
    expect(again.trimEnd().split('\n')).toEqual(
      lines.map((line) => {
        const [object = ''] = line.split(' ');
        return `${object} ${alwaysConfigured.includes(object) ? 'configured' : 'unchanged'}`;
      }),
    );

    const changed = join(kubectl.server?.scratchDir ?? '', 'workloads.yaml');
    const text = await readFile(manifest('workloads.yaml'), 'utf8');
    await writeFile(
      changed,
      text
        .replace('replicas: 3', 'replicas: 4')
        .replace('image: registry.example/log:1', 'image: registry.example/log:2'),
    );
    const configured = await kubectl.run`apply -f ${changed}`;
    expect(configured.split('\n')).toContain('deployment.apps/pilot configured');
    const read =
      await kubectl.run`get deployment pilot -o ${'jsonpath={.spec.replicas} {.spec.template.spec.containers[*].image}'}`;
    expect(read).toBe('4 registry.example/pilot:1 registry.example/log:2');
  });

  test('what is removed from a manifest is removed from the object', async () => {
    const apply = (data: string): Promise<string> =>
      kubectl.with({ input: `{apiVersion: v1, kind: ConfigMap, metadata: {name: log}, data: ${data}}` })
        .run`apply -f -`;
    expect(await apply('{a: one, b: two}')).toBe('configmap/log created\n');
    await kubectl.run`patch configmap log -p ${'{"data":{"c":"of another"}}'}`;
    expect(await apply('{a: one}')).toBe('configmap/log configured\n');
    expect(JSON.parse(await kubectl.run`get configmap log -o jsonpath={.data}`)).toEqual({ a: 'one', c: 'of another' });
    expect(await kubectl.run`apply view-last-applied configmap log`).toContain('a: one');
  });

  test('a server-side dry run changes nothing', async () => {
    const input = '{apiVersion: v1, kind: ConfigMap, metadata: {name: dry}, data: {a: one}}';
    expect(await kubectl.with({ input }).run`apply --dry-run=server -f -`).toBe(
      'configmap/dry created (server dry run)\n',
    );
    expect(await kubectl.with({ input }).run`create --dry-run=server -o name -f -`).toBe('configmap/dry\n');
    expect(await kubectl.fails`get configmap dry`).toBe('Error from server (NotFound): configmaps "dry" not found\n');
  });

  test('diff shows what apply would change', async () => {
    const charts = (heading: string) =>
      kubectl.with({
        input: `{apiVersion: v1, kind: ConfigMap, metadata: {name: compass}, data: {heading: ${heading}}}`,
      });
    await charts('north').run`apply -f -`;
    expect(await charts('north').result`diff -f -`).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await charts('west').result`diff -f -`;
    expect(code).toBe(1);
    expect(stdout).toContain('\n-  heading: north\n+  heading: west\n');
  });

  test('unknown and duplicate fields are refused', async () => {
    const input = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\ndata: {a: one}\ncolour: red\n';
    expect(await kubectl.with({ input }).fails`apply -f -`).toContain('unknown field "colour"');
    expect(await kubectl.with({ input }).run`apply --validate=false -f -`).toBe('configmap/odd created\n');
  });

  test('create refuses existing objects; replace replaces them, with --force as new objects', async () => {
    const flag = (color: string) =>
      kubectl.with({ input: `{apiVersion: v1, kind: ConfigMap, metadata: {name: flag}, data: {color: ${color}}}` });
    const uid = () => kubectl.run`get configmap flag -o jsonpath={.metadata.uid}`;
    expect(await flag('red').run`create -f -`).toBe('configmap/flag created\n');
    expect(await flag('red').fails`create -f -`).toContain(
      'Error from server (AlreadyExists): error when creating "STDIN": configmaps "flag" already exists',
    );
    const first = await uid();
    expect(await flag('blue').run`replace -f -`).toBe('configmap/flag replaced\n');
    expect(await uid()).toBe(first);
    expect(await flag('green').run`replace --force -f -`).toBe(
      'configmap "flag" deleted from harbor namespace\nconfigmap/flag replaced\n',
    );
    expect(await uid()).not.toBe(first);
    expect(await kubectl.run`get configmap flag -o jsonpath={.data.color}`).toBe('green');
    expect(await flag('red').fails`replace --namespace nowhere -f -`).toContain('configmaps "flag" not found');
  });

  test('create -f of a list, and of several documents', async () => {
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: ['one', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
    });
    expect(await kubectl.with({ input: list }).run`create -f -`).toBe('configmap/one created\nconfigmap/two created\n');
    expect(await kubectl.with({ input: list }).run`delete -f -`).toBe(
      'configmap "one" deleted from harbor namespace\nconfigmap "two" deleted from harbor namespace\n',
    );
  });

  test('delete -f removes everything again', async () => {
    await kubectl.run`delete --wait=false --ignore-not-found -f ${folder}`;
    await expect
      .poll(() => kubectl.run`get namespace,node,pv,storageclass,clusterrole,priorityclass,crd -o name`, {
        timeout: 20_000,
        interval: 500,
      })
      .not.toMatch(/harbor|berth-1|hold|slow|pilots-first|buoys/);
  });
});
