import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { type ManifestFolder, manifestFolder, startWithManifests } from '../manifest-folder.ts';
import { settled } from '../policies/settled.ts';
import { type HookServer, startHookServer } from './hook-server.ts';

const configured = () => manifestFolder('ValidatingAdmissionWebhook', 'WebhookAdmissionConfiguration');

function configuration(name: string, clientConfig: JsonObject, resources = ['configmaps']): string {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources };
  return JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'guard.acme.example',
        clientConfig,
        rules: [rule],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

describe('webhooks of files', () => {
  const opened = new AsyncDisposableStack();
  let place: ManifestFolder;
  let hooks: HookServer;
  let client: ApiClient;
  const write = (resources?: string[]): Promise<void> => {
    const clientConfig = { url: `${hooks.url}/deny`, caBundle: hooks.caBundle };
    return writeFile(join(place.manifests, 'one.json'), configuration('one.static.k8s.io', clientConfig, resources));
  };
  const create = async (path: string, body: JsonObject): Promise<string> => {
    const { code, body: answer } = await client.send('POST', `${path}?dryRun=All`, { body });
    const { message = '' } = answer;
    return `${code} ${typeof message === 'string' ? message : ''}`;
  };
  const createMap = () => create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } });

  beforeAll(async () => {
    place = await configured();
    opened.defer(() => rm(place.folder, { recursive: true, force: true }));
    const denial = { response: { allowed: false, status: { message: 'not today' } } };
    hooks = opened.use(await startHookServer(place.folder, () => denial));
    await write();
    client = opened.use(await ApiClient.connect(opened.use(await startWithManifests(place))));
  });

  afterAll(() => opened.disposeAsync());

  test('are called from the start', async () => {
    expect(await createMap()).toBe('400 admission webhook "guard.acme.example" denied the request: not today');
  });

  test('may be about the configuration of admission', async () => {
    await write(['validatingwebhookconfigurations']);
    await settled(async () => expect(await createMap()).toBe('201 '));
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    expect(await create(path, { metadata: { name: 'x' } })).toContain('denied the request: not today');
  });

  test('are read again when they change, and stay in use while they are wrong', async () => {
    await write();
    await settled(async () => expect(await createMap()).toContain('not today'));
    await writeFile(join(place.manifests, 'two.yaml'), 'kind: Pod');
    await settled(async () => expect(await createMap()).toContain('not today'));
    await rm(join(place.manifests, 'two.yaml'));
    await rm(join(place.manifests, 'one.json'));
    await settled(async () => expect(await createMap()).toBe('201 '));
  });
});

const url = { url: 'https://127.0.0.1:1/x' };
const service = { service: { namespace: 'default', name: 'hooks' } };

test.each<[string, string, string]>([
  [
    'a service',
    configuration('one.static.k8s.io', service),
    'clientConfig.service is not supported for static manifests; use clientConfig.url instead',
  ],
  ['another name', configuration('one', url), 'must have a name ending with ".static.k8s.io"'],
  ['another kind', 'kind: Pod\napiVersion: v1', 'unsupported resource type Pod'],
])('a server does not start with %s', async (_name, content, message) => {
  const place = await configured();
  await writeFile(join(place.manifests, 'one.yaml'), content);
  await expect(startWithManifests(place)).rejects.toThrow(message);
  await rm(place.folder, { recursive: true, force: true });
});
