import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import type { Service } from '../../src/resources/core/service/allocation/service-needs.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { configuration, key } from './configurations.ts';

const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const patience = { timeout: 20_000 };
const sealed = ['clusterroles.rbac.authorization.k8s.io', 'limitranges', 'pods', 'serviceaccounts', 'services'];
const secretbox = (name: string, byte: number) => ({ secretbox: { keys: [{ name, secret: key(byte) }] } });

test('nothing is deleted or released because what needs it cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-unreadable-'));
  const file = join(folder, 'encryption.json');
  const write = async (...providers: readonly object[]): Promise<void> => {
    await writeFile(`${file}.new`, configuration(sealed, providers));
    await rename(`${file}.new`, file);
  };
  await write(secretbox('a', 1));
  await using server = await startTestServer({}, { encryption: { configFile: file, automaticReload: true } });
  using client = await ApiClient.connect(server);
  const make = async (path: string, object: object): Promise<KubernetesObject & Service> => {
    const { code, body } = await client.send('POST', path, { body: object });
    expect(code, JSON.stringify(body)).toBe(201);
    return body as KubernetesObject & Service; // as the server shows it
  };
  const get = async (path: string): Promise<{ readonly code: number; readonly body: unknown }> =>
    client.send('GET', path);

  await make(`${core}/serviceaccounts`, { metadata: { name: 'robot' } });
  const ofRobot = { name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } };
  await make(`${core}/secrets`, { metadata: ofRobot, type: 'kubernetes.io/service-account-token' });
  await expect
    .poll(async () => JSON.stringify((await get(`${core}/secrets/robot-token`)).body), patience)
    .toContain('"token":');
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await make(`${core}/persistentvolumeclaims`, { metadata: { name: 'disk' }, spec: claim });
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];
  const containers = [{ name: 'one', image: 'none' }];
  await make(`${core}/pods`, { metadata: { name: 'user' }, spec: { containers, volumes, nodeName: 'there' } });
  await client.send('DELETE', `${core}/persistentvolumeclaims/disk`);
  const { spec = {} } = await make(`${core}/services`, {
    metadata: { name: 'front' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  });
  const nodePort = spec.ports?.[0]?.nodePort;
  const aggregate = { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  await make(rbac, { metadata: { name: 'part', labels: { part: 'yes' } }, rules });
  await make(rbac, { metadata: { name: 'whole' }, aggregationRule: aggregate, rules: [] });
  await make(`${core}/limitranges`, {
    metadata: { name: 'small' },
    spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] },
  });
  await expect.poll(async () => JSON.stringify((await get(`${rbac}/whole`)).body), patience).toContain('"pods"');

  const isThere = async (): Promise<void> => {
    expect((await get(`${core}/secrets/robot-token`)).code, 'the token').toBe(200);
    expect((await get(`${core}/persistentvolumeclaims/disk`)).code, 'the claim in use').toBe(200);
    const address = `/apis/networking.k8s.io/v1/ipaddresses/${spec.clusterIP}`;
    expect((await get(address)).code, 'the address').toBe(200);
  };
  await write(secretbox('b', 2));
  await expect.poll(async () => (await get(`${core}/serviceaccounts/robot`)).code, patience).toBe(500);
  // Fails closed: what is limited is not known.
  const unlimited = { metadata: { name: 'other' }, spec: { containers } };
  expect((await client.send('POST', `${core}/pods`, { body: unlimited })).code).toBe(500);
  await isThere();
  // Everything is checked anew by a server that has never seen them.
  await server.restart();
  using again = await ApiClient.connect(server);
  const post = (path: string, body: object) => again.send('POST', path, { body });
  for (let index = 0; index < 3; index++) {
    const other = { metadata: { name: `other-${index}` }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } };
    const { code, body } = await post(`${core}/services`, other);
    expect([code, JSON.stringify(body)]).toEqual([422, expect.stringContaining('provided port is already allocated')]);
  }
  await write(secretbox('b', 2), secretbox('a', 1));
  await expect.poll(async () => (await again.send('GET', `${core}/serviceaccounts/robot`)).code, patience).toBe(200);
  const whole = await again.send('GET', `${rbac}/whole`);
  expect(JSON.stringify(whole.body)).toContain('"pods"');
  for (const path of [`${core}/secrets/robot-token`, `${core}/persistentvolumeclaims/disk`]) {
    expect((await again.send('GET', path)).code, path).toBe(200);
  }
  await rm(folder, { recursive: true });
}, 120_000);
