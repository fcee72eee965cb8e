import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

// Gates that affect validation, on and off.

const containers = [{ name: 'c', image: 'i' }];
const labels = { app: 'a' };
const cases = [
  {
    gate: 'RelaxedServiceNameValidation',
    release: '1.36',
    path: '/api/v1/namespaces/default/services',
    body: { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } },
  },
  {
    gate: 'StatefulSetRecreateStrategy',
    release: '1.37',
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    body: {
      metadata: { name: 'set' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
        updateStrategy: { type: 'Recreate' },
      },
    },
  },
] as const;

test.each(cases)('$gate', async ({ gate, release, path, body }) => {
  for (const [isOpen, code] of [
    [true, 201],
    [false, 422],
  ] as const) {
    await using server = await startTestServer({ emulatedVersion: release, featureGates: new Map([[gate, isOpen]]) });
    using client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body })).code).toBe(code);
  }
});

test('a service with a relaxed name keeps it when the gate is off', async () => {
  const featureGates = new Map([['RelaxedServiceNameValidation', true]]);
  await using server = await startTestServer({ emulatedVersion: '1.36', featureGates });
  const path = '/api/v1/namespaces/default/services';
  const body = { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } };
  {
    using client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body })).code).toBe(201);
  }
  featureGates.set('RelaxedServiceNameValidation', false);
  await server.restart();
  using client = await ApiClient.connect(server);
  const patch = { body: { spec: { selector: { a: 'b' } } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${path}/1st`, patch)).code).toBe(200);
  expect((await client.send('POST', path, { body: { ...body, metadata: { name: '2nd' } } })).code).toBe(422);
});

test('StrictIPCIDRValidation: without it addresses may have leading zeros', async () => {
  const path = '/api/v1/namespaces/default/services';
  const body = { metadata: { name: 'old' }, spec: { clusterIP: '10.0.0.011', ports: [{ port: 80 }] } };
  for (const [isOpen, code] of [
    [true, 422],
    [false, 201],
  ] as const) {
    await using server = await startTestServer({ featureGates: new Map([['StrictIPCIDRValidation', isOpen]]) });
    using client = await ApiClient.connect(server);
    const answer = await client.send('POST', path, { body });
    expect(answer.code).toBe(code);
    if (code === 201) {
      expect(answer.body).toMatchObject({ spec: { clusterIP: '10.0.0.011', clusterIPs: ['10.0.0.011'] } });
    }
  }
});

test('StatefulSetRecreateStrategy: a set that is recreated stays so without the gate', async () => {
  const featureGates = new Map([['StatefulSetRecreateStrategy', true]]);
  await using server = await startTestServer({ featureGates });
  const path = '/apis/apps/v1/namespaces/default/statefulsets';
  const spec = (updateStrategy: object): object => ({
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
    updateStrategy,
  });
  const named = (name: string, updateStrategy: object): object => ({ metadata: { name }, spec: spec(updateStrategy) });
  const merge = { contentType: 'application/merge-patch+json' };
  {
    using client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body: named('set', { type: 'Recreate' }) })).code).toBe(201);
    const both = { type: 'Recreate', rollingUpdate: { partition: 1 } };
    expect((await client.send('POST', path, { body: named('both', both) })).body['message']).toContain(
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    );
    expect((await client.send('POST', path, { body: named('other', { type: 'Other' }) })).body['message']).toContain(
      "must be 'RollingUpdate', 'OnDelete', or 'Recreate'",
    );
  }
  featureGates.set('StatefulSetRecreateStrategy', false);
  await server.restart();
  using client = await ApiClient.connect(server);
  const patch = (body: object) => client.send('PATCH', `${path}/set`, { body, ...merge });
  expect((await patch({ spec: { replicas: 2 } })).code).toBe(200);
  expect((await client.send('POST', path, { body: named('other', { type: 'Other' }) })).body['message']).toMatch(
    /: must be 'RollingUpdate' or 'OnDelete'$/,
  );
  expect((await patch({ spec: { updateStrategy: { type: 'OnDelete' } } })).code).toBe(200);
  expect((await patch({ spec: { updateStrategy: { type: 'Recreate' } } })).code).toBe(422);
});

test('InPlacePodVerticalScalingMemoryBackedVolumes: a resize changes the size of volumes in memory', async () => {
  const gate = 'InPlacePodVerticalScalingMemoryBackedVolumes';
  const path = '/api/v1/namespaces/default/pods';
  const volumesOf = (memory: string, disk: string): object[] => [
    { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: memory } },
    { name: 'disk', emptyDir: { sizeLimit: disk } },
  ];
  const pod = (volumes: object[]): object => ({ metadata: { name: 'p' }, spec: { containers, volumes } });
  for (const isOpen of [false, true]) {
    await using server = await startTestServer({ featureGates: new Map([[gate, isOpen]]) });
    using client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body: pod(volumesOf('1Mi', '1Mi')) })).code).toBe(201);
    const resize = async (volumes: object[]) => client.send('PUT', `${path}/p/resize`, { body: pod(volumes) });
    expect((await resize(volumesOf('2Mi', '1Mi'))).body).toMatchObject({
      spec: { volumes: volumesOf(isOpen ? '2Mi' : '1Mi', '1Mi') },
    });
    if (!isOpen) continue;
    const refusals = [
      [volumesOf('2Mi', '2Mi'), 'spec.volumes[1].emptyDir.sizeLimit: Forbidden: sizeLimit is only mutable for'],
      [volumesOf('0', '1Mi'), 'spec.volumes[0].emptyDir.sizeLimit: Forbidden: adding or removing sizeLimit on'],
      [volumesOf('2Mi', '1Mi').toReversed(), 'spec.volumes[0].name: Forbidden: volumes may not be renamed or'],
      [volumesOf('2Mi', '1Mi').slice(1), 'spec.volumes: Forbidden: volumes may not be added or removed on resize'],
    ] as const;
    for (const [volumes, text] of refusals) {
      expect((await resize([...volumes])).body['message']).toContain(text);
    }
  }
});

test('TaintTolerationComparisonOperators: a pod that compares can be changed without the gate, and no other', async () => {
  const featureGates = new Map([['TaintTolerationComparisonOperators', true]]);
  await using server = await startTestServer({ featureGates });
  const path = '/api/v1/namespaces/default/pods';
  const tolerations = [{ key: 'k', operator: 'Gt', value: '1', effect: 'NoSchedule' }];
  const pod = (name: string): object => ({ metadata: { name }, spec: { containers, tolerations } });
  {
    using client = await ApiClient.connect(server);
    expect((await client.send('POST', path, { body: pod('p') })).code).toBe(201);
  }
  featureGates.set('TaintTolerationComparisonOperators', false);
  await server.restart();
  using client = await ApiClient.connect(server);
  const patch = { body: { metadata: { labels: { a: 'b' } } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${path}/p`, patch)).code).toBe(200);
  expect((await client.send('POST', path, { body: pod('q') })).body['message']).toContain('Unsupported value: "Gt"');
});
