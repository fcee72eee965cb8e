import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { type ManifestFolder, manifestFolder, startWithManifests } from '../manifest-folder.ts';
import type { TestServer } from '../server-fixture.ts';
import { settled } from './settled.ts';

const policy = (name: string, { resources = ['configmaps'], message = 'of a file' } = {}): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}.static.k8s.io
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE], resources: ${JSON.stringify(resources)} }
  validations:
  - { expression: "object.metadata.name != 'bad'", message: ${message} }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}.static.k8s.io
spec:
  policyName: ${name}.static.k8s.io
  validationActions: [Deny]
`;

const configured = () => manifestFolder('ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyConfiguration');

describe('policies of files', () => {
  let place: ManifestFolder;
  let server: TestServer;
  let client: ApiClient;
  const create = async (path: string, body: object): Promise<string> => {
    const { code, body: answer } = await client.send('POST', path, { body });
    const { message = '' } = answer;
    return `${code} ${typeof message === 'string' ? message : ''}`;
  };
  const createMap = (name: string): Promise<string> =>
    create('/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name } });

  beforeAll(async () => {
    place = await configured();
    await writeFile(join(place.manifests, 'one.yaml'), policy('one'));
    server = await startWithManifests(place);
    client = await ApiClient.connect(server);
  });

  afterAll(async () => {
    client?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    await rm(place.folder, { recursive: true, force: true });
  });

  test('apply from the start', async () => {
    expect(await createMap('good')).toBe('201 ');
    expect(await createMap('bad')).toBe(
      `422 configmaps "bad" is forbidden: ValidatingAdmissionPolicy 'one.static.k8s.io' with binding 'one.static.k8s.io' denied request: of a file`,
    );
  });

  test('are read again when they change, and stay in use while they are wrong', async () => {
    await writeFile(join(place.manifests, 'one.yaml'), policy('one', { message: 'changed' }));
    await settled(async () => expect(await createMap('bad')).toContain('denied request: changed'));
    await writeFile(join(place.manifests, 'two.yaml'), 'kind: Pod\napiVersion: v1');
    await settled(async () => expect(await createMap('bad')).toContain('denied request: changed'));
    await rm(join(place.manifests, 'two.yaml'));
    await rm(join(place.manifests, 'one.yaml'));
    await settled(async () => expect(await createMap('bad')).toBe('201 '));
  });

  test('may be about policies', async () => {
    await writeFile(join(place.manifests, 'one.json'), policy('one', { resources: ['validatingadmissionpolicies'] }));
    const spec = {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['x'] }],
      },
      validations: [{ expression: 'true' }],
    };
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All';
    await settled(async () => expect(await create(path, { metadata: { name: 'bad' }, spec })).toContain('of a file'));
    expect(await create(path, { metadata: { name: 'good' }, spec })).toBe('201 ');
  });
});

test.each<[string, string, string]>([
  ['another kind', 'kind: Pod\napiVersion: v1', 'unsupported resource type Pod'],
  ['another name', policy('one').replaceAll('.static.k8s.io', ''), 'must have a name ending with ".static.k8s.io"'],
  ['an expression that does not compile', policy('one').replace('object.', 'other.'), 'undeclared reference to'],
  [
    'parameters',
    policy('one').replace('spec:\n  match', 'spec:\n  paramKind: { apiVersion: v1, kind: Pod }\n  match'),
    'spec.paramKind is not supported for static manifests',
  ],
  [
    'a binding without its policy',
    policy('one').slice(policy('one').indexOf('---')),
    'which does not exist in the manifest directory',
  ],
  ['the same name twice', `${policy('one')}---${policy('one')}`, 'duplicate name "one.static.k8s.io"'],
  ['broken YAML', 'a: [', 'error loading'],
])('a server does not start with %s', async (_name, content, message) => {
  const place = await configured();
  await writeFile(join(place.manifests, 'one.yaml'), content);
  await expect(startWithManifests(place)).rejects.toThrow(message);
  await rm(place.folder, { recursive: true, force: true });
});
