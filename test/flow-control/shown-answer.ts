import type { JsonObject } from '../../src/api/json/json.ts';
import type { ApiResponse } from '../api-client.ts';

/** Headers that do not depend on the request alone are told by their names. */
export function shown({ code, headers, text }: Omit<ApiResponse, 'body'> & { readonly text: string }): JsonObject {
  const shownHeaders = ['content-type', 'retry-after', 'x-content-type-options', 'cache-control'];
  const names = Object.keys(headers).filter((name) => name.startsWith('x-kubernetes-pf-'));
  const kept = shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return {
    code,
    headers: Object.fromEntries(kept) as JsonObject,
    classified: names.toSorted(),
    text: code === 429 ? text : '',
  };
}
