import type { GroupVersionKind } from '../api/group-version.ts';

/*
 * What both documents tell of a path, in a form of neither: `v2.ts` and `v3.ts` write it down.
 */

export interface PathOperation {
  readonly method: Method;
  readonly tag: string;
  readonly description: string;
  readonly operationId: string;
  /** Absent where the reference tells none. */
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly Response[];
  /** `x-kubernetes-action` */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}

/** In the order that both documents write them. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

export type Method = (typeof methods)[number];

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean' | 'number';
  readonly description: string;
}

export interface RequestBody {
  /** Name of the definition. */
  readonly definition: string;
  readonly required: boolean;
}

export interface Response {
  readonly code: number;
  readonly description: string;
  /** Name of the definition of the body, `string` for bodies that are no object; absent without a body. */
  readonly definition?: string;
}

/** A path with its operations, one a method. */
export interface PathEntry {
  /** `/api/v1/pods` */
  readonly path: string;
  /** The version 3 document it belongs to: `api/v1`, `apis/apps/v1`, `version`. */
  readonly document: string;
  readonly operations: readonly PathOperation[];
}

/** Body of a definition that is not one. */
export const textBody = 'string';

export const unauthorized: Response = { code: 401, description: 'Unauthorized' };

/** A path item's parameters: those that all its operations share stand on the item. Both lists are sorted by name. */
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
