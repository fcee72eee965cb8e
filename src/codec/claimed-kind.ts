import { goQuote } from '../api/go/go-quote.ts';
import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { JsonMembers, JsonNumber, type JsonSource, type JsonTree } from '../api/json/json-tree.ts';
import { BodySyntaxError } from './serializer.ts';

/** The kind that a document names. Throws BodySyntaxError. */
export function claimedKind(source: JsonSource): GroupVersionKind {
  const { kind, apiVersion } = interpret(source);
  const parsed = parsedVersion(apiVersion);
  if (parsed === undefined) throw new BodySyntaxError(`unexpected GroupVersion string: ${apiVersion}`);
  return { ...parsed, kind };
}

/** The kind that free-form JSON has, whose names have one case only; undefined if it has none. */
export function kindOfFree(value: JsonValue): GroupVersionKind | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, apiVersion] = [getOwn(value, 'kind'), getOwn(value, 'apiVersion')];
  if (typeof kind !== 'string' || kind === '') return undefined;
  const parsed = parsedVersion(typeof apiVersion === 'string' ? apiVersion : '');
  return parsed && { ...parsed, kind };
}

function parsedVersion(apiVersion: string): ReturnType<typeof parseApiVersion> {
  return apiVersion === '/' ? { group: '', version: '' } : parseApiVersion(apiVersion);
}

/** The Go type that kind and apiVersion are read into, as errors show it. */
export const kindStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

interface Claim {
  kind: string;
  apiVersion: string;
}

/** Reads kind and apiVersion as Go's standard library does, case-insensitively. */
function interpret(source: JsonSource): Claim {
  const found: Claim = { kind: '', apiVersion: '' };
  const { value } = source;
  if (value === null) return found;
  if (!isJsonObject(value)) throw kindError(`${typeWord(source.tree())} into Go value of type ${kindStruct}`);
  if (source.faithful && readPlainly(value, found)) return found;
  const tree = source.tree();
  if (!(tree instanceof JsonMembers)) return found;
  let problem: string | undefined;
  for (const [i, key] of tree.keys.entries()) {
    const name = nameOf(key);
    const item = tree.values[i] ?? null;
    if (name === undefined || item === null) continue;
    if (typeof item === 'string') found[name] = item;
    else problem ??= `${typeWord(item)} into Go struct field .${name} of type string`;
  }
  if (problem !== undefined) throw kindError(problem);
  return found;
}

/** False if one of them is neither a string nor null: errors show what is written. */
function readPlainly(value: Readonly<JsonObject>, found: Claim): boolean {
  for (const key in value) {
    const name = nameOf(key);
    const item = name === undefined ? null : (value[key] ?? null);
    if (name === undefined || item === null) continue;
    if (typeof item !== 'string') return false;
    found[name] = item;
  }
  return true;
}

function nameOf(key: string): keyof Claim | undefined {
  return isName(key, 'kind') ? 'kind' : isName(key, 'apiVersion') ? 'apiVersion' : undefined;
}

function isName(key: string, name: string): boolean {
  return key === name || (key.length === name.length && key.toLowerCase() === name.toLowerCase());
}

function kindError(message: string): BodySyntaxError {
  return new BodySyntaxError(`couldn't get version/kind; json parse error: json: cannot unmarshal ${message}`);
}

function typeWord(tree: JsonTree): string {
  if (Array.isArray(tree)) return 'array';
  if (tree instanceof JsonMembers) return 'object';
  if (tree instanceof JsonNumber) return 'number';
  return typeof tree === 'boolean' ? 'bool' : 'string';
}

/** The error for an unknown kind. */
export function notRegistered({ group, version, kind }: GroupVersionKind): string {
  const where =
    version === '__internal'
      ? `the internal version of group ${goQuote(group)}`
      : `version ${goQuote(formatApiVersion(group, version))}`;
  return `no kind ${goQuote(kind)} is registered for ${where} in scheme "pkg/runtime/scheme.go:111"`;
}

/** A kind, completed from the expected one. */
export function withDefaults(actual: GroupVersionKind, expected: GroupVersionKind): GroupVersionKind {
  const kind = actual.kind === '' ? expected.kind : actual.kind;
  if (actual.version !== '') return { ...actual, kind };
  const defaulted = actual.group === '' || actual.group === expected.group;
  return defaulted ? { group: expected.group, version: expected.version, kind } : { ...actual, kind };
}
