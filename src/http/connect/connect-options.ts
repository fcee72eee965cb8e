import { int64Problem } from '../../api/go/go-integer.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { schemaOfOptions } from '../../schema/kubernetes/definitions.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { queryBoolean } from '../request/query.ts';

/**
 * The options of a connection as an object, from the query by the schema of their kind: `?stdin=1&command=a&command=b`
 * is `{kind: 'PodExecOptions', stdin: true, command: ['a', 'b']}`. Zero values are left out. Throws a 400.
 */
export function connectOptions(
  query: URLSearchParams,
  of: GroupVersionKind,
  more: { readonly path?: string } = {},
): KubernetesObject {
  const { group, version, kind } = of;
  const fields = schemaOfOptions(kind)?.structure?.fields;
  if (fields === undefined) throw new Error(`${kind} has no schema`);
  const options: { [name: string]: JsonValue } = { kind, apiVersion: formatApiVersion(group, version) };
  for (const field of fields.values()) {
    const value = field.name in options ? undefined : fieldValue(query.getAll(field.name), field);
    if (value !== undefined) options[field.name] = value;
  }
  if (more.path !== undefined && more.path !== '') options['path'] = more.path;
  // Options have no metadata; plugins of admission find none in it.
  return { ...options, metadata: {} } as KubernetesObject; // read by their schema
}

function fieldValue(texts: readonly string[], { schema, pointer }: Field): JsonValue | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  if (schema.type === 'array') return schema.items?.type === 'integer' ? texts.flatMap(ports) : [...texts];
  const value = scalar(first, schema);
  return pointer || (value !== false && value !== '' && value !== 0) ? value : undefined;
}

function scalar(text: string, { type }: Schema): JsonValue {
  if (type === 'boolean') return queryBoolean(text);
  return type === 'integer' ? integer(text) : text;
}

function integer(text: string): number {
  const problem = int64Problem(text);
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
  return Number(text);
}

/** One or several, separated by commas. */
function ports(text: string): number[] {
  return text.split(',').map((port) => {
    const problem = !/^\d+$/.test(port) ? 'invalid syntax' : Number(port) > 65_535 ? 'value out of range' : undefined;
    if (problem === undefined) return Number(port);
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(port)}: ${problem}`);
  });
}

/** The path for the other server, decoded, with a trailing slash of the request. */
export function proxyPath(requestPath: string, rest: readonly string[]): string {
  const path = rest.length === 0 ? '' : `/${rest.join('/')}`;
  return requestPath.endsWith('/') && !path.endsWith('/') ? `${path}/` : path;
}

/** Without `.`, `..` and doubled slashes, as Go's path.Join leaves it; a trailing slash stays. */
export function cleanPath(path: string): string {
  if (path === '') return '';
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const clean = `/${parts.join('/')}`;
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean;
}

/** As Go escapes a path that it has decoded. */
export function escapedPath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, (escape) => decodeURIComponent(escape))
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
