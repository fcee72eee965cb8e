import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/api/json/json.ts';
import type { PriorityLevelConfiguration } from '../../../src/schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { configDefaults } from '../../../src/server/config.ts';
import { ApiClient } from '../../api-client.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { readCases, readFields } from '../recording.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { batches, classify } from './classify.ts';
import { playInFlight } from './in-flight.ts';
import { playOverload } from './overload.ts';

const subject = 'flow-control';
const classified = readCases<readonly string[]>(subject, 'classified');
const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

describe('a server', () => {
  let server: TestServer;
  // Of each test: a connection that nobody uses while others classify is ended.
  let client: ApiClient;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => void (client = await ApiClient.connect(server)));
  afterEach(() => client[Symbol.dispose]());

  const get = async (plural: string, name: string): Promise<JsonObject> =>
    (await client.send('GET', `${root}/${plural}/${name}`)).body;
  const patch = (plural: string, name: string, body: object) =>
    client.send('PATCH', `${root}/${plural}/${name}`, { body, contentType: 'application/merge-patch+json' });
  const conditionOf = async (name: string): Promise<JsonObject | undefined> => {
    const { status } = await get('flowschemas', name);
    return (status as { conditions?: JsonObject[] } | undefined)?.conditions?.[0];
  };

  test('has the bootstrap objects of the reference', async () => {
    expect(await bootstrapObjects(server)).toEqual(readFields(subject, 'bootstrap'));
  });

  test.each(batches.map((batch, at) => [batch, at] as const))(
    'classifies like the reference: %o',
    async (batch, at) => {
      expect(await classify(server, batch)).toEqual(classified[at]);
    },
  );

  test('tells which schemas refer to a level that does not exist', async () => {
    const spec = { matchingPrecedence: 500, priorityLevelConfiguration: { name: 'later' }, rules: [] };
    await client.send('POST', `${root}/flowschemas`, { body: { metadata: { name: 'early' }, spec } });
    await expect
      .poll(() => conditionOf('early'))
      .toMatchObject({
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message:
          'This FlowSchema references the PriorityLevelConfiguration object named "later" but there is no such object',
      });
    const limited = { limitResponse: { type: 'Reject' } };
    const level = { metadata: { name: 'later' }, spec: { type: 'Limited', limited } };
    await client.send('POST', `${root}/prioritylevelconfigurations`, { body: level });
    await expect.poll(() => conditionOf('early')).toMatchObject({ status: 'False', reason: 'Found' });
    await client.send('DELETE', `${root}/prioritylevelconfigurations/later`);
    await expect.poll(() => conditionOf('early')).toMatchObject({ status: 'True', reason: 'NotFound' });
    await client.send('DELETE', `${root}/flowschemas/early`);
  });

  test('keeps up what nobody has taken over', { timeout: 40_000 }, async () => {
    const shares = (count: number) => ({ spec: { limited: { nominalConcurrencyShares: count } } });
    const annotated = (value: string) => ({ metadata: { annotations: { [autoUpdate]: value } } });
    const own = {
      ...(await get('flowschemas', 'global-default')),
      metadata: { name: 'old', ...annotated('true').metadata },
    };
    await client.send('POST', `${root}/flowschemas`, { body: own });
    await patch('prioritylevelconfigurations', 'system', shares(31));
    await patch('prioritylevelconfigurations', 'workload-low', { ...shares(101), ...annotated('false') });
    await patch('prioritylevelconfigurations', 'exempt', { spec: { exempt: { nominalConcurrencyShares: 7 } } });
    await client.send('DELETE', `${root}/flowschemas/probes`);
    const sharesOf = async (name: string): Promise<unknown> => {
      const { spec = {} } = (await get('prioritylevelconfigurations', name)) as PriorityLevelConfiguration;
      return (spec.limited ?? spec.exempt)?.nominalConcurrencyShares;
    };
    await expect.poll(() => sharesOf('system'), { timeout: 30_000 }).toBe(30);
    await expect.poll(() => sharesOf('exempt'), { timeout: 5_000 }).toBe(0);
    expect(await sharesOf('workload-low')).toBe(101);
    await expect.poll(async () => (await get('flowschemas', 'probes'))['kind']).toBe('FlowSchema');
    await expect.poll(async () => (await get('flowschemas', 'old'))['code']).toBe(404);
  });
});

test('what was changed while no server ran is restored at the next start', async () => {
  await using server = await startTestServer();
  {
    using client = await ApiClient.connect(server);
    await client.send('DELETE', `${root}/flowschemas/probes`);
    const body = { spec: { limited: { nominalConcurrencyShares: 31 } } };
    const contentType = 'application/merge-patch+json';
    await client.send('PATCH', `${root}/prioritylevelconfigurations/system`, { body, contentType });
  }
  await server.restart();
  using client = await ApiClient.connect(server);
  expect((await client.send('GET', `${root}/flowschemas/probes`)).code).toBe(200);
  const { body } = await client.send('GET', `${root}/prioritylevelconfigurations/system`);
  expect(body['spec']).toMatchObject({ limited: { nominalConcurrencyShares: 30 } });
});

test('without priority and fairness, refuses like the reference what is too many', { timeout: 60_000 }, async () => {
  const requests = { ...configDefaults.requests, priorityAndFairness: false, maxMutatingInFlight: 1 };
  await using server = await startTestServer({}, {}, { config: { requests } });
  expect(await playInFlight(server)).toEqual(readFields(subject, 'in-flight'));
});

test('refuses like the reference what finds no seat', { timeout: 60_000 }, async () => {
  const requests = { ...configDefaults.requests, maxReadOnlyInFlight: 1, maxMutatingInFlight: 1 };
  await using server = await startTestServer({}, {}, { config: { requests } });
  expect(await playOverload(server)).toEqual(readFields(subject, 'overload'));
});
