import { readFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import { adminTls } from '../../server-fixture.ts';
import { type Step, steps } from './scenario.ts';

const agent = 'binnacle-audit';
/** How long events may come after the answer, and definitions take to be served. */
const settleMs = 300;

/** Sends the requests to any server, and reads what it has written to `file`: the events by request. */
export async function playAudit(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { file, definitionMs }: { readonly file: string; readonly definitionMs: number },
) {
  using client = await ApiClient.connect(server);
  for (const step of steps) {
    if (step.name === 'an instance of a deprecated version') {
      await sleep(definitionMs);
      // The first request may come too early.
      await client.text(step.path);
      await sleep(definitionMs);
    }
    if (step.anonymous === true) await sendAnonymously(server, step);
    else await client.exchange(step.method, step.path, { ...step, headers: headersOf(step) });
  }
  await sleep(settleMs);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as JsonObject);
  const ours = new Set(steps.map(({ name }) => name));
  const found = events.filter(({ auditID }) => typeof auditID === 'string' && ours.has(auditID));
  return Object.fromEntries(
    steps.map(({ name }) => [name, found.filter((event) => event['auditID'] === name).map(normal)]),
  );
}

function headersOf({ name, headers = {} }: Step) {
  return { 'user-agent': agent, 'audit-id': name, ...headers };
}

async function sendAnonymously(
  { url, kubeconfigPath }: { readonly url: string; readonly kubeconfigPath: string },
  step: Step,
): Promise<void> {
  const session = connect(url, { ca: (await adminTls(kubeconfigPath)).ca });
  const stream = session.request({ ':method': step.method, ':path': step.path, ...headersOf(step) });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.once('error', reject);
  stream.once('error', reject);
  stream.once('end', resolve);
  stream.resume().end();
  await promise;
  session.close();
}

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/;
const uids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const madeNames = /\bmade-[a-z0-9]{5}\b/g;
const hidden = new Set([
  'description',
  'resourceVersion',
  'token',
  'authentication.kubernetes.io/credential-id',
  'continue',
]);

/** Without parts that differ each time. */
function normal(event: JsonObject): JsonValue {
  return cleaned(event, '');
}

function cleaned(value: JsonValue, field: string): JsonValue {
  if (Array.isArray(value)) return hidden.has(field) ? ['HIDDEN'] : value.map((item) => cleaned(item, ''));
  if (typeof value === 'string') {
    if (hidden.has(field) && value !== '') return 'HIDDEN';
    if (/^\d+s$/.test(value)) return 'AGE';
    if (times.test(value)) return value.includes('.') ? 'MICROTIME' : 'TIME';
    return value
      .replaceAll(uids, 'UID')
      .replaceAll(madeNames, 'made-NAME')
      .replaceAll(/JTI=[\w-]+/g, 'JTI=SOME')
      .replaceAll(/("?resourceVersion"?:)"\d+"/g, '$1"HIDDEN"');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, cleaned(child as JsonValue, name)]));
}
