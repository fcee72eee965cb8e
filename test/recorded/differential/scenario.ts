/** One request. */
export interface Step {
  /** Unique within its scenario: the key of recorded responses and known differences. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** JSON, unless it is a string. */
  readonly body?: unknown;
  /** Content-Type; default JSON. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Retried for a few seconds until the response contains this text: a controller has to act first. */
  readonly until?: string;
}

/** Requests in sequence, in their own namespaces. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** The recorded part of a response. */
export interface StepResponse {
  readonly code: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

export const tableType = 'application/json;as=Table;g=meta.k8s.io;v=v1';
export const metadataType = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const metadataListType = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** A scenario from its steps; repeated step names are numbered. */
export function scenario(name: string, steps: readonly Step[]): Scenario {
  const seen = new Map<string, number>();
  const named = steps.map((step) => {
    const count = (seen.get(step.name) ?? 0) + 1;
    seen.set(step.name, count);
    return count === 1 ? step : { ...step, name: `${step.name} (${count})` };
  });
  return { name, steps: named };
}

export function get(path: string, options: Partial<Step> = {}): Step {
  return {
    name: `get ${path}${options.accept === undefined ? '' : ` as ${options.accept}`}`,
    method: 'GET',
    path,
    ...options,
  };
}

export function post(name: string, path: string, body: unknown, options: Partial<Step> = {}): Step {
  return { name, method: 'POST', path, body, ...options };
}

export function put(name: string, path: string, body: unknown, options: Partial<Step> = {}): Step {
  return { name, method: 'PUT', path, body, ...options };
}

export function patch(
  name: string,
  path: string,
  { type, body }: { readonly type: keyof typeof patchTypes; readonly body: unknown },
): Step {
  return { name, method: 'PATCH', path, body, contentType: patchTypes[type] };
}

export function remove(name: string, path: string, body?: unknown): Step {
  return { name, method: 'DELETE', path, body };
}

/** The first step of every scenario. */
export function inNamespace(namespace: string): Step {
  return post(`create namespace ${namespace}`, '/api/v1/namespaces', { metadata: { name: namespace } });
}
