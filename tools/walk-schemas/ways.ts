import { isJsonObject, type JsonObject, type JsonValue, getOwn, setOwn } from '../../src/api/json/json.ts';
import { encodeRaw } from '../../src/api/json/json-text.ts';
import type { Base } from './bases.ts';
import type { Step } from './places.ts';

/** A dry-run request. */
export interface WalkRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** What to write: the object with the value at its place, and the value alone with its parents. */
export interface Written {
  readonly object: JsonObject;
  /** The object without the value. */
  readonly before: JsonObject;
  /** Nothing but the path to the value. */
  readonly chain: JsonObject;
  readonly path: readonly Step[];
}

/** A way of writing a value. */
interface Way {
  readonly verb: 'create' | 'update' | 'patch';
  /** Whether the body is the whole object. */
  readonly isWhole: boolean;
  request(base: Base, written: Written, subresource: string): WalkRequest;
}

const json = 'application/json';

export const ways = {
  create: {
    verb: 'create',
    isWhole: true,
    request: (base, { object }, subresource) => ({
      method: 'POST',
      path: subresource === '' ? `${base.collection}?dryRun=All` : objectPath(base, subresource),
      contentType: json,
      body: encodeRaw(object),
    }),
  },
  update: {
    verb: 'update',
    isWhole: true,
    request: (base, { object }, subresource) => ({
      method: 'PUT',
      path: objectPath(base, subresource),
      contentType: json,
      body: encodeRaw(object),
    }),
  },
  'json-patch': patch('application/json-patch+json', (_, written) => [jsonPatch(written)]),
  'merge-patch': patch('application/merge-patch+json', (_, { chain }) => chain),
  'strategic-patch': patch('application/strategic-merge-patch+json', (_, { chain }) => chain),
  apply: patch('application/apply-patch+yaml', applied, '&fieldManager=walker&force=true'),
} satisfies { readonly [name: string]: Way };

export type WayName = keyof typeof ways;
// The keys of the table are its names.
export const wayNames = Object.keys(ways) as readonly WayName[];

function objectPath({ collection, name }: Base, subresource: string): string {
  return `${collection}/${name}${subresource === '' ? '' : `/${subresource}`}?dryRun=All`;
}

function patch(contentType: string, body: (base: Base, written: Written) => JsonValue, options = ''): Way {
  return {
    verb: 'patch',
    isWhole: false,
    request: (base, written, subresource) => ({
      method: 'PATCH',
      path: `${objectPath(base, subresource)}${options}`,
      contentType,
      body: encodeRaw(body(base, written)),
    }),
  };
}

function applied({ object, name }: Base, { chain }: Written): JsonObject {
  const { apiVersion = '', kind = '' } = object;
  const { metadata } = chain;
  return {
    apiVersion,
    kind,
    ...chain,
    metadata: metadata === undefined ? { name } : isJsonObject(metadata) ? { name, ...metadata } : metadata,
  };
}

/** Adds the first missing part of the path. */
function jsonPatch({ before, chain, path }: Written): JsonObject {
  let there: JsonValue | undefined = before;
  let added: JsonValue | undefined = chain;
  let pointer = '';
  for (const step of path) {
    there = memberOf(there, step);
    added = memberOf(added, step);
    pointer += `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (there === undefined || there === null) break;
  }
  const operation: JsonObject = { op: 'add', path: pointer };
  setOwn(operation, 'value', added ?? null);
  return operation;
}

function memberOf(parent: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (Array.isArray(parent)) return parent[Number(step)];
  return isJsonObject(parent) ? getOwn(parent, String(step)) : undefined;
}
