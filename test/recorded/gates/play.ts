import { isJsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import { steps, type Step } from './requests.ts';

/** Codes and answers, by the names of steps. */
export type Played = Readonly<Record<string, JsonValue>>;

/** Sends all requests to a fresh server. */
export async function play(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<Played> {
  using client = await ApiClient.connect(server);
  const played: Record<string, JsonValue> = {};
  for (const step of steps) played[step.name] = await answerTo(client, step);
  return played;
}

async function answerTo(client: ApiClient, { method, path, body, part = [] }: Omit<Step, 'name'>): Promise<JsonValue> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await client.send(method, path, body === undefined ? {} : { body, contentType });
  const { code } = answer;
  const received: JsonValue = answer.body; // parsed from JSON
  if (code >= 400)
    return { code, status: withoutUids(isJsonObject(received) ? (received['message'] ?? null) : received) };
  let value: JsonValue | undefined = received;
  for (const key of part) value = (value as { readonly [key: string | number]: JsonValue } | undefined)?.[key];
  return { code, answer: value ?? null };
}

/** Accounts and pods have other ones in each run. */
function withoutUids(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>') : value;
}
