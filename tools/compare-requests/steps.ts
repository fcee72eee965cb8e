import type { Step } from './script.ts';

type More = Partial<Step>;

export const tableType = 'application/json;as=Table;g=meta.k8s.io;v=v1';
export const metadataType = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const metadataListType = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
export const protobufType = 'application/vnd.kubernetes.protobuf';

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof patchTypes;

export function get(name: string, path: string, more: More = {}): Step {
  return { name, method: 'GET', path, ...more };
}

export function post(name: string, path: string, body: unknown, more: More = {}): Step {
  return { name, method: 'POST', path, body, ...more };
}

export function put(name: string, path: string, body: unknown, more: More = {}): Step {
  return { name, method: 'PUT', path, body, ...more };
}

export function patch(name: string, type: PatchType, path: string, body: unknown, more: More = {}): Step {
  return { name, method: 'PATCH', path, body, contentType: patchTypes[type], ...more };
}

/** `by` is the manager, optionally followed by more query parameters. */
export function apply(name: string, path: string, body: unknown, by = 'one', more: More = {}): Step {
  const query = `${path.includes('?') ? '&' : '?'}fieldManager=${by}`;
  return patch(name, 'apply', `${path}${query}`, body, more);
}

export function remove(name: string, path: string, body?: unknown, more: More = {}): Step {
  return { name, method: 'DELETE', path, body, ...more };
}

/** A watch that stays open. */
export function watch(name: string, path: string, more: More = {}): Step {
  return get(name, `${path}${path.includes('?') ? '&' : '?'}watch=true`, { open: true, ...more });
}

export function events(step: string, count: number): Step {
  return { name: `events of ${step}`, method: 'GET', path: '', eventsOf: { step, count } };
}

/** The first step of most scripts. */
export function inNamespace(name: string, metadata: object = {}): Step {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } };
  return post(`create namespace ${name}`, '/api/v1/namespaces', body, { settles: true });
}

/** One request for each of the named values. */
export function forEach<T>(
  cases: { readonly [name: string]: T },
  stepsOf: (value: T, name: string) => Step | readonly Step[],
): readonly Step[] {
  return Object.entries(cases).flatMap(([name, value]) => stepsOf(value, name));
}
