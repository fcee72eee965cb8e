import { parseFieldSelector, requiredValue } from '../../api/selectors/field-selector.ts';
import { SelectorSyntaxError } from '../../api/selectors/label-selector.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { queryBoolean } from './query.ts';
import type { Verb } from './verb.ts';

/** The meaning of a path and a method, before the resource is looked up. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** `get`, `list`, `watch`, `create` ... for resources; the lower-case method for other paths. */
  readonly verb: string;
  /** `api` or `apis` for resource requests. */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /**
   * For lists and watches whose field selector names one object: the right to that object suffices. Otherwise empty.
   */
  readonly selectedName: string;
  /** Segments after a subresource: the path passed to `proxy`. */
  readonly rest: readonly string[];
  /** The verb is in the path, which is deprecated: `/api/v1/watch/...`. */
  readonly isVerbInPath: boolean;
}

/** Verb by HTTP method. */
export type MethodVerbs = ReadonlyMap<string, string>;

export function methodVerbs(verbs: Iterable<Verb>): MethodVerbs {
  return new Map([...verbs].flatMap(({ name, methods }) => methods.map((method) => [method, name] as const)));
}

/** Subresources of the namespace itself, not resources in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Verbs in paths; for the second only its refusal is left. */
const verbsInPaths: ReadonlyMap<string, { readonly verb: string; readonly endsAtName: boolean }> = new Map([
  ['watch', { verb: 'watch', endsAtName: false }],
  ['proxy', { verb: 'proxy', endsAtName: true }],
]);

/** Parses method, path and query like the reference's RequestInfo. */
export function parseRequestInfo(
  { method, path, query }: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
  verbs: MethodVerbs,
): RequestInfo {
  const parts = splitPath(path);
  const prefix = parts[0] ?? '';
  const isApi = prefix === 'api' && parts.length >= 3;
  const isApis = prefix === 'apis' && parts.length >= 4;
  if (!isApi && !isApis) return nonResource(method);
  const group = isApis ? (parts[1] ?? '') : '';
  const version = parts[isApis ? 2 : 1] ?? '';
  let at = isApis ? 3 : 2;
  const verbInPath = verbsInPaths.get(parts[at] ?? '');
  if (verbInPath !== undefined) {
    if (parts.length - at < 2) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
    at += 1;
  }
  const isInNamespace = parts[at] === 'namespaces';
  const namespace = isInNamespace ? (parts[at + 1] ?? '') : '';
  if (isInNamespace && parts.length - at > 2 && !namespaceSubresources.has(parts[at + 2] ?? '')) at += 2;
  const resource = parts[at] ?? '';
  const name = parts[at + 1] ?? '';
  const subresource = parts[at + 2] ?? '';
  const isVerbInPath = verbInPath !== undefined;
  const verb = verbInPath?.verb ?? resourceVerb(verbs.get(method) ?? '', name, query);
  return {
    isResourceRequest: true,
    verb,
    prefix,
    group,
    version,
    namespace,
    resource,
    subresource: verbInPath?.endsAtName === true ? '' : subresource,
    name,
    selectedName: name === '' && !isVerbInPath && (verb === 'list' || verb === 'watch') ? selectedName(query) : '',
    rest: parts.length > at + 3 ? parts.slice(at + 3) : [],
    isVerbInPath,
  };
}

function resourceVerb(verb: string, name: string, query: URLSearchParams): string {
  if (name !== '') return verb;
  if (verb === 'delete') return 'deletecollection';
  if (verb !== 'get') return verb;
  return queryBoolean(query.get('watch')) ? 'watch' : 'list';
}

function selectedName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector');
  if (selector === null || !selector.includes('metadata.name')) return '';
  try {
    const name = requiredValue(parseFieldSelector(selector), 'metadata.name') ?? '';
    return isPathSegment(name) ? name : '';
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return '';
    throw error;
  }
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

function nonResource(method: string): RequestInfo {
  return {
    isResourceRequest: false,
    verb: method.toLowerCase(),
    prefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    selectedName: '',
    rest: [],
    isVerbInPath: false,
  };
}

/** Escaped slashes separate as well: the reference decodes a path before it looks at its parts. */
function splitPath(raw: string): string[] {
  const path = raw.includes('%') ? decodePath(raw) : raw;
  let [start, end] = [0, path.length];
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  if (start === end) return [];
  const parts: string[] = [];
  // V8 does `split` outside of compiled code, which takes half as long again.
  for (let slash = path.indexOf('/', start); slash !== -1 && slash < end; slash = path.indexOf('/', start)) {
    parts.push(path.slice(start, slash));
    start = slash + 1;
  }
  parts.push(path.slice(start, end));
  return parts;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    const segment = path.split('/').find((part) => !isDecodable(part));
    throw badRequest(`invalid URL escape in ${JSON.stringify(segment)}`);
  }
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
