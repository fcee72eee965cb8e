import type { GroupVersionKind } from '../api/meta/group-version.ts';

/*
 * The paths of both documents, in a neutral form that `v2.ts` and `v3.ts` render.
 */

export interface PathOperation {
  readonly method: Method;
  readonly tag: string;
  readonly description: string;
  readonly operationId: string;
  /** Absent where the reference has none. */
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly Response[];
  /** `x-kubernetes-action` */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}

/** In the order of both documents. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

export type Method = (typeof methods)[number];

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean' | 'number';
  /** Where nothing has been written about its topic. */
  readonly description: string;
  /** What the documentation calls it; absent for those of single kinds. */
  readonly topic?: string | undefined;
}

export interface RequestBody {
  /** Name of the definition. */
  readonly definition: string;
  readonly required: boolean;
}

export interface Response {
  readonly code: number;
  readonly description: string;
  /** Name of the definition of the response body, `string` for text; absent without a body. */
  readonly definition?: string;
}

/** A path and its operations, one per method. */
export interface PathEntry {
  /** `/api/v1/pods` */
  readonly path: string;
  /** The version 3 document it belongs to: `api/v1`, `apis/apps/v1`, `version`. */
  readonly document: string;
  readonly operations: readonly PathOperation[];
}

/** Stands for a text body. */
export const textBody = 'string';

export const unauthorized: Response = { code: 401, description: 'Unauthorized' };

/** Parameters of the path item: those shared by all its operations. Both lists are sorted by name. */
export function sharedParameters({ operations }: PathEntry): ReadonlySet<string> {
  const [first, ...others] = operations.map(({ parameters }) => parameters.map(parameterKey));
  return new Set((first ?? []).filter((key) => others.every((keys) => keys.includes(key))));
}

export function parameterKey({ name, in: place, description }: Parameter): string {
  return `${name} ${place} ${description}`;
}

export function byName(a: Parameter, b: Parameter): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.in < b.in ? -1 : 1;
}
