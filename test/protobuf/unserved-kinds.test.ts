import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// Bodies of kinds that the release has but no path serves. The responses are those of kube-apiserver 1.37.1.

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

function notRegistered(apiVersion: string, kind: string): string {
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
}

function notConverted(goType: string, to: string): string {
  return `converting (${goType}) to (${to}): unknown conversion`;
}

const refused: readonly {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: unknown;
  readonly why: string;
}[] = [
  {
    path: deployments,
    apiVersion: 'apps/v1beta2',
    kind: 'Deployment',
    spec: 5,
    why: 'json: cannot unmarshal number into Go struct field Deployment.spec of type v1beta2.DeploymentSpec',
  },
  ...[
    { apiVersion: 'extensions/v1beta1', kind: 'Ingress', goType: 'v1beta1.Ingress' },
    { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', goType: 'v1.AdmissionReview' },
    { apiVersion: 'v1', kind: 'PodLogOptions', goType: 'v1.PodLogOptions' },
    { apiVersion: 'apps/v1', kind: 'ListOptions', goType: 'v1.ListOptions' },
    { apiVersion: 'foo/v1', kind: 'Status', goType: 'v1.Status' },
  ].map(({ goType, ...of }) => ({ ...of, path: deployments, why: notConverted(goType, 'apps.Deployment') })),
  ...[
    { apiVersion: 'apps/v1', kind: 'PodLogOptions' },
    { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics' },
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  ].map((of) => ({ ...of, path: deployments, why: notRegistered(of.apiVersion, of.kind) })),
  { path: definitions, apiVersion: 'v1', kind: 'Pod', why: notRegistered('v1', 'Pod') },
  {
    path: definitions,
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    why: notConverted('v1.ConversionReview', 'apiextensions.CustomResourceDefinition'),
  },
];

test.each(refused)('$apiVersion $kind sent to $path', async ({ path, why, ...body }) => {
  const { code, body: status } = await client.send('POST', path, { body });
  expect(code).toBe(400);
  expect(JSON.stringify(status['message'])).toContain(JSON.stringify(`: ${why}`).slice(1));
});

test.each(['apps/v1beta2', 'extensions/v1beta1'])('an object of %s', async (apiVersion) => {
  const { code, body } = await client.send('POST', deployments, {
    body: { apiVersion, kind: 'Deployment', metadata: { name: 'a' } },
  });
  expect(code).toBe(400);
  expect(body['message']).toBe(
    `the API version in the data (${apiVersion}) does not match the expected API version (apps/v1)`,
  );
});

test('patches may claim another version', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { selector: { matchLabels: { a: 'b' } }, template };
  await client.send('POST', deployments, { body: { metadata: { name: 'patched' }, spec } });
  const patched = await client.send('PATCH', `${deployments}/patched`, {
    contentType: 'application/merge-patch+json',
    body: { apiVersion: 'apps/v1beta1', kind: 'Deployment', spec: { replicas: 2 } },
  });
  expect(patched).toMatchObject({ code: 200, body: { apiVersion: 'apps/v1', spec: { replicas: 2 } } });
  const refusedPatch = await client.send('PATCH', `${deployments}/patched`, {
    contentType: 'application/merge-patch+json',
    body: { apiVersion: 'extensions/v1beta1', kind: 'Ingress' },
  });
  expect(refusedPatch.code).toBe(422);
  expect(refusedPatch.body['message']).toContain(notConverted('v1beta1.Ingress', 'apps.Deployment'));
});

test('evictions of the older version', async () => {
  const evict = (apiVersion: string, name: string) =>
    client.send('POST', `/api/v1/namespaces/default/pods/${name}/eviction`, {
      body: { apiVersion, kind: 'Eviction', metadata: { name } },
    });
  await client.send('POST', '/api/v1/namespaces/default/pods', {
    body: { metadata: { name: 'e' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  });
  expect(await evict('policy/v1beta1', 'e')).toMatchObject({ code: 201, body: { status: 'Success' } });
  expect(await evict('policy/v1alpha1', 'e')).toMatchObject({ code: 400 });
  expect(await evict('policy/v1beta1', 'e')).toMatchObject({ code: 404 });
});
