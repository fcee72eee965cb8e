import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type Request } from '../../api-client.ts';

const counted =
  /^apiserver_(?:(?:request_total|request_(?:sli_)?duration_seconds_count|request_body_size_bytes_(?:bucket|count)|response_sizes_(?:bucket|count))\{|tls_handshake_errors_total )/;
/** Series of resources and paths that servers do not request of themselves. */
const ofTheseRequests =
  /(?:resource="(?:podtemplates|samples|replicasets|selfsubjectreviews|statusz|flagz)"|subresource="(?:\/(?:livez|healthz)|apis?|openapi\/v3\/)"|tls_handshake)/;
/** Some bounds of the histograms of sizes; all are among the shapes. Flags differ. */
const someBounds = /^(?!.*flagz).*le="(?:1000|10000|50000|150000|2\.85e\+06|2\.95e\+06|\+Inf)"/;
const shaped = new Set([
  'apiserver_request_total',
  'apiserver_request_duration_seconds',
  'apiserver_request_sli_duration_seconds',
  'apiserver_response_sizes',
  'apiserver_request_body_size_bytes',
  'apiserver_tls_handshake_errors_total',
  'field_validation_request_duration_seconds',
  'kubernetes_build_info',
  'kubernetes_feature_enabled',
  'version_info',
]);

const templates = '/api/v1/namespaces/default/podtemplates';
const template = (name: string, labels: object = {}): object => ({
  metadata: { name },
  template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
});
const definition = {
  metadata: { name: 'samples.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'samples', singular: 'sample', kind: 'Sample', listKind: 'SampleList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const samples = '/apis/example.com/v1/namespaces/default/samples';
const sample = { apiVersion: 'example.com/v1', kind: 'Sample', metadata: { name: 'a' } };
const merge = { contentType: 'application/merge-patch+json', body: { metadata: { labels: { a: 'b' } } } };
const aggregated = { headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } };
const apply = (name: string): Request => ({
  contentType: 'application/apply-patch+yaml',
  body: { apiVersion: 'v1', kind: 'PodTemplate', ...template(name) },
});
const flagz = (version: string): Request => ({
  headers: { accept: `application/json;v=${version};g=config.k8s.io;as=Flagz` },
});

type Step = readonly [method: string, path: string, request?: Request];

const paths: readonly Step[] = [
  ...['/', '/version', '/livez', '/livez/ping', '/healthz', '/metrics', '/missing', '/statusz', '/openapi/v2'].map(
    (path): Step => ['GET', path],
  ),
  ['HEAD', '/healthz'],
  ['POST', '/livez'],
  ['OPTIONS', '/livez'],
  ['GET', '/statusz', { headers: { accept: 'text/plain' } }],
  ['GET', '/flagz', flagz('v1beta1')],
  ['GET', '/flagz', flagz('v1')],
  ...['/api', '/apis'].flatMap((path): Step[] => [
    ['GET', path],
    ['GET', path, aggregated],
  ]),
  ...['/api/v1', '/apis/apps', '/apis/apps/v1', '/openapi/v3/apis/apps/v1', '/openapi/v3/none'].map((path): Step => [
    'GET',
    path,
  ]),
];

const ofTemplates: readonly Step[] = [
  ...['', '?fieldSelector=metadata.name%3Da', '?fieldValidation=Strict', '?dryRun=All', '/none'].map((rest): Step => [
    'GET',
    `${templates}${rest}`,
  ]),
  ['GET', '/api/v1/podtemplates?limit=1'],
  ['HEAD', templates],
  ['OPTIONS', templates],
  ['POST', templates, { body: template('a') }],
  ['POST', templates, { body: template('a') }],
  ...['dryRun=All', 'dryRun=No', 'fieldValidation=Bad', 'fieldValidation=Warn&fieldValidation=Warn'].map(
    (query): Step => ['POST', `${templates}?${query}`, { body: template('b') }],
  ),
  ['POST', `${templates}?fieldValidation=Ignore`, { body: template('long', { a: 'b'.repeat(160_000) }) }],
  ['POST', `${templates}?fieldValidation=Warn`, { body: template('c') }],
  ['POST', templates, { body: Buffer.from('{') }],
  ['POST', templates, { body: Buffer.from('{}'), contentType: 'text/plain' }],
  ['POST', templates, { body: Buffer.alloc(3 * 1024 * 1024 + 1, ' ') }],
  ['POST', templates, { body: template('d', { a: 'b', long: 'x'.repeat(2_900_000) }) }],
  ['POST', `${templates}/a`, { body: template('a') }],
  ['PUT', `${templates}/a`, { body: template('a', { a: 'b' }) }],
  ['PUT', `${templates}/none`, { body: template('none') }],
  ['PATCH', `${templates}/a`, merge],
  ['PATCH', `${templates}/a`, { ...merge, contentType: 'application/other' }],
  ['PATCH', `${templates}/a?fieldManager=m&force=true`, apply('a')],
  ['PATCH', `${templates}/new?fieldManager=m`, apply('new')],
  ['GET', `${templates}/a`],
  ['GET', `${templates}/a`, { headers: { accept: 'application/other' } }],
  ['GET', `${templates}/a`, { headers: { authorization: 'Bearer wrong' } }],
  ['GET', `${templates}/a`, { headers: { 'impersonate-user': 'nobody' } }],
  ['GET', `${templates}/a/none`],
  ['GET', `${templates}?watch=true&timeoutSeconds=1`],
  ['GET', '/api/v1/watch/namespaces/default/podtemplates?timeoutSeconds=1'],
  ['DELETE', `${templates}/c`, { body: { propagationPolicy: 'Background' } }],
  ['DELETE', `${templates}/a`],
  ['DELETE', `${templates}/none`],
  ['DELETE', `${templates}?dryRun=All`],
  ['DELETE', templates, { body: {} }],
];

const others: readonly Step[] = [
  ['PUT', '/apis/apps/v1/namespaces/default/replicasets/none/scale', { body: {} }],
  ['GET', '/apis/apps/v1/namespaces/default/replicasets/none/scale'],
  ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {} }],
  ...['', '?fieldSelector=metadata.name%3Da', '?watch=true&timeoutSeconds=1', '/none', '/a/none'].map((rest): Step => [
    'GET',
    `${samples}${rest}`,
  ]),
  ['GET', '/apis/example.com/v1/samples'],
  ['GET', samples, { headers: { accept: 'application/other' } }],
  ['POST', samples, { body: sample }],
  ['POST', `${samples}?dryRun=All`, { body: sample }],
  ['PATCH', `${samples}/a`, merge],
  ['PATCH', `${samples}/a/status`, merge],
  ['PATCH', `${samples}/a`, { ...merge, contentType: 'application/other' }],
  ['DELETE', `${samples}/a`],
  ['DELETE', samples],
];

/** Sends requests of all sorts to any server; the codes of the answers, and what its metrics then say of them. */
export async function playRequests(server: { readonly url: string; readonly kubeconfigPath: string }) {
  using client = await ApiClient.connect(server);
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  while ((await client.exchange('GET', samples, {})).code !== 200) await sleep(50); // oxlint-disable-line no-await-in-loop -- polling
  const before = countsIn(await client.text('/metrics'));
  const answers: string[] = [];
  for (const [method, path, request = {}] of [...paths, ...ofTemplates, ...others]) {
    const { code } = await client.exchange(method, path, request);
    answers.push(`${method} ${path} ${code}`);
  }
  await Promise.all(['', 'GET / HTTP/1.1\r\n\r\n', 'no handshake'].map((text) => fail(server.url, text)));
  await sleep(100);
  const text = await client.text('/metrics');
  const after = countsIn(text);
  const counts = [...after].map(([series, count]) => [series, count - (before.get(series) ?? 0)] as const);
  return {
    answers,
    counts: counts
      .filter(([, count]) => count !== 0)
      .map(([series, count]) => `${series} ${count}`)
      .toSorted(),
    shapes: shapesIn(text),
    validations: linesOf(text, /^field_validation_request_duration_seconds_count\{/),
    features: linesOf(text, /^(?:kubernetes_feature_enabled|version_info)\{/),
  };
}

/** Opens a connection that does not become a TLS connection. */
async function fail(url: string, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(text));
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.resume();
  await promise;
}

function linesOf(text: string, pattern: RegExp): readonly string[] {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .toSorted();
}

/** By series, with their labels in the order of names. */
function countsIn(text: string): ReadonlyMap<string, number> {
  return new Map(
    linesOf(text, counted)
      .filter((line) => ofTheseRequests.test(line) && (!line.includes('le=') || someBounds.test(line)))
      .map((line) => {
        const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        const sorted = [...labels.matchAll(/\w+="[^"]*"/g)].map(([label]) => label).toSorted();
        return [`${name}{${sorted.join(',')}}`, Number(value)] as const;
      }),
  );
}

interface Shape {
  readonly stability: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly buckets: readonly string[];
}

/** Stability, type, names of labels, and upper bounds of buckets. */
function shapesIn(text: string): { readonly [name: string]: Shape } {
  const names = [...text.matchAll(/^# HELP (\w+) \[(\w+)\]/gm)].filter(([, name = '']) => shaped.has(name));
  return Object.fromEntries(
    names.map(([, name = '', stability = '']) => {
      const [, type = ''] = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text) ?? [];
      const labels = new Set<string>();
      const buckets = new Set<string>();
      for (const [, line = ''] of text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'gm'))) {
        for (const [, label = '', value = ''] of line.matchAll(/(\w+)="([^"]*)"/g)) {
          labels.add(label);
          if (label === 'le') buckets.add(value);
        }
      }
      return [name, { stability, type, labels: [...labels].toSorted(), buckets: [...buckets].toSorted() }];
    }),
  );
}
