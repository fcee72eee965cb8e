import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient, type ApiResponse } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import type { ExtensionServer } from '../../aggregation/extension-server.ts';
import type { Step } from '../../aggregation/step.ts';
import { steps } from '../../aggregation/steps.ts';

/** The outcome of a step. */
export interface StepResult {
  readonly name: string;
  readonly answer: JsonValue;
}

export interface PlayOptions {
  readonly server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  readonly extension: ExtensionServer;
}

/** How long a server may take to get where it is expected to. */
const patienceMs = 20_000;

/** Plays all steps on a server. */
export async function playSteps({ server, extension }: PlayOptions): Promise<readonly StepResult[]> {
  using client = await ApiClient.connect(server);
  const results: StepResult[] = [];
  for (const step of steps(extension)) {
    results.push({ name: step.name, answer: normalized(await play(client, step), [server.url, extension]) });
  }
  return results;
}

async function play(client: ApiClient, step: Step): Promise<JsonValue> {
  const { method = 'GET', path, body, headers = {}, contentType = 'application/json' } = step;
  const request = { headers, ...(body === undefined ? {} : { body, contentType }) };
  for (const endMs = performance.now() + patienceMs; ; await sleep(20)) {
    const answer = answerOf(await client.exchange(method, path, request));
    const picked = step.pick === undefined ? answer : step.pick(answer['body'] ?? null);
    if (step.until === undefined || step.until(picked)) return picked;
    if (performance.now() > endMs) throw new Error(`${step.name}: ${JSON.stringify(picked)}`);
  }
}

const recordedHeaders = ['content-type', 'warning', 'location'] as const;

function answerOf({ code, headers, text }: Omit<ApiResponse, 'body'> & { readonly text: string }): JsonObject {
  const shown = recordedHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return { code, headers: Object.fromEntries(shown), body: parsed(text) };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

const changing: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'lastTransitionTime',
]);

/** Without what differs from run to run. */
function normalized(value: JsonValue, places: readonly [url: string, extension: ExtensionServer]): JsonValue {
  if (typeof value === 'string') {
    const [url, { port }] = places;
    return value
      .replaceAll(url, 'https://SERVER')
      .replaceAll(new URL(url).host, 'SERVER')
      .replaceAll(`localhost:${port}`, 'EXTENSION')
      .replaceAll(/127\.0\.0\.1:\d+|\[::1\]:\d+/g, 'ADDRESS')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/X509SHA256=\w+/g, 'X509SHA256=HASH')
      .replaceAll(/[0-9A-Fa-f]{64}/g, 'HASH');
  }
  if (Array.isArray(value)) return value.map((item) => normalized(item, places));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]): [string, JsonValue] => [
    key,
    changing.has(key) && typeof each === 'string' ? key.toUpperCase() : normalized(each, places),
  ]);
  return Object.fromEntries(entries);
}
