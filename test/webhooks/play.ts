import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { isJsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { expectCreated, named, prepareObjects, send, wholePath } from '../case-objects.ts';
import type { TestServer } from '../server-fixture.ts';
import { type CaseStep, type WebhookCase, stringValue } from './case-parts.ts';
import { webhookCases } from './cases.ts';
import { type HookResponse, type HookServer, type Review, startHookServer } from './hook-server.ts';

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
  readonly cases?: readonly WebhookCase[];
}

const admissionPath = '/apis/admissionregistration.k8s.io/v1';
const defaultRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

/** Plays all cases on a server. */
export async function playCases({
  server,
  folder,
  settleMs,
  cases = webhookCases,
}: PlayOptions): Promise<readonly CaseResult[]> {
  const calls = new Map<string, number>();
  await using hooks = await startHookServer(folder, (path, review) => answerOf(cases, path, { review, calls }));
  using client = await ApiClient.connect(server);
  const played = [...cases.entries()];
  await severalAtATime(played, ([index, each]) => prepare(client, hooks, each, index));
  await sleep(settleMs);
  return await severalAtATime(played, ([index, each]) => play(client, hooks, each, index));
}

/** Many cases wait for a timeout. */
const atATime = 4;

/** The results of `work` for all items, in their order. */
async function severalAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}

function answerOf(
  cases: readonly WebhookCase[],
  path: string,
  { review, calls }: { readonly review: Review; readonly calls: Map<string, number> },
): HookResponse {
  const [, index = '', hook = ''] = path.split('/');
  const answer = cases[Number(index)]?.hooks[Number(hook)]?.answer;
  if (answer === undefined) throw new Error(`no webhook at ${path}`);
  const count = (calls.get(path) ?? 0) + 1;
  calls.set(path, count);
  return typeof answer === 'function' ? answer(review, count) : answer;
}

async function prepare(
  client: ApiClient,
  hooks: HookServer,
  { objects = [], hooks: wanted }: WebhookCase,
  index: number,
): Promise<void> {
  const labels = { case: String(index) };
  await prepareObjects(client, { objects, labels }, index);
  for (const [at, { type, fields = {} }] of wanted.entries()) {
    const { namespaceSelector, ...more } = named(fields, index);
    const webhook = {
      name: `hook-${at}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: defaultRules,
      namespaceSelector: { matchLabels: labels, ...(isJsonObject(namespaceSelector) ? namespaceSelector : {}) },
      clientConfig: { url: `${hooks.url}/${index}/${at}`, caBundle: hooks.caBundle },
      ...more,
    };
    const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
    const body = {
      kind,
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: `case-${index}-${at}` },
      webhooks: [webhook],
    };
    expectCreated(await send(client, 'POST', `${admissionPath}/${kind.toLowerCase()}s`, { body }));
  }
}

async function play(
  client: ApiClient,
  hooks: HookServer,
  { name, steps }: WebhookCase,
  index: number,
): Promise<CaseResult> {
  const answers: JsonObject[] = [];
  for (const step of steps) answers.push(await take(client, step, { index, url: hooks.url }));
  // Some webhooks are asked about objects of the cluster that other cases make.
  const isOwn = ({ request: { namespace = '', name = '' } }: Review): boolean =>
    [namespace, name].some((each) => typeof each === 'string' && each.endsWith(`-${index}`));
  const reviews = hooks.received
    .filter(({ path, review }) => path.startsWith(`/${index}/`) && (review.kind === '' || isOwn(review)))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, query, review }) => normalized({ path, query, ...review }, hooks.url) as JsonObject);
  return { name, answers, reviews };
}

async function take(
  client: ApiClient,
  { method, path, body, text, contentType = 'application/json', headers = {} }: CaseStep,
  { index, url }: { readonly index: number; readonly url: string },
): Promise<JsonObject> {
  const written = body === undefined ? text?.replaceAll('CASE', String(index)) : JSON.stringify(named(body, index));
  const sent = written === undefined ? {} : { body: Buffer.from(written), contentType };
  const answer = await send(client, method, wholePath(path, index), { ...sent, headers });
  const warning = answer.headers['warning'];
  const shown = warning === undefined ? {} : { warning: String(warning) };
  return normalized({ code: answer.code, ...shown, body: answer.body }, url) as JsonObject; // stays an object
}

const maxShownLength = 2_000;

/** Some texts are of a megabyte. */
function shortened(text: string): string {
  return text.length <= maxShownLength ? text : `${text.slice(0, 100)}... (${text.length} characters)`;
}

const unstored: ReadonlySet<string> = new Set(['Binding', 'Eviction', 'TokenRequest']);

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
    return shortened(value)
      .replaceAll(url, 'https://HOOKS')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/made-[a-z0-9]{5}/g, 'made-NAME')
      .replaceAll(/X509SHA256=\w+/g, 'X509SHA256=HASH');
  }
  if (Array.isArray(value)) return value.map((item) => normalized(item, url));
  if (!isJsonObject(value)) return value ?? null;
  // What is not stored has no owners here.
  if (unstored.has(stringValue(value['kind'])) && isJsonObject(value['metadata']))
    delete value['metadata']['managedFields'];
  const entries = Object.entries(value).map(([key, each]): [string, JsonValue] => [
    key,
    changing.has(key) && typeof each === 'string' ? key.toUpperCase() : normalized(each, url),
  ]);
  return Object.fromEntries(entries);
}
