import type { Mark } from './cursor.ts';
import { parserError, type YamlError } from './error.ts';
import { Scanner } from './scanner.ts';
import type { Token } from './tokens.ts';
import type { YamlText } from './decode-text.ts';

/** The events of a document, in source order. Lines count from 0. */
export type YamlEvent =
  | { readonly type: 'end' }
  | { readonly type: 'alias'; readonly line: number; readonly anchor: string }
  | (NodeProperties & { readonly type: 'scalar'; readonly value: string; readonly isImplicit: boolean })
  | (NodeProperties & { readonly type: 'sequence' | 'mapping' });

export interface NodeProperties {
  readonly line: number;
  readonly anchor: string | undefined;
  /** In full: `tag:yaml.org,2002:str`. Empty when absent. */
  readonly tag: string;
}

type State =
  | 'document end'
  | 'block node'
  | 'document content'
  | 'block sequence'
  | 'indentless sequence'
  | 'block key'
  | 'block value'
  | 'flow sequence start'
  | 'flow sequence'
  | 'pair key'
  | 'pair value'
  | 'pair end'
  | 'flow key start'
  | 'flow key'
  | 'flow value'
  | 'flow empty value';

const noProperties = { anchor: undefined, tag: '' };

/**
 * The events of the first document of a stream; only one token after it is read. A state machine, so that deep
 * documents need no stack.
 */
export class DocumentEvents {
  private readonly scanner: Scanner;
  private state: State = 'block node';
  private readonly outerStates: State[] = [];
  private readonly tagPrefixes = new Map<string, string>();

  constructor(text: YamlText) {
    this.scanner = new Scanner(text);
  }

  /** Reads up to the start of the document; false when the stream is empty. Throws YamlError. */
  start(): boolean {
    const { type } = this.scanner.peek();
    if (type === 'stream end') return false;
    const isExplicit = type === 'version directive' || type === 'tag directive' || type === 'document start';
    this.readDirectives();
    if (isExplicit) {
      const token = this.scanner.peek();
      if (token.type !== 'document start') throw failAt(token, 'did not find expected <document start>');
      this.scanner.take();
      this.state = 'document content';
    }
    this.outerStates.push('document end');
    return true;
  }

  /** Reads the end of the document, including errors in the token after it. */
  finish(): void {
    this.scanner.peek();
  }

  /** The next event. Throws YamlError. */
  next(): YamlEvent {
    const { scanner } = this;
    switch (this.state) {
      case 'document end':
        throw new Error('the document has ended'); // nodes are read completely
      case 'block node':
        return this.node({ block: true });
      case 'document content':
        if (isDocumentBoundary(scanner.peek())) return this.emptyScalar(scanner.peek().start, this.outer());
        return this.node({ block: true });
      case 'block sequence':
        return this.blockEntry();
      case 'indentless sequence':
        return this.indentlessEntry();
      case 'block key':
        return this.blockKey();
      case 'block value':
        return this.blockValue();
      case 'flow sequence start':
      case 'flow sequence':
        return this.flowEntry(this.state === 'flow sequence start');
      case 'pair key':
      case 'pair value':
        return this.pair(this.state);
      case 'pair end':
        this.state = 'flow sequence';
        scanner.peek();
        return { type: 'end' };
      case 'flow key start':
      case 'flow key':
        return this.flowKey(this.state === 'flow key start');
      case 'flow value':
      case 'flow empty value':
        return this.flowValue(this.state);
    }
  }

  private readDirectives(): void {
    const { scanner, tagPrefixes } = this;
    let hasVersion = false;
    for (let token = scanner.peek(); ; token = scanner.peek()) {
      if (token.type === 'version directive') {
        if (hasVersion) throw failAt(token, 'found duplicate %YAML directive');
        if (token.major !== 1 || token.minor !== 1) throw failAt(token, 'found incompatible YAML document');
        hasVersion = true;
      } else if (token.type === 'tag directive') {
        if (tagPrefixes.has(token.handle)) throw failAt(token, 'found duplicate %TAG directive');
        tagPrefixes.set(token.handle, token.prefix);
      } else break;
      scanner.take();
    }
    if (!tagPrefixes.has('!')) tagPrefixes.set('!', '!');
    if (!tagPrefixes.has('!!')) tagPrefixes.set('!!', 'tag:yaml.org,2002:');
  }

  private outer(): State {
    return this.outerStates.pop() ?? 'document end';
  }

  /** A node after which the machine enters state `then`. */
  private nodeThen(then: State, options: { readonly block: boolean; readonly indentless?: boolean }): YamlEvent {
    this.outerStates.push(then);
    return this.node(options);
  }

  private emptyScalar({ line }: Mark, then: State): YamlEvent {
    this.state = then;
    return { type: 'scalar', line, ...noProperties, value: '', isImplicit: true };
  }

  private node({ block, indentless = false }: { readonly block: boolean; readonly indentless?: boolean }): YamlEvent {
    const { scanner } = this;
    const first = scanner.peek();
    if (first.type === 'alias') {
      scanner.take();
      this.state = this.outer();
      return { type: 'alias', line: first.start.line, anchor: first.name };
    }
    const properties = this.properties();
    const token = scanner.peek();
    if (indentless && token.type === 'block entry') return this.open('sequence', 'indentless sequence', properties);
    if (token.type === 'scalar') {
      scanner.take();
      this.state = this.outer();
      // Without spreads, which are slow for what is made for each node.
      const { line, anchor, tag } = properties;
      const isImplicit = tag === '' ? token.plain : tag === '!';
      return { type: 'scalar', line, anchor, tag, value: token.value, isImplicit };
    }
    const collection = collections.get(token.type);
    if (collection !== undefined && (block || collection.inFlow)) {
      scanner.take();
      return this.open(collection.type, collection.state, properties);
    }
    if (properties.anchor !== undefined || properties.tag !== '') {
      this.state = this.outer();
      return { type: 'scalar', ...properties, value: '', isImplicit: properties.tag === '' };
    }
    throw failAt(token, 'did not find expected node content');
  }

  private open(type: 'sequence' | 'mapping', state: State, { line, anchor, tag }: NodeProperties): YamlEvent {
    this.state = state;
    return { type, line, anchor, tag };
  }

  private end(): YamlEvent {
    this.state = this.outer();
    return { type: 'end' };
  }

  /** An anchor and a tag, in either order. */
  private properties(): NodeProperties {
    const { scanner } = this;
    const { start } = scanner.peek();
    let anchor: string | undefined;
    let tag: Token | undefined;
    for (let token = scanner.peek(); ; token = scanner.peek()) {
      if (token.type === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.type === 'tag' && tag === undefined) tag = token;
      else break;
      scanner.take();
    }
    return { line: start.line, anchor, tag: tag?.type === 'tag' ? this.fullTag(tag) : '' };
  }

  private fullTag(token: Extract<Token, { readonly type: 'tag' }>): string {
    if (token.handle === '') return token.suffix;
    const tag = (this.tagPrefixes.get(token.handle) ?? '') + (this.tagPrefixes.has(token.handle) ? token.suffix : '');
    if (tag === '') throw failAt(token, 'found undefined tag handle');
    return tag;
  }

  private blockEntry(): YamlEvent {
    const { scanner } = this;
    const token = scanner.peek();
    if (token.type === 'block end') {
      scanner.take();
      return this.end();
    }
    if (token.type !== 'block entry') throw failAt(token, "did not find expected '-' indicator");
    scanner.take();
    const { type } = scanner.peek();
    if (type === 'block entry' || type === 'block end') return this.emptyScalar(token.start, 'block sequence');
    return this.nodeThen('block sequence', { block: true });
  }

  /** A list at the indentation of its key ends where its entries do. */
  private indentlessEntry(): YamlEvent {
    const { scanner } = this;
    const token = scanner.peek();
    if (token.type !== 'block entry') return this.end();
    scanner.take();
    const { type } = scanner.peek();
    if (type === 'block entry' || endsBlockEntry(type)) return this.emptyScalar(token.start, 'indentless sequence');
    return this.nodeThen('indentless sequence', { block: true });
  }

  private blockKey(): YamlEvent {
    const { scanner } = this;
    const token = scanner.peek();
    if (token.type === 'block end') {
      scanner.take();
      return this.end();
    }
    if (token.type !== 'key') throw failAt(token, 'did not find expected key');
    scanner.take();
    if (endsBlockEntry(scanner.peek().type)) return this.emptyScalar(token.start, 'block value');
    return this.nodeThen('block value', { block: true, indentless: true });
  }

  private blockValue(): YamlEvent {
    const { scanner } = this;
    const token = scanner.peek();
    if (token.type !== 'value') return this.emptyScalar(token.start, 'block key');
    scanner.take();
    if (endsBlockEntry(scanner.peek().type)) return this.emptyScalar(token.start, 'block key');
    return this.nodeThen('block key', { block: true, indentless: true });
  }

  private flowEntry(isFirst: boolean): YamlEvent {
    const { scanner } = this;
    if (scanner.peek().type !== ']') {
      if (!isFirst) {
        if (scanner.peek().type !== 'flow entry') throw failAt(scanner.peek(), "did not find expected ',' or ']'");
        scanner.take();
      }
      const token = scanner.peek();
      if (token.type === 'key') {
        // A single-pair mapping without braces.
        scanner.take();
        this.state = 'pair key';
        return { type: 'mapping', line: token.start.line, ...noProperties };
      }
      if (token.type !== ']') return this.nodeThen('flow sequence', { block: false });
    }
    scanner.take();
    return this.end();
  }

  private pair(state: 'pair key' | 'pair value'): YamlEvent {
    const { scanner } = this;
    const token = scanner.peek();
    if (state === 'pair key') {
      if (token.type !== 'value' && !endsFlowEntry(token.type)) return this.nodeThen('pair value', { block: false });
      scanner.take();
      return this.emptyScalar(token.start, 'pair value');
    }
    if (token.type === 'value') {
      scanner.take();
      if (!endsFlowEntry(scanner.peek().type)) return this.nodeThen('pair end', { block: false });
    }
    return this.emptyScalar(token.start, 'pair end');
  }

  private flowKey(isFirst: boolean): YamlEvent {
    const { scanner } = this;
    if (scanner.peek().type !== '}') {
      if (!isFirst) {
        if (scanner.peek().type !== 'flow entry') throw failAt(scanner.peek(), "did not find expected ',' or '}'");
        scanner.take();
      }
      const token = scanner.peek();
      if (token.type === 'key') {
        scanner.take();
        const { type, start } = scanner.peek();
        if (type === 'value' || type === 'flow entry' || type === '}') return this.emptyScalar(start, 'flow value');
        return this.nodeThen('flow value', { block: false });
      }
      if (token.type !== '}') return this.nodeThen('flow empty value', { block: false });
    }
    scanner.take();
    return this.end();
  }

  private flowValue(state: 'flow value' | 'flow empty value'): YamlEvent {
    const { scanner } = this;
    let token = scanner.peek();
    if (state === 'flow value' && token.type === 'value') {
      scanner.take();
      token = scanner.peek();
      if (token.type !== 'flow entry' && token.type !== '}') return this.nodeThen('flow key', { block: false });
    }
    return this.emptyScalar(token.start, 'flow key');
  }
}

interface Collection {
  readonly type: 'sequence' | 'mapping';
  readonly state: State;
  /** Allowed in a flow collection. */
  readonly inFlow: boolean;
}

const collections: ReadonlyMap<Token['type'], Collection> = new Map([
  ['[', { type: 'sequence', state: 'flow sequence start', inFlow: true }],
  ['{', { type: 'mapping', state: 'flow key start', inFlow: true }],
  ['block sequence start', { type: 'sequence', state: 'block sequence', inFlow: false }],
  ['block mapping start', { type: 'mapping', state: 'block key', inFlow: false }],
] as const);

function isDocumentBoundary({ type }: Token): boolean {
  return (
    type === 'version directive' ||
    type === 'tag directive' ||
    type === 'document start' ||
    type === 'document end' ||
    type === 'stream end'
  );
}

function endsBlockEntry(type: Token['type']): boolean {
  return type === 'key' || type === 'value' || type === 'block end';
}

function endsFlowEntry(type: Token['type']): boolean {
  return type === 'flow entry' || type === ']';
}

function failAt({ start }: Token, problem: string): YamlError {
  return parserError(start.line, problem);
}
