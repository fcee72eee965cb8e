import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/api/json.ts';
import { isJsonObject } from '../../src/api/json.ts';
import { ApiClient, type Answer } from '../api-client.ts';
import type { TestServer } from '../server-fixture.ts';
import { policyCases } from './cases.ts';
import type { CaseStep, PolicyCase } from './policy-case.ts';

/** What a case has led to. */
export interface CaseResult {
  readonly name: string;
  readonly answers: readonly JsonObject[];
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

/** Plays all cases on a server. */
export async function playCases({ server, settleMs }: PlayOptions): Promise<readonly CaseResult[]> {
  using client = await ApiClient.connect(server);
  for (const [index, each] of policyCases.entries()) await prepareObjects(client, each, index);
  await sleep(settleMs);
  for (const [index, each] of policyCases.entries()) await preparePolicies(client, each, index);
  await sleep(settleMs);
  const results: CaseResult[] = [];
  for (const [index, each] of policyCases.entries()) results.push(await play(client, each, index, settleMs));
  return results;
}

function namespaceOf(index: number): string {
  return `case-${index}`;
}

/** The value with the names of a case. */
function named<T extends JsonValue>(value: T, index: number): T {
  const text = JSON.stringify(value).replaceAll('NS', namespaceOf(index)).replaceAll('CASE', String(index));
  return JSON.parse(text) as T; // of the same shape
}

async function prepareObjects(client: ApiClient, { objects = [] }: PolicyCase, index: number): Promise<void> {
  const labels = { case: String(index), long: 'x'.repeat(60) };
  const namespace = { metadata: { name: namespaceOf(index), labels } };
  expectCode(await client.send('POST', '/api/v1/namespaces', { body: namespace }));
  for (const { path, body } of objects) {
    const whole = wholePath(path, index);
    for (let tries = 0; ; tries += 1) {
      const answer = await client.send('POST', whole, { body: named(body, index) });
      // Custom resources take a moment to be served.
      if (answer.code !== 404 || tries === 50) {
        expectCode(answer);
        break;
      }
      await sleep(100);
    }
  }
}

async function preparePolicies(client: ApiClient, { policies, bindings }: PolicyCase, index: number): Promise<void> {
  for (const [at, given] of policies.entries()) {
    const body = {
      ...{ kind: 'ValidatingAdmissionPolicy', apiVersion: 'admissionregistration.k8s.io/v1' },
      metadata: { name: `policy-${index}-${at}` },
      spec: { matchConstraints: defaultConstraints, ...named(given, index) },
    };
    expectCode(await client.send('POST', `${admissionPath}/validatingadmissionpolicies`, { body }));
  }
  for (const [at, given] of (bindings ?? policies.map((): JsonObject => ({}))).entries()) {
    const { matchResources = {}, ...more } = named(given, index);
    const own = { namespaceSelector: { matchLabels: { case: String(index) } } };
    const body = {
      ...{ kind: 'ValidatingAdmissionPolicyBinding', apiVersion: 'admissionregistration.k8s.io/v1' },
      metadata: { name: `binding-${index}-${at}` },
      spec: {
        ...{ policyName: `policy-${index}-${at}`, validationActions: ['Deny'] },
        matchResources: { ...own, ...(isJsonObject(matchResources) ? matchResources : {}) },
        ...more,
      },
    };
    expectCode(await client.send('POST', `${admissionPath}/validatingadmissionpolicybindings`, { body }));
  }
}

function expectCode({ code, body }: Answer): void {
  if (code !== 201) throw new Error(`${code}: ${JSON.stringify(body)}`);
}

function wholePath(path: string, index: number): string {
  const whole = path.startsWith('/') ? path : `/api/v1/namespaces/NS/${path}`;
  return whole.replaceAll('NS', namespaceOf(index)).replaceAll('CASE', String(index));
}

async function play(client: ApiClient, each: PolicyCase, index: number, settleMs: number): Promise<CaseResult> {
  const answers: JsonObject[] = [];
  for (const step of each.steps) {
    answers.push(await take(client, step, index));
    if (step.settles === true) await sleep(settleMs);
  }
  return { name: each.name, answers };
}

async function take(
  client: ApiClient,
  { method, path, body, contentType = 'application/json' }: CaseStep,
  index: number,
): Promise<JsonObject> {
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(named(body, index))), contentType };
  const { code, headers, body: answered } = await client.send(method, wholePath(path, index), sent);
  const warning = headers['warning'];
  // What was written is the business of other tests.
  const shown = code < 300 ? {} : { body: normalized(answered) };
  return { code, ...(warning === undefined ? {} : { warning: String(warning) }), ...shown };
}

/** Without what differs from run to run. */
function normalized(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') {
    return value
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME');
  }
  if (Array.isArray(value)) return value.map(normalized);
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, normalized(each)]));
}
