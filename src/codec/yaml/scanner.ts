import { Cursor, end, isBlank, isBlankOrEnd, isBreakCode, type Mark } from './cursor.ts';
import type { YamlText } from './decode-text.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-tags.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalars.ts';
import { type PlainTokenType, type Token, TokenQueue } from './tokens.ts';

/*
 * Tokenises YAML 1.1. The difficulty: a block mapping is recognised only at its first `:`, so tokens are held back
 * until it is clear that no key begins with them.
 *
 *   a: [b]      block mapping start, key, scalar a, value, [, scalar b, ], block end
 */

const maxFlowLevel = 10_000;
const maxIndents = 10_000;
/** Maximum length of an implicit key, which is on one line. */
const maxKeyCharacters = 1024;

/** A position where a key may begin. */
interface PossibleKey {
  /** Number of the token that the key begins with. */
  readonly token: number;
  readonly start: Mark;
  /** A key is required here, as the line starts in the column of a block. */
  readonly required: boolean;
  /** Until it is ruled out. */
  possible: boolean;
}

export class Scanner {
  private readonly cursor: Cursor;
  private readonly queue = new TokenQueue();
  /** Column of the block; -1 outside of any. */
  private indent = -1;
  private readonly outerIndents: number[] = [];
  /** The possible key of each open flow collection, and that of the enclosing block. */
  private readonly keys: (PossibleKey | undefined)[] = [undefined];
  private readonly keyByToken = new Map<number, PossibleKey>();
  private keyAllowed = true;

  constructor(text: YamlText) {
    this.cursor = new Cursor(text);
  }

  /** The next token. Throws YamlError. */
  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.queue.peek();
  }

  take(): Token {
    this.peek();
    return this.queue.take();
  }

  private get inFlow(): boolean {
    return this.keys.length > 1;
  }

  private needsMore(): boolean {
    if (this.queue.isEmpty) return true;
    const key = this.keyByToken.get(this.queue.first);
    return key !== undefined && this.isPossible(key);
  }

  /** Whether the key that began there is still possible. */
  private isPossible(key: PossibleKey): boolean {
    const { index, line } = this.cursor;
    if (!key.possible || (key.start.line === line && index <= key.start.index + maxKeyCharacters)) return key.possible;
    if (key.required) throw this.cursor.fail("could not find expected ':'");
    key.possible = false;
    return false;
  }

  private fetch(): void {
    const { cursor } = this;
    this.skipToToken();
    this.unrollIndent(cursor.column);
    const next = cursor.peek();
    if (next === end) return this.fetchStreamEnd();
    if (cursor.column === 0 && next === '%') return this.fetchDirective();
    if (cursor.atDocumentMark()) return this.fetchDocumentMark(next === '-' ? 'document start' : 'document end');
    switch (next) {
      case '[':
      case '{':
        return this.fetchFlowStart(next);
      case ']':
      case '}':
        return this.fetchFlowEnd(next);
      case ',':
        this.dropKey();
        this.keyAllowed = true;
        return this.pushIndicator('flow entry');
      case '*':
      case '&':
        this.saveKey();
        this.keyAllowed = false;
        return this.queue.push(scanAnchor(cursor, next === '*' ? 'alias' : 'anchor'));
      case '!':
        this.saveKey();
        this.keyAllowed = false;
        return this.queue.push(scanTag(cursor));
      case "'":
      case '"':
        this.saveKey();
        this.keyAllowed = false;
        return this.queue.push(scanQuoted(cursor, next));
      default:
        return this.fetchOther(next);
    }
  }

  /** Context-dependent indicators, and plain scalars. */
  private fetchOther(next: string): void {
    const { cursor, inFlow } = this;
    const beforeBlank = isBlankOrEnd(cursor.peek(1));
    if (next === '-' && beforeBlank) return this.fetchBlockEntry();
    if (next === '?' && (inFlow || beforeBlank)) return this.fetchKey();
    if (next === ':' && (inFlow || beforeBlank)) return this.fetchValue();
    if ((next === '|' || next === '>') && !inFlow) {
      this.dropKey();
      this.keyAllowed = true;
      return this.queue.push(scanBlock(cursor, this.indent));
    }
    if (isBlank(next) || '#|>%@`'.includes(next)) throw cursor.fail('found character that cannot start any token');
    return this.fetchPlain();
  }

  private skipToToken(): void {
    const { cursor } = this;
    for (;;) {
      // Tabs may separate tokens, but not serve as indentation.
      if (this.inFlow || !this.keyAllowed) cursor.skipBlanks();
      else cursor.skipSpaces();
      cursor.skipComment();
      if (!isBreakCode(cursor.code())) return;
      cursor.takeBreak();
      if (!this.inFlow) this.keyAllowed = true;
    }
  }

  private pushIndicator(type: PlainTokenType, width = 1): void {
    this.queue.push({ type, start: this.cursor.mark });
    this.cursor.skip(width);
  }

  /** Remembers that a key may begin here. */
  private saveKey(): void {
    if (!this.keyAllowed) return;
    const { cursor, queue } = this;
    this.dropKey();
    const required = !this.inFlow && this.indent === cursor.column;
    const key: PossibleKey = { token: queue.next, start: cursor.mark, required, possible: true };
    this.keys[this.keys.length - 1] = key;
    this.keyByToken.set(key.token, key);
  }

  /** Rules out the key that may have begun here. */
  private dropKey(): void {
    const key = this.keys.at(-1);
    if (key?.possible !== true) return;
    if (key.required) throw this.cursor.fail("could not find expected ':'");
    this.forgetKey(key);
  }

  private forgetKey(key: PossibleKey): void {
    key.possible = false;
    this.keyByToken.delete(key.token);
  }

  /** Opens a block at `column`; its token is inserted before token `before`, or appended. */
  private rollIndent(column: number, type: PlainTokenType, start: Mark, before = this.queue.next): void {
    if (this.inFlow || this.indent >= column) return;
    this.outerIndents.push(this.indent);
    this.indent = column;
    if (this.outerIndents.length > maxIndents) throw this.cursor.fail(`exceeded max depth of ${maxIndents}`);
    this.queue.insert(before, { type, start });
  }

  /** Closes the blocks deeper than `column`. */
  private unrollIndent(column: number): void {
    if (this.inFlow) return;
    while (this.indent > column) {
      this.queue.push({ type: 'block end', start: this.cursor.mark });
      this.indent = this.outerIndents.pop() ?? -1;
    }
  }

  private fetchStreamEnd(): void {
    this.cursor.endLine();
    this.unrollIndent(-1);
    this.dropKey();
    this.keyAllowed = false;
    this.queue.push({ type: 'stream end', start: this.cursor.mark });
  }

  private fetchDirective(): void {
    this.unrollIndent(-1);
    this.dropKey();
    this.keyAllowed = false;
    this.queue.push(scanDirective(this.cursor));
  }

  private fetchDocumentMark(type: PlainTokenType): void {
    this.unrollIndent(-1);
    this.dropKey();
    this.keyAllowed = false;
    this.pushIndicator(type, 3);
  }

  private fetchFlowStart(type: '[' | '{'): void {
    this.saveKey();
    const { mark } = this.cursor;
    this.keys.push({ token: this.queue.next, start: mark, required: false, possible: false });
    if (this.keys.length > maxFlowLevel + 1) throw this.cursor.fail(`exceeded max depth of ${maxFlowLevel}`);
    this.keyAllowed = true;
    this.pushIndicator(type);
  }

  private fetchFlowEnd(type: ']' | '}'): void {
    this.dropKey();
    // For an empty collection that is its own opening token: it cannot be a key, as in the reference.
    if (this.inFlow) this.keyByToken.delete(this.keys.pop()?.token ?? -1);
    this.keyAllowed = false;
    this.pushIndicator(type);
  }

  private fetchBlockEntry(): void {
    if (!this.inFlow) {
      if (!this.keyAllowed) throw this.cursor.fail('block sequence entries are not allowed in this context');
      this.rollIndent(this.cursor.column, 'block sequence start', this.cursor.mark);
    }
    this.dropKey();
    this.keyAllowed = true;
    this.pushIndicator('block entry');
  }

  private fetchKey(): void {
    if (!this.inFlow) {
      if (!this.keyAllowed) throw this.cursor.fail('mapping keys are not allowed in this context');
      this.rollIndent(this.cursor.column, 'block mapping start', this.cursor.mark);
    }
    this.dropKey();
    this.keyAllowed = !this.inFlow;
    this.pushIndicator('key');
  }

  private fetchValue(): void {
    const { cursor, queue } = this;
    const key = this.keys.at(-1);
    if (key !== undefined && this.isPossible(key)) {
      queue.insert(key.token, { type: 'key', start: key.start });
      this.rollIndent(key.start.column, 'block mapping start', key.start, key.token);
      this.forgetKey(key);
      this.keyAllowed = false;
    } else {
      if (!this.inFlow) {
        if (!this.keyAllowed) throw cursor.fail('mapping values are not allowed in this context');
        this.rollIndent(cursor.column, 'block mapping start', cursor.mark);
      }
      this.keyAllowed = !this.inFlow;
    }
    this.pushIndicator('value');
  }

  private fetchPlain(): void {
    this.saveKey();
    this.keyAllowed = false;
    const scalar = scanPlain(this.cursor, { indent: this.indent, inFlow: this.inFlow });
    this.queue.push(scalar);
    if (scalar.endsLine) this.keyAllowed = true;
  }
}
