import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { adminTls } from '../server-fixture.ts';
import {
  allow,
  apiService,
  type AuditEvent,
  type BehindReference,
  create,
  group,
  startBehindReference,
  tokenOf,
} from './behind-reference.ts';

const version = `/apis/${group}/v1`;
/** A namespace of kube-apiserver that Binnacle has never heard of. */
const tides = `${version}/namespaces/bay/tides`;
const pilot = 'system:serviceaccount:bay:pilot';
const merge = 'application/merge-patch+json';
const aggregatedDiscovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** kube-apiserver looks every 30 seconds, and at OpenAPI every minute. */
const patience = { timeout: 70_000, interval: 100 };

let pair: BehindReference;

describe.skipIf(skipWithoutReference())('behind kube-apiserver', () => {
  beforeAll(async () => {
    pair = await startBehindReference();
    await create(pair.host, '/api/v1/namespaces', { metadata: { name: 'bay' } });
    const rules = [{ apiGroups: [group], resources: ['tides'], verbs: ['get', 'list', 'create'] }];
    await allow(pair.host, 'sailor', { users: ['ann', 'jane', pilot], rules });
    const flooding = [{ apiGroups: [group], resources: ['tides'], verbs: ['flood'] }];
    await allow(pair.host, 'moon', { users: ['ann'], rules: flooding });
  }, 120_000);

  afterAll(() => pair?.[Symbol.asyncDispose]());

  test('its APIService is available, and its group discovered', async () => {
    await expect.poll(available, patience).toMatchObject({ status: 'True', reason: 'Passed' });
    expect(JSON.parse(await pair.host.text('/apis'))).toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ name: group })]) as object,
    });
    const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
    const { body } = await pair.host.send('GET', version);
    expect(body).toMatchObject({
      kind: 'APIResourceList',
      resources: [{ name: 'tides', verbs }, { name: 'tides/status' }],
    });
    const resource = { resource: 'tides', scope: 'Namespaced', verbs, subresources: [{ subresource: 'status' }] };
    await expect
      .poll(discovered, patience)
      .toMatchObject({ versions: [{ version: 'v1', freshness: 'Current', resources: [resource] }] });
  });

  test('its schemas are part of OpenAPI', async () => {
    const definition = 'example.tides.v1.Tide';
    await expect.poll(() => pair.host.text('/openapi/v3'), patience).toContain(`apis/${group}/v1`);
    const { body: third } = await pair.host.send('GET', `/openapi/v3/apis/${group}/v1`);
    const description = 'The height of the water.';
    expect(third).toMatchObject({ components: { schemas: { [definition]: { description } } } });
    await expect.poll(() => pair.host.text('/openapi/v2'), patience).toContain(definition);
    const { body: second } = await pair.host.send('GET', '/openapi/v2');
    expect(second).toMatchObject({ definitions: { [definition]: { description } } });
    const { paths = {}, definitions = {} } = second as { readonly paths?: object; readonly definitions?: object };
    expect(Object.keys(paths)).toContain(`${version}/namespaces/{namespace}/tides/{name}/status`);
    // What both have differs in descriptions only, for which kube-apiserver gives it other names.
    const known = bare(definitions) as { readonly [name: string]: unknown };
    const renamed = Object.keys(known).filter((name) => name.endsWith('_v2'));
    expect(renamed).toContain('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2');
    for (const name of renamed) expect.soft(known[name], name).toEqual(known[name.replace(/_v2$/, '')]);
  });

  test.skipIf(kubectlPath === undefined)('kubectl explains, applies and prints', async () => {
    const kubectl = new Kubectl('bay');
    kubectl.server = { kubeconfigPath: pair.hostKubeconfig, scratchDir: pair.folder };
    expect(await kubectl.run`explain tide.spec.height`).toContain('In centimetres.');
    const manifest = (height: unknown): Kubectl => kubectl.with({ input: JSON.stringify(tide('ebb', height)) });
    expect(await manifest(10).run`apply --server-side --filename -`).toContain('serverside-applied');
    expect(await manifest(11).run`apply --server-side --filename -`).toContain('serverside-applied');
    expect(await manifest('low').fails`apply --filename -`).toContain('spec.height');
    expect((await kubectl.run`get tides --no-headers`).split(/\s+/).filter(Boolean)).toEqual(['ebb', '11']);
    expect(await kubectl.run`delete tide ebb`).toContain('deleted');
  });

  test('its objects are written, read and watched', async () => {
    const { host } = pair;
    const events = host.watch(`${tides}?watch=1`);
    const types: string[] = [];
    const next = async (): Promise<void> => {
      const { value } = await events.next();
      types.push((value as { readonly type: string }).type);
    };
    const first = next();
    expect((await host.send('POST', tides, { body: tide('spring', 90) })).code).toBe(201);
    await first;
    const patches = [
      [merge, { spec: { height: 91 } }],
      ['application/json-patch+json', [{ op: 'replace', path: '/spec/height', value: 92 }]],
    ] as const;
    for (const [contentType, body] of patches) {
      expect((await host.send('PATCH', `${tides}/spring`, { contentType, body })).code).toBe(200);
    }
    const applied = { contentType: 'application/apply-patch+yaml', body: tide('spring', 93) };
    expect(await host.send('PATCH', `${tides}/spring?fieldManager=moon`, applied)).toMatchObject({
      code: 409,
      body: { reason: 'Conflict' },
    });
    const forced = await host.send('PATCH', `${tides}/spring?fieldManager=moon&force=true`, applied);
    expect(forced).toMatchObject({ code: 200, body: { spec: { height: 93 } } });
    const status = { contentType: merge, body: { status: {} } };
    expect((await host.send('PATCH', `${tides}/spring/status`, status)).code).toBe(200);
    const { body: live } = await host.send('GET', `${tides}/spring`);
    const replaced = { body: { ...live, spec: { height: 94 } } };
    expect((await host.send('PUT', `${tides}/spring`, replaced)).code).toBe(200);
    expect((await host.send('GET', `${tides}/spring`)).body).toMatchObject({ spec: { height: 94 } });
    expect((await host.send('GET', tides)).body).toMatchObject({ kind: 'TideList', items: [{ spec: { height: 94 } }] });
    expect((await host.send('DELETE', `${tides}/spring`)).code).toBe(200);
    for (let count = 0; types.at(-1) !== 'DELETED' && count < 10; count += 1) await next();
    expect(types).toEqual(['ADDED', ...Array<string>(5).fill('MODIFIED'), 'DELETED']);
    await events.return(undefined);
    for (const name of ['a', 'b']) await create(host, tides, tide(name, 1));
    expect((await host.send('DELETE', tides)).code).toBe(200);
    expect((await host.send('GET', tides)).body).toMatchObject({ items: [] });
  });

  test('kube-apiserver refuses users itself, and passes on those that it lets through', async () => {
    const before = pair.audited().length;
    const listTides = { method: 'GET', path: tides };
    expect(await pair.hostUsers.send({ ...listTides, token: 'tok-eve' })).toMatchObject({
      code: 403,
      body: { message: `tides.${group} is forbidden: ${cannot('eve', 'list')}` },
    });
    const deleting = { method: 'DELETE', path: `${tides}/x`, token: 'tok-ann' };
    expect((await pair.hostUsers.send(deleting)).code).toBe(403);
    expect((await pair.hostUsers.send({ ...listTides, token: 'nonsense' })).code).toBe(401);
    expect(requests(before)).toEqual([]);
    expect((await pair.hostUsers.send({ ...listTides, token: 'tok-ann' })).code).toBe(200);
    const groups = ['crew', 'system:authenticated'];
    expect(requests(before)).toMatchObject([{ verb: 'list', user: { username: 'ann', uid: 'u1', groups } }]);
  });

  test('impersonated users arrive with everything that is known of them', async () => {
    const before = pair.audited().length;
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-uid': 'u9',
      'impersonate-group': 'crew',
      'impersonate-extra-example.org%2fScopes': 'read, write',
      'impersonate-extra-reason': 'drill %25',
    };
    expect((await pair.host.send('GET', tides, { headers })).code).toBe(200);
    const [{ user, impersonatedUser } = { user: {} }] = requests(before) as readonly Partial<AuditEvent>[];
    expect(impersonatedUser).toBeUndefined();
    expect(user).toEqual({
      username: 'jane',
      uid: 'u9',
      groups: ['crew', 'system:authenticated'],
      extra: { 'example.org/scopes': ['read, write'], reason: ['drill %25'] },
    });
  });

  test('tokens of kube-apiserver are known when they come directly', async () => {
    const accounts = '/api/v1/namespaces/bay/serviceaccounts';
    await create(pair.host, accounts, { metadata: { name: 'pilot' } });
    const before = pair.audited().length;
    const direct = (token: string) => pair.directUsers.send({ method: 'GET', path: tides, token });
    const token = await tokenOf(pair.host, `${accounts}/pilot`);
    expect((await direct(token)).code).toBe(200);
    expect((await direct('tok-ann')).code).toBe(200);
    expect(requests(before)).toMatchObject([
      {
        user: {
          username: pilot,
          groups: ['system:serviceaccounts', 'system:serviceaccounts:bay', 'system:authenticated'],
          extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/) as string] },
        },
      },
      { user: { username: 'ann', uid: 'u1', groups: ['crew', 'system:authenticated'] } },
    ]);
    expect((await direct(await tokenOf(pair.host, `${accounts}/pilot`, ['elsewhere']))).code).toBe(401);
    expect((await direct('nonsense')).code).toBe(401);
    // Both servers remember tokens for ten seconds.
    await pair.host.send('DELETE', `${accounts}/pilot`);
    await expect.poll(async () => (await direct(token)).code, { timeout: 30_000, interval: 100 }).toBe(401);
  });

  test('what they may do is asked of kube-apiserver', async () => {
    const before = pair.audited().length;
    const listTides = { method: 'GET', path: tides, token: 'tok-eve' };
    expect(await pair.directUsers.send(listTides)).toMatchObject({
      code: 403,
      body: { message: `tides.${group} is forbidden: ${cannot('eve', 'list')}` },
    });
    expect(requests(before)).toMatchObject([{ user: { username: 'eve' }, responseStatus: { code: 403 } }]);
    const as = { ...listTides, token: 'tok-ann', headers: { 'impersonate-user': 'jane' } };
    const refused = await pair.directUsers.send(as);
    expect(refused.code).toBe(403);
    expect(refused).toEqual(await pair.hostUsers.send(as));
    const rules = [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['jane', 'eve'] }];
    await allow(pair.host, 'actor', { users: ['ann'], rules });
    // Refusals are remembered for ten seconds.
    await expect.poll(async () => (await pair.directUsers.send(as)).code, patience).toBe(200);
    expect(requests(before).at(-1)).toMatchObject({
      user: { username: 'ann' },
      impersonatedUser: { username: 'jane' },
    });
    const asEve = { ...as, headers: { 'impersonate-user': 'eve' } };
    expect((await pair.directUsers.send(asEve)).body).toMatchObject({
      code: 403,
      message: expect.stringContaining('User "eve"') as string,
    });
    // Whoever is not the front proxy cannot name users in its headers.
    const claims = { 'x-remote-user': 'ann', 'x-remote-group': 'system:masters' };
    expect((await pair.directUsers.send({ ...listTides, headers: claims })).code).toBe(403);
  });

  test('policies ask it, too', async () => {
    const flood = (name: string, user: string) =>
      pair.host.send('POST', tides, { body: tide(name, 2000), headers: { 'impersonate-user': user } });
    expect((await flood('one', 'ann')).code).toBe(201);
    expect(await flood('two', 'jane')).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('this is a flood') as string },
    });
  });

  test('namespaces are those of kube-apiserver', async () => {
    const { host } = pair;
    const sea = `${version}/namespaces/sea/tides`;
    expect(await host.send('POST', sea, { body: tide('neap', 1) })).toMatchObject({
      code: 404,
      body: { message: 'namespaces "sea" not found' },
    });
    await create(host, '/api/v1/namespaces', { metadata: { name: 'sea' } });
    expect((await host.send('POST', `${sea}?dryRun=All`, { body: tide('neap', 1) })).code).toBe(201);
    expect((await host.send('POST', sea, { body: tide('neap', 1) })).code).toBe(201);
    // Nobody finishes the deletion.
    expect((await host.send('DELETE', '/api/v1/namespaces/sea')).code).toBe(200);
    expect(await host.send('POST', sea, { body: tide('late', 1) })).toMatchObject({
      code: 403,
      body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } },
    });
    expect((await host.send('DELETE', sea)).code).toBe(200);
  });

  test('is watched over WebSockets', async () => {
    const { ca, cert, key } = await adminTls(pair.hostKubeconfig);
    const url = new URL(`${tides}?watch=1&fieldSelector=metadata.name%3Dseen`, pair.hostUrl.replace('https', 'wss'));
    const socket = new WebSocket(url, { ca, cert, key, origin: 'https://localhost' });
    await once(socket, 'open');
    const message = once(socket, 'message');
    await create(pair.host, tides, tide('seen', 1));
    const [data] = (await message) as [Buffer];
    expect(JSON.parse(data.toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'seen' } } });
    socket.terminate();
  });

  test('is unavailable while it is stopped, and as before afterwards', { timeout: 240_000 }, async () => {
    await create(pair.host, tides, tide('kept', 5));
    await pair.stop();
    const { code } = await pair.host.exchange('GET', `${tides}/kept`, {});
    expect(code).toBe(503);
    await expect.poll(available, patience).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
    expect((await pair.host.exchange('GET', `${tides}/kept`, {})).code).toBe(503);
    // The rest of kube-apiserver goes on.
    expect((await pair.host.send('GET', '/api/v1/namespaces/bay')).code).toBe(200);
    await pair.start();
    await expect.poll(available, patience).toMatchObject({ status: 'True', reason: 'Passed' });
    const kept = await pair.host.send('GET', `${tides}/kept`);
    expect(kept).toMatchObject({ code: 200, body: { spec: { height: 5 } } });
    const events = pair.host.watch(`${tides}?watch=1&resourceVersion=0`);
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'kept' } } });
    await events.return(undefined);
  });

  test('knows users again when kube-apiserver is back, also by another certificate', { timeout: 240_000 }, async () => {
    const getKept = { method: 'GET', path: `${tides}/kept`, token: 'tok-ann' };
    expect((await pair.directUsers.send(getKept)).code).toBe(200);
    await pair.stopHost();
    // Nobody knows the token any more, at the latest when what is remembered of it is over.
    await expect.poll(async () => (await pair.directUsers.send(getKept)).code, patience).not.toBe(200);
    await pair.startHost();
    await expect.poll(async () => (await pair.directUsers.send(getKept)).code, patience).toBe(200);
    const passedOn = async (): Promise<number> => (await pair.host.exchange('GET', `${tides}/kept`, {})).code;
    await expect.poll(passedOn, { ...patience, timeout: 20_000 }).toBe(200);
    expect(requests(0).at(-1)).toMatchObject({ user: { username: 'kubernetes-admin' } });
  });
});

function tide(name: string, height: unknown): JsonObject {
  const spec = { height } as JsonObject; // a number, or what should be one
  return { apiVersion: `${group}/v1`, kind: 'Tide', metadata: { name }, spec };
}

function cannot(user: string, verb: string): string {
  return `User "${user}" cannot ${verb} resource "tides" in API group "${group}" in the namespace "bay"`;
}

/** The condition of the APIService. */
async function available(): Promise<JsonValue> {
  const { body } = await pair.host.send('GET', apiService);
  const { conditions } = isJsonObject(body['status']) ? body['status'] : {};
  return (Array.isArray(conditions) ? conditions[0] : undefined) ?? null;
}

/** The group in aggregated discovery. */
async function discovered(): Promise<unknown> {
  const { body } = await pair.host.send('GET', '/apis', { headers: { accept: aggregatedDiscovery } });
  const { items } = body as { readonly items?: readonly { readonly metadata: { readonly name: string } }[] };
  return items?.find(({ metadata }) => metadata.name === group);
}

/** Definitions without descriptions, all of whose references are to the names of kube-apiserver. */
function bare(definitions: object): unknown {
  const text = JSON.stringify(definitions, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/("\$ref":"[^"]+)_v2"/g, '$1"'));
}

/** Requests for tides that have reached Binnacle. */
function requests(from: number): readonly AuditEvent[] {
  return pair.audited(from).filter(({ requestURI }) => requestURI.startsWith(tides));
}
