import { expect } from 'vitest';
import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { TokenResponse, TokenClient, TokenRequest } from './token-client.ts';

export interface Servers {
  readonly reference: TokenClient;
  readonly binnacle: TokenClient;
}

/** Sends both servers the same (or equivalent) request and expects the same response. */
export async function compare(
  { reference, binnacle }: Servers,
  question: TokenRequest,
  ourQuestion: TokenRequest = question,
): Promise<void> {
  const [theirs, ours] = await Promise.all([reference.send(question), binnacle.send(ourQuestion)]);
  const what = `${question.method} ${question.path} ${JSON.stringify(question.headers ?? question.body ?? '')}`;
  expect.soft(comparable(ours), `${question.token}: ${what}`).toEqual(comparable(theirs));
}

const volatile: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'deletionTimestamp',
]);

/**
 * Removes differences between servers. Of several bindings that allow, the reference names any; rules are unordered.
 */
function comparable({ code, body }: TokenResponse): unknown {
  const stable = withoutVolatile(body);
  if (!isJsonObject(stable) || !isJsonObject(stable['status'])) return { code, body: stable };
  const { status } = stable;
  const sorted = (name: string): object => {
    const list = status[name];
    return Array.isArray(list) ? { [name]: list.map((rule) => JSON.stringify(rule)).toSorted() } : {};
  };
  const reason = status['allowed'] === true ? { reason: typeof status['reason'] } : {};
  return {
    code,
    body: { ...stable, status: { ...status, ...reason, ...sorted('resourceRules'), ...sorted('nonResourceRules') } },
  };
}

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function withoutVolatile(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(uid, 'UID');
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (!isJsonObject(value)) return value;
  // Objects stored as protobuf have no empty lists.
  const kept = Object.entries(value).filter(
    ([name, each]) => !volatile.has(name) && !(name === 'rules' && isEmpty(each)),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutVolatile(each)]));
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
