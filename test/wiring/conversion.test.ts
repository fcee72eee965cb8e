import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { builtInWiring, type Wiring } from '../../src/server/wiring.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

/** Sizes of the groups converted together. */
const groups: number[] = [];

/** Conversion like a webhook's: elsewhere, asynchronous, on copies. */
const waiting: Wiring = {
  ...builtInWiring,
  behaviour(options) {
    const behaviourOf = builtInWiring.behaviour(options);
    return (kind) => {
      const behaviour = behaviourOf(kind);
      return {
        ...behaviour,
        converter: {
          waits: true,
          async convert(objects, target) {
            groups.push(objects.length);
            const copies = structuredClone(objects);
            await sleep(1);
            return behaviour.converter.convert(copies, target);
          },
        },
      };
    };
  },
};

let servers: readonly TestServer[];
let clients: readonly ApiClient[];

beforeAll(async () => {
  servers = [await startTestServer(), await startTestServer({}, {}, { wiring: waiting })];
  clients = await Promise.all(servers.map((server) => ApiClient.connect(server)));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
});

/** Removes what differs between any two servers. */
function settled(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
    .replaceAll(/"(uid|resourceVersion)":"[^"]*"/g, '"$1":""')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME');
  return JSON.parse(text) as JsonValue;
}

/** The response of both servers, which must be the same. */
async function both<T>(ask: (client: ApiClient) => Promise<T>): Promise<T> {
  const [plain, converted] = await Promise.all(clients.map(ask));
  expect(settled(converted as JsonValue)).toEqual(settled(plain as JsonValue));
  return converted as T;
}

const send = (
  ...request: Parameters<ApiClient['send']>
): Promise<{ readonly code: number; readonly body: JsonObject }> =>
  both(async (client) => {
    const { code, body } = await client.send(...request);
    return { code, body };
  });

const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

function autoscaler(name: string): JsonObject {
  return {
    metadata: { name, labels: { app: name } },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name, apiVersion: 'apps/v1' },
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    },
  };
}

describe('asynchronous conversion yields the same as synchronous conversion', () => {
  test('when objects are written', async () => {
    expect((await send('POST', v1, { body: autoscaler('one') })).code).toBe(201);
    expect((await send('POST', `${v1}?dryRun=All`, { body: autoscaler('none') })).code).toBe(201);
    expect((await send('GET', `${v2}/one`)).body['spec']).toMatchObject({ metrics: [{ type: 'Resource' }] });
    const { body } = await send('GET', `${v1}/one`);
    expect((await send('PUT', `${v1}/one`, { body: { ...body, metadata: { name: 'one' } } })).code).toBe(200);
    const patch = { spec: { maxReplicas: 5 } };
    const merge = 'application/merge-patch+json';
    expect((await send('PATCH', `${v1}/one`, { body: patch, contentType: merge })).code).toBe(200);
    const scaled = await send('GET', `${v2}/one`);
    expect(scaled.body['spec']).toMatchObject({ maxReplicas: 5 });
  });

  test('when owners of several versions apply', async () => {
    const contentType = 'application/apply-patch+yaml';
    const apply = (path: string, manager: string, body: JsonObject) =>
      send('PATCH', `${path}/two?fieldManager=${manager}&force=true`, { body, contentType });
    const name = { metadata: { name: 'two' }, kind: 'HorizontalPodAutoscaler' };
    const { spec = {} } = autoscaler('two');
    expect((await apply(v1, 'first', { ...name, apiVersion: 'autoscaling/v1', spec })).code).toBe(201);
    const target = { scaleTargetRef: { kind: 'Deployment', name: 'two', apiVersion: 'apps/v1' } };
    const second = { ...name, apiVersion: 'autoscaling/v2', spec: { ...target, maxReplicas: 7 } };
    expect((await apply(v2, 'second', second)).code).toBe(200);
    const less = { ...name, apiVersion: 'autoscaling/v1', spec: { ...target, maxReplicas: 7 } };
    const { body } = await apply(v1, 'first', less);
    expect(JSON.stringify(body['metadata'])).toContain('autoscaling/v2');
  });

  test.each([
    'application/json',
    'application/yaml',
    'application/cbor',
    'application/vnd.kubernetes.protobuf',
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
  ])('in lists, which are %s', async (accept) => {
    const sizes = await Promise.all(clients.map(async (client) => (await client.bytes(v1, accept)).bytes.length));
    expect(sizes[0]).toBeGreaterThan(100);
    // With asynchronous conversion, Tables are made from served objects.
    if (!accept.includes('Table')) expect(sizes[1]).toBe(sizes[0]);
  });

  test('in watches, including bookmarks', async () => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const events = await both(async (client) => {
      const seen: JsonObject[] = [];
      for await (const { type, object } of client.watch(`${v1}?${query}&timeoutSeconds=20`)) {
        seen.push({ type, object: object as JsonValue });
        // Not all at once: objects that arrive during a conversion wait for the next.
        if (type === 'BOOKMARK') await client.send('POST', v1, { body: autoscaler('three') });
        if (type === 'BOOKMARK') await client.send('DELETE', `${v1}/three`);
        if (type === 'DELETED') break;
      }
      return seen;
    });
    const types = events.map((event) => event['type']);
    expect(types).toEqual(['ADDED', 'ADDED', 'BOOKMARK', 'ADDED', 'DELETED']);
    expect(JSON.stringify(events)).not.toContain('autoscaling/v2","kind');
  });

  test('an event is converted once, for any number of watches', async () => {
    const [, client] = clients;
    if (client === undefined) throw new Error('there is no such client');
    const watchers = Array.from({ length: 5 }, async () => {
      for await (const { type } of client.watch(`${v1}?watch=1&timeoutSeconds=20`)) if (type === 'DELETED') return;
    });
    await sleep(300);
    await client.send('POST', v1, { body: autoscaler('shared') });
    groups.splice(0);
    await client.send('DELETE', `${v1}/shared`);
    await Promise.all(watchers);
    // Once for the events and once for the response.
    expect(groups.length).toBeLessThanOrEqual(3);
  });

  test('many objects together', async () => {
    const before = await send('GET', v1);
    expect(before.body['items']).toHaveLength(2);
    for (let at = 0; at < 20; at += 1) await send('POST', v1, { body: autoscaler(`many-${at}`) });
    groups.splice(0);
    const { body } = await send('GET', v1);
    expect(body['items']).toHaveLength(22);
    // The others have been converted before.
    expect(groups).toEqual([20]);
    expect((await send('DELETE', v1)).code).toBe(200);
    expect((await send('GET', v1)).body['items']).toEqual([]);
  });

  test('and a kind served in its storage version is never converted', async () => {
    groups.splice(0);
    const path = '/api/v1/namespaces/default/configmaps';
    await send('POST', path, { body: { metadata: { name: 'plain' }, data: { a: 'b' } } });
    await send('GET', `${path}/plain`);
    await send('PATCH', `${path}/plain`, { body: { data: { a: 'c' } }, contentType: 'application/merge-patch+json' });
    expect(groups).toEqual([]);
  });
});
