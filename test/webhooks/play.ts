import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/api/json.ts';
import { isJsonObject } from '../../src/api/json.ts';
import { ApiClient, type Answer as ApiAnswer } from '../api-client.ts';
import type { TestServer } from '../server-fixture.ts';
import type { WebhookCase } from './case-parts.ts';
import { webhookCases } from './cases.ts';
import { type Answer, type HookServer, type Review, startHookServer } from './hook-server.ts';

/** The outcome of a case. */
export interface CaseResult {
  readonly name: string;
  readonly answers: readonly JsonObject[];
  /** Reviews in the order of their webhooks, since validating ones are asked at the same time. */
  readonly reviews: readonly JsonObject[];
}

export interface PlayOptions {
  readonly server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  readonly folder: string;
  /** How long the server may take to notice configurations. */
  readonly settleMs: number;
  /** Absent: all cases. */
  readonly isPlayed?: (each: WebhookCase) => boolean;
}

const admissionPath = '/apis/admissionregistration.k8s.io/v1';
const defaultRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

/** Plays all cases on a server. */
export async function playCases({
  server,
  folder,
  settleMs,
  isPlayed = () => true,
}: PlayOptions): Promise<readonly CaseResult[]> {
  const calls = new Map<string, number>();
  await using hooks = await startHookServer(folder, (path, review) => answerOf(path, review, calls));
  using client = await ApiClient.connect(server);
  const played = [...webhookCases.entries()].filter(([, each]) => isPlayed(each));
  for (const [index, each] of played) await prepare(client, hooks, each, index);
  await sleep(settleMs);
  const results: CaseResult[] = [];
  for (const [index, each] of played) results.push(await play(client, hooks, each, index));
  return results;
}

function answerOf(path: string, review: Review, calls: Map<string, number>): Answer {
  const [, index = '', hook = ''] = path.split('/');
  const answer = webhookCases[Number(index)]?.hooks[Number(hook)]?.answer;
  if (answer === undefined) throw new Error(`no webhook at ${path}`);
  const count = (calls.get(path) ?? 0) + 1;
  calls.set(path, count);
  return typeof answer === 'function' ? answer(review, count) : answer;
}

async function prepare(
  client: ApiClient,
  hooks: HookServer,
  { hooks: wanted }: WebhookCase,
  index: number,
): Promise<void> {
  const namespace = `case-${index}`;
  const labels = { case: String(index) };
  expectCode(await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace, labels } } }), 201);
  for (const [at, { type, fields = {} }] of wanted.entries()) {
    const webhook = {
      ...{ name: `hook-${at}.example.com`, admissionReviewVersions: ['v1'], sideEffects: 'None', rules: defaultRules },
      namespaceSelector: { matchLabels: labels },
      clientConfig: { url: `${hooks.url}/${index}/${at}`, caBundle: hooks.caBundle },
      ...fields,
    };
    const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
    const body = {
      ...{ kind, apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: `case-${index}-${at}` } },
      webhooks: [webhook],
    };
    expectCode(await client.send('POST', `${admissionPath}/${kind.toLowerCase()}s`, { body }), 201);
  }
}

function expectCode({ code, body }: ApiAnswer, wanted: number): void {
  if (code !== wanted) throw new Error(`${code}: ${JSON.stringify(body)}`);
}

async function play(
  client: ApiClient,
  hooks: HookServer,
  { name, steps }: WebhookCase,
  index: number,
): Promise<CaseResult> {
  const namespace = `case-${index}`;
  hooks.received.length = 0;
  const answers: JsonObject[] = [];
  for (const { method, path, body, contentType = 'application/json' } of steps) {
    const whole = path.startsWith('/') ? path.replace('NS', namespace) : `/api/v1/namespaces/${namespace}/${path}`;
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)), contentType };
    const { code, headers, body: answered } = await client.send(method, whole, sent);
    const warning = headers['warning'];
    answers.push(
      normalized(
        { code, ...(warning === undefined ? {} : { warning: String(warning) }), body: answered },
        hooks.url,
      ) as JsonObject,
    );
  }
  const reviews = hooks.received
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, query, review }) => normalized({ path, query, ...review }, hooks.url) as JsonObject);
  return { name, answers, reviews };
}

const changing: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'deletionTimestamp',
  'lastTransitionTime',
]);

/** Without what differs from run to run. */
function normalized(value: JsonValue | undefined, url: string): JsonValue {
  if (typeof value === 'string') {
    return value
      .replaceAll(url, 'https://HOOKS')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/made-[a-z0-9]{5}/g, 'made-NAME')
      .replaceAll(/X509SHA256=\w+/g, 'X509SHA256=HASH');
  }
  if (Array.isArray(value)) return value.map((item) => normalized(item, url));
  if (!isJsonObject(value)) return value ?? null;
  // A Binding is not stored, so nobody tracks its owners here.
  if (value['kind'] === 'Binding' && isJsonObject(value['metadata'])) delete value['metadata']['managedFields'];
  const entries = Object.entries(value).map(([key, each]): [string, JsonValue] => [
    key,
    changing.has(key) && typeof each === 'string' ? key.toUpperCase() : normalized(each, url),
  ]);
  return Object.fromEntries(entries);
}
