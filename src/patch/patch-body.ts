import { goQuote } from '../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import {
  hugeNumberIn,
  JsonMembers,
  JsonNumber,
  type JsonSource,
  type JsonTree,
  floatsSpelledOf,
  spelledOf,
} from '../api/json/json-tree.ts';
import { SpelledNumbers } from '../api/json/spelled-numbers.ts';
import { badRequest } from '../api/errors/status-errors.ts';
import type { PatchOperation } from './json-patch.ts';

/** A parsed body and its strict-decoding errors. */
export interface PatchBody<T> {
  readonly patch: T;
  readonly strictErrors: readonly string[];
}

const maxStrictErrors = 100;

/** The operations of a JSON Patch. Throws a StatusError (400). */
export function readOperations(source: JsonSource, strict: boolean): PatchBody<readonly PatchOperation[]> {
  const tree = source.tree();
  if (tree === null) return { patch: [], strictErrors: [] };
  refuseHugeNumber(source, { prefix: 'error decoding patch: ', target: 'struct field jsonPatchOp.value' });
  const types = strict
    ? { list: '[]handlers.jsonPatchOp', item: 'handlers.jsonPatchOp', prefix: 'error decoding patch: ' }
    : { list: 'jsonpatch.Patch', item: 'jsonpatch.Operation', prefix: '' };
  const refuse = (message: string): Error => badRequest(`${types.prefix}json: cannot unmarshal ${message}`);
  if (!Array.isArray(tree)) throw refuse(`${typeWord(tree)} into Go value of type ${types.list}`);
  const found = new StrictErrors('json patch ');
  const operations: PatchOperation[] = [];
  const numbers = new SpelledNumbers();
  let problem: Error | undefined;
  for (const [index, item] of tree.entries()) {
    if (item === null) operations.push({});
    else if (!(item instanceof JsonMembers)) {
      problem ??= refuse(`${typeWord(item)} into Go value of type ${types.item}`);
    } else {
      const wrong = strict ? checkOperation(item, `[${index}]`, found) : undefined;
      if (wrong !== undefined) problem ??= refuse(wrong);
      operations.push(spelledOf(item, numbers) as JsonObject); // an object
    }
  }
  if (problem !== undefined) throw problem;
  return { patch: operations, strictErrors: found.list };
}

const operationMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** The first member of the wrong type, as an error message. */
function checkOperation({ keys, values }: JsonMembers, path: string, found: StrictErrors): string | undefined {
  let wrong: string | undefined;
  const seen = new Set<string>();
  for (const [i, key] of keys.entries()) {
    const value = values[i] ?? null;
    if (!operationMembers.has(key)) {
      found.add('unknown', `${path}.${key}`);
      continue;
    }
    if (seen.has(key)) found.add('duplicate', `${path}.${key}`);
    seen.add(key);
    if (key === 'value') found.duplicatesIn(value, `${path}.${key}`);
    else if (value !== null && typeof value !== 'string') {
      wrong ??= `${typeWord(value)} into Go struct field jsonPatchOp.${key} of type string`;
    }
  }
  return wrong;
}

/** Parses a JSON merge patch: an object or, unless strict, a list. Throws a StatusError (400). */
export function readMergePatch(source: JsonSource, strict: boolean): PatchBody<JsonObject | JsonValue[]> {
  refuseHugeNumber(source, { prefix: 'error decoding patch: ', target: 'value' });
  const value = source.faithful ? source.value : spelledOf(source.tree());
  if (isJsonObject(value)) return { patch: value, strictErrors: strict ? duplicateFields(source) : [] };
  if (strict && value !== null) throw badRequest(`error decoding patch: ${noMap(source.tree())}`);
  if (Array.isArray(value)) return { patch: value, strictErrors: [] };
  throw badRequest('Invalid JSON Patch');
}

/** A strategic merge patch. Throws a StatusError (400). */
export function readStrategicMergePatch(source: JsonSource, strict: boolean): PatchBody<JsonObject> {
  const value = (source.faithful ? source.value : floatsSpelledOf(source.tree())) ?? {};
  refuseHugeNumber(source, { prefix: '', target: 'value' });
  if (!isJsonObject(value)) throw badRequest(noMap(source.tree()));
  return { patch: value, strictErrors: strict ? duplicateFields(source) : [] };
}

/** The merge represents numbers as doubles: larger ones are refused. */
function refuseHugeNumber(source: JsonSource, { prefix, target }: { prefix: string; target: string }): void {
  // Such numbers have an exponent or many digits, which decoded values no longer show.
  const text = source.faithful ? undefined : hugeNumberIn(source.tree());
  if (text === undefined) return;
  throw badRequest(`${prefix}json: cannot unmarshal number ${text} into Go ${target} of type float64`);
}

function duplicateFields(source: JsonSource): readonly string[] {
  if (source.faithful) return [];
  const found = new StrictErrors('');
  found.duplicatesIn(source.tree(), '');
  return found.list;
}

function noMap(tree: JsonTree): string {
  return `json: cannot unmarshal ${typeWord(tree)} into Go value of type map[string]interface {}`;
}

class StrictErrors {
  readonly list: string[] = [];
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(what: 'unknown' | 'duplicate', path: string): void {
    const text = `${this.#prefix}${what} field ${goQuote(path)}`;
    if (this.list.length < maxStrictErrors && !this.list.includes(text)) this.list.push(text);
  }

  /** Iterative rather than recursive: patches may nest ten thousand deep. */
  duplicatesIn(root: JsonTree, rootPath: string): void {
    const waiting: Part[] = [{ tree: root, path: rootPath, repeated: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.repeated) this.add('duplicate', next.path);
      for (const part of partsOf(next).toReversed()) waiting.push(part);
    }
  }
}

/** A value in a patch. */
interface Part {
  readonly tree: JsonTree;
  readonly path: string;
  /** Whether a member before it has the same key. */
  readonly repeated: boolean;
}

function partsOf({ tree, path }: Part): readonly Part[] {
  if (Array.isArray(tree)) {
    return tree.map((item, index) => ({ tree: item, path: `${path}[${index}]`, repeated: false }));
  }
  if (!(tree instanceof JsonMembers)) return [];
  const seen = new Set<string>();
  return tree.keys.map((key, i) => {
    const repeated = seen.has(key);
    seen.add(key);
    return { tree: tree.values[i] ?? null, path: path === '' ? key : `${path}.${key}`, repeated };
  });
}

function typeWord(tree: JsonTree): string {
  if (Array.isArray(tree)) return 'array';
  if (tree instanceof JsonMembers) return 'object';
  if (tree instanceof JsonNumber) return 'number';
  return typeof tree === 'boolean' ? 'bool' : tree === null ? 'null' : 'string';
}
