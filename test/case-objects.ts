import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../src/api/json/json.ts';
import type { ApiResponse, ApiClient, Request } from './api-client.ts';

/** An object that is made before a recorded case, at the path of its collection. */
export interface CaseObject {
  readonly path: string;
  readonly body: JsonObject;
}

/** The namespace of a case. */
export function namespaceOf(index: number): string {
  return `case-${index}`;
}

/** The value with the names of a case: `NS` is its namespace, and `CASE` what is unique to it. */
export function named<T extends JsonValue>(value: T, index: number): T {
  const text = JSON.stringify(value).replaceAll('NS', namespaceOf(index)).replaceAll('CASE', String(index));
  return JSON.parse(text) as T; // of the same shape
}

/** A path is after the namespace of the case: `configmaps`. With a slash in front it is the whole path. */
export function wholePath(path: string, index: number): string {
  return named(path.startsWith('/') ? path : `/api/v1/namespaces/NS/${path}`, index);
}

/** Answers that are no JSON are kept as text. */
export async function send(
  client: ApiClient,
  method: string,
  path: string,
  request: Request = {},
): Promise<ApiResponse> {
  const { code, headers, text } = await client.exchange(method, path, request);
  return { code, headers, body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { text } };
}

/** Throws unless the object has been made. */
export function expectCreated({ code, body }: ApiResponse): void {
  if (code !== 201) throw new Error(`${code}: ${JSON.stringify(body)}`);
}

const maxTries = 50;

/** Makes the objects of a case, and its namespace. Custom resources take a moment to be served. */
export async function prepareObjects(
  client: ApiClient,
  { objects = [], labels }: { readonly objects?: readonly CaseObject[]; readonly labels: JsonObject },
  index: number,
): Promise<void> {
  const namespace = { metadata: { name: namespaceOf(index), labels } };
  expectCreated(await send(client, 'POST', '/api/v1/namespaces', { body: namespace }));
  for (const { path, body } of objects) {
    const whole = wholePath(path, index);
    for (let tries = 0; ; tries += 1) {
      const answer = await send(client, 'POST', whole, { body: named(body, index) });
      if (answer.code !== 404 || tries === maxTries) {
        expectCreated(answer);
        break;
      }
      await sleep(100);
    }
  }
}
