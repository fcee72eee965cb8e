import type { Step } from '../scenario.ts';

export const applyType = 'application/apply-patch+yaml';

/** An apply; `by` is the manager, optionally followed by more query parameters. */
export function apply(name: string, path: string, body: unknown, by = 'one'): Step {
  return { name, method: 'PATCH', path: `${path}?fieldManager=${by}`, body, contentType: applyType };
}

/** A merge patch. */
export function merge(name: string, path: string, body: unknown, query = ''): Step {
  return { name, method: 'PATCH', path: `${path}${query}`, body, contentType: 'application/merge-patch+json' };
}

export function configMap(data: object, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, data };
}
