import { joinNested } from '../../api/text/join-nested.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import { JsonMembers, type JsonTree } from '../../api/json/json-tree.ts';
import { checkCollections } from '../body-limits.ts';
import { YamlError } from './error.ts';
import { goFloat32Text, goFloatText } from './go-float.ts';
import { readNodes, type YamlAlias, type YamlCollection, type YamlNode, type YamlScalar } from './nodes.ts';
import { type ScalarValue, scalarOf, valueTree } from './scalar-values.ts';

export interface ParsedYaml {
  /** Members are sorted: the reference converts YAML to JSON via maps. */
  readonly tree: JsonTree;
  /** `line 3: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/** Reads the first document of a YAML stream as Kubernetes does. Throws YamlError and BodyLimitError. */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const root = readNodes(bytes);
  if (root === undefined) return { tree: null, duplicates: [] };
  const reader = new Reader();
  const tree = reader.read(root);
  return { tree, duplicates: reader.duplicates };
}

/** Receives the value of a node once known. */
type Receiver = (value: Read) => void;

/** A value as Go represents it; members of mappings are those of the map. */
type Read = ScalarValue | { readonly type: 'list'; readonly items: Read[] } | ReadMap;

interface ReadMap {
  readonly type: 'map';
  /** By the key as Go prints it, so that `1` and `"1"` are distinct. */
  readonly entries: Map<string, Entry>;
}

interface Entry {
  readonly key: ScalarValue;
  readonly value: Read;
}

/** A collection that is still incomplete. */
interface Frame {
  /** Reads the next child; false when there is none. */
  step(): boolean;
  /** On completion. */
  finish(): void;
}

class Reader {
  readonly duplicates: string[] = [];
  private readonly frames: Frame[] = [];
  private readonly openAliases = new Set<YamlAlias>();
  private decodeCount = 0;
  private aliasCount = 0;
  private aliasDepth = 0;
  private collections = 0;

  /** Iterative: documents may nest deeply. */
  read(root: YamlNode): JsonTree {
    let result: Read | undefined;
    // The document counts as well.
    this.count();
    this.start(root, (value) => {
      result = value;
    });
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      if (frame.step()) continue;
      this.frames.pop();
      frame.finish();
    }
    if (result === undefined) throw new Error('no document was read'); // the root was delivered
    return treeOf(result);
  }

  /** Limits alias expansion, as the reference does. */
  private count(): void {
    this.decodeCount++;
    if (this.aliasDepth > 0) this.aliasCount++;
    if (this.aliasCount <= 100 || this.decodeCount <= 1000) return;
    if (this.aliasCount / this.decodeCount > allowedAliasRatio(this.decodeCount)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  private start(node: YamlNode, receive: Receiver): void {
    this.count();
    if (node.kind === 'scalar') receive(scalarOf(node));
    else if (node.kind === 'alias') this.startAlias(node, (target, done) => this.start(target, done), receive);
    else if (node.kind === 'sequence') this.startSequence(node, receive);
    else this.startMapping(node, { type: 'map', entries: new Map() }, receive);
  }

  private startAlias(
    node: YamlAlias,
    start: (target: YamlScalar | YamlCollection, receive: Receiver) => void,
    receive: Receiver,
  ): void {
    if (this.openAliases.has(node)) throw new YamlError(`yaml: anchor '${node.anchor}' value contains itself`);
    this.openAliases.add(node);
    this.aliasDepth++;
    start(node.target, (value) => {
      this.aliasDepth--;
      this.openAliases.delete(node);
      receive(value);
    });
  }

  private startSequence({ children }: YamlCollection, receive: Receiver): void {
    checkCollections(++this.collections);
    const items: Read[] = [];
    let next = 0;
    this.frames.push({
      step: () => {
        const child = children[next++];
        if (child !== undefined) this.start(child, (value) => items.push(value));
        return child !== undefined;
      },
      finish: () => receive({ type: 'list', items }),
    });
  }

  /** Reads members into `map`, which is not empty if a mapping is merged into another. */
  private startMapping({ children }: YamlCollection, map: ReadMap, receive: Receiver): void {
    checkCollections(++this.collections);
    let next = 0;
    let key: ScalarValue | undefined;
    this.frames.push({
      step: () => {
        const child = children[next++];
        if (child === undefined) return false;
        if (key !== undefined) {
          const known = key;
          key = undefined;
          this.start(child, (value) => this.set(map, known, { value, line: child.line }));
        } else if (isMergeKey(child)) {
          const merged = children[next++];
          if (merged !== undefined) this.startMerge(merged, map);
        } else {
          this.start(child, (value) => {
            key = keyOf(value);
          });
        }
        return true;
      },
      finish: () => receive(map),
    });
  }

  private set(map: ReadMap, key: ScalarValue, { value, line }: { readonly value: Read; readonly line: number }): void {
    const shown = goSyntax(key);
    // NaN equals nothing.
    const id = key.type === 'float' && Number.isNaN(key.value) ? `${shown} ${map.entries.size}` : shown;
    if (map.entries.has(id)) this.duplicates.push(`line ${line + 1}: key ${shown} already set in map`);
    map.entries.set(id, { key, value });
  }

  private startMerge(node: YamlNode, map: ReadMap): void {
    if (node.kind === 'scalar') throw mergeError();
    if (node.kind !== 'sequence') return this.mergeOne(node, map);
    let next = node.children.length;
    // From the end, so that earlier mappings win.
    this.frames.push({
      step: () => {
        const child = node.children[--next];
        if (child !== undefined) this.mergeOne(child, map);
        return child !== undefined;
      },
      finish: () => undefined,
    });
    return undefined;
  }

  private mergeOne(node: YamlNode, map: ReadMap): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') throw mergeError();
    this.count();
    if (node.kind !== 'alias') return this.startMapping(target, map, () => undefined);
    return this.startAlias(
      node,
      (_, done) => {
        this.count();
        this.startMapping(target, map, done);
      },
      () => undefined,
    );
  }
}

const ratioLow = 400_000;
const ratioHigh = 4_000_000;

/** Maximum share of a document from aliases: 99 % of a small one, 10 % of a large one. */
function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= ratioLow) return 0.99;
  if (decodeCount >= ratioHigh) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - ratioLow) / (ratioHigh - ratioLow));
}

function isMergeKey(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.isImplicit || node.tag === 'tag:yaml.org,2002:merge');
}

function mergeError(): YamlError {
  return new YamlError('yaml: map merge requires map or sequence of maps as the value');
}

function keyOf(value: Read): ScalarValue {
  if (value.type === 'list' || value.type === 'map') throw new YamlError(`yaml: invalid map key: ${goSyntax(value)}`);
  return value;
}

/** A value as Go's `%#v` prints it; null has a type only inside of a collection. */
function goSyntax(root: Read): string {
  if (root.type === 'null') return '<nil>';
  return joinNested<Read>(root, (value) => {
    if (value.type === 'list') {
      return ['[]interface {}{', ...value.items.flatMap((item, i) => [i === 0 ? '' : ', ', { inner: item }]), '}'];
    }
    if (value.type !== 'map') return [scalarSyntax(value)];
    const pairs = [...value.entries.values()].flatMap(({ key, value: member }, i) => [
      ...(i === 0 ? [] : [', ']),
      { inner: key },
      ':',
      { inner: member },
    ]);
    return ['map[interface {}]interface {}{', ...pairs, '}'];
  });
}

function scalarSyntax(value: ScalarValue): string {
  switch (value.type) {
    case 'null':
      return 'interface {}(nil)';
    case 'str':
      return goQuote(value.text);
    case 'bool':
      return String(value.value);
    case 'int':
      return isUnsigned(value.text) ? `0x${BigInt(value.text).toString(16)}` : value.text;
    case 'float':
      return goFloatText(value.value);
  }
}

const maxInt64 = 2n ** 63n - 1n;

/** Integers beyond int64 that fit uint64. */
function isUnsigned(text: string): boolean {
  return text.length > 18 && BigInt(text) > maxInt64;
}

/** Converts to JSON, iteratively. Throws YamlError for what JSON cannot represent. */
function treeOf(root: Read): JsonTree {
  const unfilled: Unfilled[] = [];
  let unsupported: YamlError | undefined;
  const shell = (read: Read): JsonTree => {
    const trees: JsonTree[] = [];
    if (read.type === 'list') {
      unfilled.push({ items: read.items, trees });
      return trees;
    }
    if (read.type === 'map') {
      const keys: string[] = [];
      unfilled.push({ map: read, keys, trees });
      return new JsonMembers(keys, trees);
    }
    if (read.type === 'float' && !Number.isFinite(read.value)) {
      unsupported ??= new YamlError(`json: unsupported value: ${goFloatText(read.value)}`);
    }
    return valueTree(read);
  };
  const tree = shell(root);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    for (const child of childrenOf(next)) next.trees.push(shell(child));
  }
  if (unsupported !== undefined) throw unsupported;
  return tree;
}

interface NamedEntry {
  readonly name: string;
  readonly value: Read;
}

/** A list or map whose tree is still empty. */
type Unfilled =
  | { readonly items: readonly Read[]; readonly trees: JsonTree[] }
  | { readonly map: ReadMap; readonly keys: string[]; readonly trees: JsonTree[] };

/** For maps, children in sorted key order. */
function childrenOf(unfilled: Unfilled): readonly Read[] {
  if ('items' in unfilled) return unfilled.items;
  const sorted = namedEntries(unfilled.map).sort((a, b) => compareBytewise(a.name, b.name));
  for (const { name } of sorted) unfilled.keys.push(name);
  return sorted.map(({ value }) => value);
}

/** Members by their JSON names. */
function namedEntries({ entries }: ReadMap): NamedEntry[] {
  const byName = new Map<string, NamedEntry>();
  for (const { key, value } of entries.values()) {
    const name = nameOf(key, value);
    byName.set(name, { name, value });
  }
  return [...byName.values()];
}

function nameOf(key: ScalarValue, value: Read): string {
  switch (key.type) {
    case 'str':
      return key.text;
    case 'bool':
      return String(key.value);
    case 'float':
      return goFloat32Text(key.value);
    case 'int':
      if (!isUnsigned(key.text)) return key.text;
      throw unsupportedKey('uint64', key, value);
    case 'null':
      throw unsupportedKey('%!s(<nil>)', key, value);
  }
}

function unsupportedKey(type: string, key: ScalarValue, value: Read): YamlError {
  return new YamlError(`unsupported map key of type: ${type}, key: ${goSyntax(key)}, value: ${goSyntax(value)}`);
}
