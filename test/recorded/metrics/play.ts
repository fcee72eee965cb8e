import { generateKeyPair, issueCertificate } from '../../../src/codec/x509/issue-certificate.ts';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import requestTexts from '../../controllers/testdata/requests.json' with { type: 'json' };

/** What both servers are started with. */
export const limits = {
  disabled: ['apiserver_current_inflight_requests'],
  allowed: { 'apiserver_request_total,code': '201', 'apiserver_request_duration_seconds,verb': 'POST,GET' },
} as const;

/** Metrics whose values follow from the requests alone. */
const compared = /^(?:pod_security_|apiserver_certificates_registry_|disabled_metrics_total)/;
/** Use of the store by a resource that nothing else uses. Reads differ: others read whole lists in one stream. */
const storeUse =
  /^(?:etcd_requests_total\{.*operation="(?:create|update|delete)"|apiserver_storage_(?:list|events)_).*resource="podtemplates"/;
/** The times differ. */
const watchUse =
  /^apiserver_watch_(?:events_total|events_sizes_(?:bucket|count)|list_duration_seconds_count)\{.*resource="podtemplates"/;
const cacheMetrics =
  /^# TYPE ((?:etcd|apiserver_(?:storage|resource)|(?:apiserver_)?watch_cache|apiserver_watch)_\w+) (\w+)$/gm;
const storeMetrics = /^# TYPE (?:etcd_request(?:s|_duration)|apiserver_storage_(?:list|events))/;
/** Which plugins handle what; what they refuse depends on the beginning of the server. */
const handled = /^apiserver_admission_controller_admission_duration_seconds_count\{.*rejected="false"/;
const queueMetrics = /^# (?:HELP|TYPE) workqueue_/;
/** Checks that both servers have. */
const commonChecks = /name="(?:ping|log|etcd)",/;

const pods = '/api/v1/namespaces/NAMESPACE/pods';
const pod = (name: string, more: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more },
});
const labelled = (name: string, labels: { readonly [mode: string]: string }): object => ({
  metadata: {
    name,
    labels: Object.fromEntries(
      Object.entries(labels).map(([mode, text]) => [`pod-security.kubernetes.io/${mode}`, text]),
    ),
  },
});
const deployment = {
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

type Step = readonly [method: string, path: string, body: object];

const steps: readonly Step[] = [
  ['POST', '/api/v1/namespaces', labelled('open', {})],
  ['POST', '/api/v1/namespaces', labelled('audited', { audit: 'restricted' })],
  ['POST', '/api/v1/namespaces', labelled('warned', { warn: 'restricted', 'warn-version': 'v1.30' })],
  ['POST', '/api/v1/namespaces', labelled('strict', { enforce: 'baseline', 'enforce-version': 'v1.99' })],
  ['POST', pods.replace('NAMESPACE', 'open'), pod('a')],
  ['PUT', `${pods.replace('NAMESPACE', 'open')}/a/status`, pod('a')],
  ['POST', pods.replace('NAMESPACE', 'audited'), pod('a')],
  ['POST', pods.replace('NAMESPACE', 'warned'), pod('a')],
  ['POST', pods.replace('NAMESPACE', 'strict'), pod('a')],
  ['POST', pods.replace('NAMESPACE', 'strict'), pod('b', { hostNetwork: true })],
  ...['open', 'audited', 'warned', 'strict'].map((name): Step => [
    'POST',
    `/apis/apps/v1/namespaces/${name}/deployments`,
    deployment,
  ]),
];

const templates = '/api/v1/namespaces/open/podtemplates';
const template = { metadata: { name: 'a' }, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } };

/** Stores, lists and deletes objects; the codes of the answers. */
async function useStore(client: ApiClient): Promise<readonly number[]> {
  const codes: number[] = [];
  const send = async (...request: Parameters<ApiClient['send']>): Promise<JsonObject> => {
    const { code, body } = await client.send(...request);
    codes.push(code);
    return body;
  };
  await send('GET', templates);
  const created = await send('POST', templates, { body: template });
  await send('POST', templates, { body: template });
  const body = { metadata: { labels: { a: 'b' } } };
  await send('PATCH', `${templates}/a`, { body, contentType: 'application/merge-patch+json' });
  const { resourceVersion } = created['metadata'] as { readonly resourceVersion: string };
  const queries = ['', '?resourceVersion=0', '?labelSelector=a%3Dc', '?fieldSelector=metadata.name%3Da'];
  for (const query of [...queries, `?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`]) {
    await send('GET', `${templates}${query}`);
  }
  await send('DELETE', `${templates}/a`);
  codes.push(...(await watchStore(client)));
  // Waits for a version that does not exist.
  await send('GET', '/api/v1/namespaces/open/limitranges?resourceVersion=1000000000');
  return codes;
}

/** Watches an initial list and a change. */
async function watchStore(client: ApiClient): Promise<readonly number[]> {
  const created = await client.send('POST', templates, { body: template });
  const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const events = client.watch(`${templates}?watch=true&${initial}&timeoutSeconds=60`);
  for (const type of ['ADDED', 'BOOKMARK']) {
    const { value } = await events.next();
    if (value?.type !== type) throw new Error(`not ${type}: ${JSON.stringify(value)}`);
  }
  const body = { metadata: { annotations: { long: 'x'.repeat(5000) } } };
  const patched = await client.send('PATCH', `${templates}/a`, { body, contentType: 'application/merge-patch+json' });
  await events.next();
  await events.return(undefined);
  const deleted = await client.send('DELETE', `${templates}/a`);
  return [created, patched, deleted].map(({ code }) => code);
}

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Sends the same requests to any server; what its metrics then say of them. */
export async function playMetrics(server: { readonly url: string; readonly kubeconfigPath: string }) {
  using client = await ApiClient.connect(server);
  const codes: number[] = [];
  for (const [method, path, body] of steps) codes.push((await client.send(method, path, { body })).code);
  for (const [name, seconds, issuedSeconds] of [
    ['honored', 3_600, 3_600],
    ['shortened', 36_000, 3_600],
    ['unasked', undefined, 3_600],
  ] as const) {
    codes.push(...(await signed(client, name, { seconds, issuedSeconds })));
  }
  codes.push(...(await useStore(client)));
  await client.text('/readyz');
  await client.text('/livez?exclude=log');
  const lines = (text: string, pattern: RegExp): readonly string[] =>
    text.split('\n').filter((line) => pattern.test(line) && !line.startsWith('#'));
  const metrics = await client.text('/metrics');
  const slis = lines(await client.text('/metrics/slis'), commonChecks).filter((line) =>
    line.startsWith('kubernetes_healthcheck{'),
  );
  return {
    codes,
    metrics: lines(metrics, compared).toSorted(),
    storeUse: lines(metrics, storeUse)
      .filter((line) => !/_(?:bucket|sum)\{/.test(line))
      .toSorted(),
    watchUse: lines(metrics, watchUse)
      .map((line) => line.replace(/\{(le="[^"]+"),(.*)\}/, '{$2,$1}'))
      .toSorted(),
    shapes: Object.fromEntries(
      [...metrics.matchAll(cacheMetrics)]
        .map(([, name = '', type = '']) => [name, shapeOf(metrics, name, type)] as const)
        .filter(([, { labels }]) => labels !== undefined),
    ),
    storeMetrics: metrics
      .split('\n')
      .filter((line) => storeMetrics.test(line))
      .toSorted(),
    handled: lines(metrics, handled)
      .map((line) => line.slice(0, line.indexOf('}') + 1))
      .toSorted(),
    queueMetrics: metrics
      .split('\n')
      .filter((line) => queueMetrics.test(line))
      .toSorted(),
    queueLabels: shown(metrics, /^(workqueue_\w+)\{/gm),
    queueBuckets: shown(metrics, /^workqueue_\w+_bucket\{.*le="([^"]+)"/gm),
    slis: slis.toSorted(),
    disabled: lines(metrics, new RegExp(`^(?:${limits.disabled.join('|')})`)),
    unexpected: lines(metrics, /^cardinality_/).every((line) => Number(line.split(' ')[1]) > 0),
    codesShown: shown(metrics, /^apiserver_request_total\{.*\bcode="(\w+)"/gm),
    verbsShown: shown(metrics, /^apiserver_request_duration_seconds_count\{.*\bverb="(\w+)"/gm),
  };
}

/** Names of the labels (undefined: there are no series), and upper bounds of buckets. */
function shapeOf(text: string, name: string, type: string) {
  const [, labels] = new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? `, 'm').exec(text) ?? [];
  const names = labels === undefined ? undefined : [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
  return {
    type,
    labels: names?.toSorted(),
    buckets: shown(text, new RegExp(`^${name}_bucket\\{.*le="([^"]+)"`, 'gm')),
  };
}

function shown(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, value = '']) => value))].toSorted();
}

async function signed(
  client: ApiClient,
  name: string,
  { seconds, issuedSeconds }: { readonly seconds: number | undefined; readonly issuedSeconds: number },
): Promise<readonly number[]> {
  const request = Buffer.from(Object.values(requestTexts)[0] ?? '').toString('base64');
  const spec = { request, signerName: 'example.com/any', usages: ['client auth'] };
  const body = {
    metadata: { name },
    spec: { ...spec, ...(seconds === undefined ? {} : { expirationSeconds: seconds }) },
  };
  const created = await client.send('POST', requests, { body });
  const keys = generateKeyPair();
  const nowMs = Date.now();
  const subject = { commonName: 'issued' };
  const certificate = issueCertificate(
    { subject, notBeforeMs: nowMs, notAfterMs: nowMs + issuedSeconds * 1_000, usage: 'client' },
    keys.publicKey,
    { name: subject, ...keys },
  );
  const status = { status: { certificate: Buffer.from(certificate).toString('base64') } };
  const patch = { body: status, contentType: 'application/merge-patch+json' };
  const issued = await client.send('PATCH', `${requests}/${name}/status`, patch);
  // The second time it is not issued any more.
  const again = await client.send('PATCH', `${requests}/${name}/status`, patch);
  return [created.code, issued.code, again.code];
}
