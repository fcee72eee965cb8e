import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { isJsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { named, prepareObjects, send, wholePath } from '../case-objects.ts';
import type { TestServer } from '../server-fixture.ts';
import type { CaseStep, PolicyCase } from './policy-case.ts';

/** The outcome of a case. */
export interface CaseResult {
  readonly name: string;
  readonly answers: readonly JsonObject[];
}

/** Cases of one kind of policies. */
export interface PolicySuite {
  readonly kind: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy';
  /** Fields of the specs of policies and bindings. */
  readonly policySpec: JsonObject;
  readonly bindingSpec: JsonObject;
  readonly cases: readonly PolicyCase[];
  /** What was written is shown as well. */
  readonly showsObjects: boolean;
}

export interface PlayOptions {
  readonly server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  /** How long the server may take to notice policies. */
  readonly settleMs: number;
}

const admissionPath = '/apis/admissionregistration.k8s.io/v1';
const defaultConstraints = {
  resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};

/** Plays all cases of a suite on a server. */
export async function playCases(suite: PolicySuite, options: PlayOptions): Promise<readonly CaseResult[]> {
  const { server, settleMs } = options;
  const { cases } = suite;
  using client = await ApiClient.connect(server);
  for (const [index, { objects = [] }] of cases.entries()) {
    await prepareObjects(client, { objects, labels: { case: String(index), long: 'x'.repeat(60) } }, index);
  }
  await sleep(settleMs);
  const refused: (readonly JsonObject[])[] = [];
  for (const [index, each] of cases.entries()) refused.push(await preparePolicies(client, suite, each, index));
  await sleep(settleMs);
  const results: CaseResult[] = [];
  for (const [index, each] of cases.entries()) {
    const { name, answers } = await play(client, suite, { each, index, settleMs });
    results.push({ name, answers: [...(refused[index] ?? []), ...answers] });
  }
  return results;
}

/** Answers to those that are refused. */
async function preparePolicies(
  client: ApiClient,
  { kind, policySpec, bindingSpec }: PolicySuite,
  { policies, bindings }: PolicyCase,
  index: number,
): Promise<readonly JsonObject[]> {
  const refused: JsonObject[] = [];
  const post = async (path: string, body: JsonObject): Promise<void> => {
    const answer = await send(client, 'POST', `${admissionPath}/${path}`, { body });
    if (answer.code !== 201) refused.push({ code: answer.code, body: normalized(answer.body) });
  };
  const [collection, apiVersion] = [kind.toLowerCase().replace(/y$/, ''), 'admissionregistration.k8s.io/v1'];
  const own = { namespaceSelector: { matchLabels: { case: String(index) } } };
  for (const [at, given] of policies.entries()) {
    const { matchConstraints = defaultConstraints, ...more } = named(given, index);
    const constraints = { ...own, ...(isJsonObject(matchConstraints) ? matchConstraints : {}) };
    const body = {
      kind,
      apiVersion,
      metadata: { name: `policy-${index}-${at}` },
      spec: { ...policySpec, matchConstraints: constraints, ...more },
    };
    await post(`${collection}ies`, body);
  }
  for (const [at, given] of (bindings ?? policies.map((): JsonObject => ({}))).entries()) {
    const { matchResources = {}, ...more } = named(given, index);
    const body = {
      kind: `${kind}Binding`,
      apiVersion,
      metadata: { name: `binding-${index}-${at}` },
      spec: {
        policyName: `policy-${index}-${at}`,
        ...bindingSpec,
        matchResources: { ...own, ...(isJsonObject(matchResources) ? matchResources : {}) },
        ...more,
      },
    };
    await post(`${collection}ybindings`, body);
  }
  return refused;
}

async function play(
  client: ApiClient,
  { showsObjects }: PolicySuite,
  { each, index, settleMs }: { readonly each: PolicyCase; readonly index: number; readonly settleMs: number },
): Promise<CaseResult> {
  const answers: JsonObject[] = [];
  for (const step of each.steps) {
    answers.push(await take(client, step, { index, showsObjects }));
    if (step.settles === true) await sleep(Math.max(settleMs, 500));
  }
  return { name: each.name, answers };
}

async function take(
  client: ApiClient,
  { method, path, body, contentType = 'application/json' }: CaseStep,
  { index, showsObjects }: { readonly index: number; readonly showsObjects: boolean },
): Promise<JsonObject> {
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(named(body, index))), contentType };
  const { code, headers, body: answered } = await send(client, method, wholePath(path, index), sent);
  const warning = headers['warning'];
  // What was written is mostly the business of other tests.
  const shown = code < 300 && !showsObjects ? {} : { body: normalized(answered) };
  return { code, ...(warning === undefined ? {} : { warning: String(warning) }), ...shown };
}

/** Without what differs from run to run. */
function normalized(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') {
    return value
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/made-[a-z0-9]{5}/g, 'made-NAME')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME');
  }
  if (Array.isArray(value)) return value.map(normalized);
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'resourceVersion' ? 'VERSION' : normalized(each)]),
  );
}
