import type { Issue } from '../source.ts';
import { type Element, type Entry, type Expr, type FieldInit, operators } from './ast.ts';
import { bytesLiteral, doubleLiteral, intLiteral, LiteralError, stringLiteral, uintLiteral } from './literals.ts';
import { type Macro, MacroError, macroKey } from './macro.ts';
import { DepthError, Nesting } from './nesting.ts';
import { syntaxIssues } from './syntax-errors.ts';
import type { Value } from '../values/value.ts';
import { reservedWords } from './reserved-words.ts';
import { type Token, type TokenType, tokensOf } from './token.ts';

export interface SyntaxOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  /** `a.?b`, `a[?b]` and `?` in literals. */
  readonly optionals: boolean;
}

export interface Parsed {
  readonly expr: Expr;
  /** Any error invalidates the expression. */
  readonly issues: readonly Issue[];
}

const maxCodePoints = 100_000;

/** Parses an expression. Never throws, whatever the source contains. */
export function parse(text: string, options: SyntaxOptions): Parsed {
  // A code point is one unit or two.
  const size = text.length > maxCodePoints ? [...text].length : 0;
  if (size > maxCodePoints) {
    return failed([
      { at: undefined, message: `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}` },
    ]);
  }
  const { tokens, errors } = tokensOf(text);
  const parser = new Parser(tokens, options);
  try {
    const expr = parser.parse();
    if (errors.length === 0) return { expr, issues: parser.issues };
  } catch (error) {
    if (error instanceof DepthError) return failed([...parser.issues, { at: undefined, message: error.message }]);
    if (!(error instanceof UnexpectedToken)) throw error;
  }
  return failed([...syntaxIssues(text, tokens, errors), ...parser.issues]);
}

function failed(issues: readonly Issue[]): Parsed {
  return { expr: { kind: 'literal', at: 0, value: null }, issues };
}

/** Invalid syntax; another parser finds the message for clients. */
class UnexpectedToken extends Error {
  override readonly name = 'UnexpectedToken';
}

const relations: ReadonlyMap<TokenType, string> = new Map([
  ['<', operators.less],
  ['<=', operators.lessEquals],
  ['>=', operators.greaterEquals],
  ['>', operators.greater],
  ['==', operators.equals],
  ['!=', operators.notEquals],
  ['in', operators.in],
]);
const sums: ReadonlyMap<TokenType, string> = new Map([
  ['+', operators.add],
  ['-', operators.subtract],
]);
const products: ReadonlyMap<TokenType, string> = new Map([
  ['*', operators.multiply],
  ['/', operators.divide],
  ['%', operators.modulo],
]);

/** Recursive descent over the tokens, in order of precedence. */
class Parser {
  readonly issues: Issue[] = [];
  readonly #tokens: readonly Token[];
  readonly #options: SyntaxOptions;
  readonly #nesting = new Nesting();
  #position = 0;

  constructor(tokens: readonly Token[], options: SyntaxOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  parse(): Expr {
    const expr = this.#expr();
    if (this.#token.type !== 'EOF') throw new UnexpectedToken();
    this.#nesting.check(expr);
    return expr;
  }

  get #token(): Token {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw new UnexpectedToken();
    return token;
  }

  #next(): Token {
    const token = this.#token;
    this.#position += 1;
    return token;
  }

  /** Consumes the token if it has the type. */
  #taken(type: TokenType): Token | undefined {
    return this.#token.type === type ? this.#next() : undefined;
  }

  #expect(type: TokenType): Token {
    const token = this.#taken(type);
    if (token === undefined) throw new UnexpectedToken();
    return token;
  }

  #expr(): Expr {
    this.#nesting.enter('expr');
    const condition = this.#or();
    const mark = this.#taken('?');
    const expr = mark === undefined ? condition : this.#conditional(mark.at, condition);
    this.#nesting.leave('expr');
    return expr;
  }

  #conditional(at: number, condition: Expr): Expr {
    const yes = this.#or();
    this.#expect(':');
    const args = [condition, yes, this.#expr()];
    return this.#nesting.made(callOf(at, operators.conditional, args), args, 1);
  }

  #or(): Expr {
    const first = this.#and();
    return this.#token.type === '||' ? this.#logic('||', first) : first;
  }

  #and(): Expr {
    const first = this.#relation();
    return this.#token.type === '&&' ? this.#logic('&&', first) : first;
  }

  /** Chains of one operator become balanced trees. */
  #logic(type: '||' | '&&', first: Expr): Expr {
    const terms = [first];
    const places: number[] = [];
    for (let operator = this.#taken(type); operator !== undefined; operator = this.#taken(type)) {
      places.push(operator.at);
      terms.push(type === '||' ? this.#and() : this.#relation());
    }
    const name = type === '||' ? operators.or : operators.and;
    return this.#nesting.made(balanced({ name, terms, places }, 0, places.length - 1), terms, 0);
  }

  #relation(): Expr {
    this.#nesting.enter('relation');
    let left = this.#sum();
    for (let name = this.#operator(relations); name !== undefined; name = this.#operator(relations)) {
      const { at } = this.#next();
      this.#nesting.enter('relation');
      left = this.#operated(at, name, [left, this.#sum()]);
      this.#nesting.leave('relation');
    }
    this.#nesting.leave('relation');
    return left;
  }

  #sum(): Expr {
    this.#nesting.enter('calc');
    let left = this.#product();
    for (let name = this.#operator(sums); name !== undefined; name = this.#operator(sums)) {
      const { at } = this.#next();
      this.#nesting.enter('calc');
      left = this.#operated(at, name, [left, this.#product()]);
      this.#nesting.leave('calc');
    }
    this.#nesting.leave('calc');
    return left;
  }

  #product(): Expr {
    let left = this.#unary();
    for (let name = this.#operator(products); name !== undefined; name = this.#operator(products)) {
      const { at } = this.#next();
      this.#nesting.enter('calc');
      left = this.#operated(at, name, [left, this.#unary()]);
      this.#nesting.leave('calc');
    }
    return left;
  }

  #operator(names: ReadonlyMap<TokenType, string>): string | undefined {
    return names.get(this.#token.type);
  }

  /** Binary operators are left-associative. */
  #operated(at: number, name: string, args: readonly Expr[]): Expr {
    return this.#nesting.made(callOf(at, name, args), args, 1);
  }

  #unary(): Expr {
    const { type, at } = this.#token;
    if (type !== '!' && type !== '-') return this.#member();
    if (type === '-' && this.#isNumber(1)) return this.#member();
    let count = 0;
    while (this.#taken(type) !== undefined) count += 1;
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.#nesting.made(callOf(at, type === '!' ? operators.not : operators.negate, [operand]), [operand], 0);
  }

  #isNumber(ahead: number): boolean {
    const type = this.#tokens[this.#position + ahead]?.type;
    return type === 'NUM_INT' || type === 'NUM_FLOAT';
  }

  #member(): Expr {
    let operand = this.#primary();
    for (;;) {
      const { type, at } = this.#token;
      if (type !== '.' && type !== '[') return operand;
      this.#next();
      operand = type === '.' ? this.#selected(operand, at) : this.#indexed(operand, at);
    }
  }

  #selected(operand: Expr, at: number): Expr {
    const optional = this.#taken('?');
    const field = this.#next();
    if (field.type !== 'IDENTIFIER' && field.type !== 'ESC_IDENTIFIER') throw new UnexpectedToken();
    const open = optional === undefined && field.type === 'IDENTIFIER' ? this.#taken('(') : undefined;
    if (open !== undefined) {
      return this.#callOrMacro({ at: open.at, name: field.text, target: operand, args: this.#arguments() });
    }
    const name = fieldName(field);
    if (optional === undefined) {
      return this.#nesting.made({ kind: 'select', at, operand, field: name, isTest: false }, [operand], 1);
    }
    if (!this.#options.optionals) return this.#wrong(at, "unsupported syntax '.?'");
    const key: Expr = { kind: 'literal', at: field.at, value: name };
    return this.#nesting.made(callOf(at, operators.optionalSelect, [operand, key]), [operand], 1);
  }

  #indexed(operand: Expr, at: number): Expr {
    const optional = this.#taken('?');
    const index = this.#expr();
    this.#expect(']');
    if (optional !== undefined && !this.#options.optionals) return this.#wrong(at, "unsupported syntax '[?'");
    const name = optional === undefined ? operators.index : operators.optionalIndex;
    return this.#nesting.made(callOf(at, name, [operand, index]), [operand, index], 1);
  }

  #primary(): Expr {
    const token = this.#token;
    switch (token.type) {
      case '(': {
        this.#next();
        const inner = this.#expr();
        this.#expect(')');
        return inner;
      }
      case '[':
        this.#next();
        return this.#list(token.at);
      case '{':
        this.#next();
        return this.#map(token.at);
      case '.':
      case 'IDENTIFIER':
        return this.#name();
      default:
        return this.#literal();
    }
  }

  #list(at: number): Expr {
    const elements = this.#items(']', () => this.#element());
    const parts = elements.map(({ value }) => value);
    return this.#nesting.made({ kind: 'list', at, elements }, parts, 0);
  }

  #map(at: number): Expr {
    const entries = this.#items('}', () => this.#entry());
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.#nesting.made({ kind: 'map', at, entries }, parts, 0);
  }

  /** Comma-separated items with an optional trailing comma, up to the closing token. */
  #items<T>(close: ']' | '}', item: () => T): T[] {
    const items: T[] = [];
    if (this.#token.type !== close && this.#token.type !== ',') items.push(item());
    while (items.length > 0 && this.#token.type === ',' && this.#tokens[this.#position + 1]?.type !== close) {
      this.#next();
      items.push(item());
    }
    this.#taken(',');
    this.#expect(close);
    return items;
  }

  #element(): Element {
    const mark = this.#optionalMark();
    return { value: this.#expr(), isOptional: mark };
  }

  #entry(): Entry {
    const isOptional = this.#optionalMark();
    const key = this.#expr();
    const { at } = this.#expect(':');
    return { at, key, value: this.#expr(), isOptional };
  }

  #fieldInit(): FieldInit {
    const isOptional = this.#optionalMark();
    const field = this.#next();
    if (field.type !== 'IDENTIFIER' && field.type !== 'ESC_IDENTIFIER') throw new UnexpectedToken();
    const { at } = this.#expect(':');
    return { at, name: fieldName(field), value: this.#expr(), isOptional };
  }

  #optionalMark(): boolean {
    const mark = this.#taken('?');
    if (mark !== undefined && !this.#options.optionals) this.#wrong(mark.at, "unsupported syntax '?'");
    return mark !== undefined;
  }

  /** An identifier, a function call, or a message such as `a.b.C{field: 1}`. */
  #name(): Expr {
    const dot = this.#taken('.');
    const first = this.#expect('IDENTIFIER');
    const names = this.#messageName(first);
    if (names !== undefined) {
      const { at } = this.#expect('{');
      const typeName = `${dot === undefined ? '' : '.'}${names.join('.')}`;
      return { kind: 'struct', at, typeName, fields: this.#items('}', () => this.#fieldInit()) };
    }
    const open = this.#taken('(');
    const args = open === undefined ? [] : this.#arguments();
    if (reservedWords.has(first.text)) return this.#wrong(dot?.at ?? first.at, `reserved identifier: ${first.text}`);
    const name = `${dot === undefined ? '' : '.'}${first.text}`;
    if (open === undefined) return { kind: 'ident', at: first.at, name };
    return this.#callOrMacro({ at: open.at, name, target: undefined, args });
  }

  /** The parts of a name if a brace follows; consumes them. */
  #messageName(first: Token): string[] | undefined {
    const names = [first.text];
    let position = this.#position;
    while (this.#tokens[position]?.type === '.' && this.#tokens[position + 1]?.type === 'IDENTIFIER') {
      names.push(this.#tokens[position + 1]?.text ?? '');
      position += 2;
    }
    if (this.#tokens[position]?.type !== '{') return undefined;
    this.#position = position;
    return names;
  }

  /** After the opening parenthesis. */
  #arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#taken(')') !== undefined) return args;
    do args.push(this.#expr());
    while (this.#taken(',') !== undefined);
    this.#expect(')');
    return args;
  }

  #literal(): Expr {
    const { at } = this.#token;
    const sign = this.#isNumber(1) ? this.#taken('-') : undefined;
    const token = this.#next();
    const made = (value: Value | undefined, what: string): Expr =>
      value === undefined ? this.#wrong(at, `invalid ${what} literal`) : { kind: 'literal', at, value };
    switch (token.type) {
      case 'NUM_INT':
        return made(intLiteral(token.text, sign !== undefined), 'int');
      case 'NUM_UINT':
        return made(uintLiteral(token.text), 'uint');
      case 'NUM_FLOAT':
        return made(doubleLiteral(token.text, sign !== undefined), 'double');
      case 'STRING':
        return this.#unquoted(at, () => stringLiteral(token.text));
      case 'BYTES':
        return this.#unquoted(at, () => bytesLiteral(token.text));
      case 'true':
      case 'false':
        return { kind: 'literal', at, value: token.type === 'true' };
      case 'null':
        return { kind: 'literal', at, value: null };
      default:
        throw new UnexpectedToken();
    }
  }

  #unquoted(at: number, read: () => string | Uint8Array): Expr {
    try {
      return { kind: 'literal', at, value: read() };
    } catch (error) {
      if (error instanceof LiteralError) return this.#wrong(at, error.message);
      throw error;
    }
  }

  #callOrMacro({ at, name, target, args }: PlainCall): Expr {
    const parts = target === undefined ? args : [target, ...args];
    const levels = target === undefined ? 0 : 1;
    const macro = this.#options.macros.get(macroKey(name, args.length, target !== undefined));
    try {
      const none: Expr = { kind: 'list', at, elements: [] };
      const expanded = macro?.expand({ at, target: target ?? none, args });
      return this.#nesting.made(expanded ?? { kind: 'call', at, function: name, target, args }, parts, levels);
    } catch (error) {
      if (error instanceof MacroError) return this.#wrong(error.at, error.message);
      throw error;
    }
  }

  /** Records an error and continues, so that all errors are reported. */
  #wrong(at: number, message: string): Expr {
    this.issues.push({ at, message });
    return { kind: 'literal', at, value: null };
  }
}

interface PlainCall {
  readonly at: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

function callOf(at: number, name: string, args: readonly Expr[]): Expr {
  return { kind: 'call', at, function: name, target: undefined, args };
}

function fieldName({ type, text }: Token): string {
  return type === 'ESC_IDENTIFIER' ? text.slice(1, -1) : text;
}

interface LogicChain {
  readonly name: string;
  readonly terms: readonly Expr[];
  readonly places: readonly number[];
}

function balanced(chain: LogicChain, low: number, high: number): Expr {
  const middle = Math.floor((low + high + 1) / 2);
  const { name, terms, places } = chain;
  const term = (index: number): Expr => {
    const found = terms[index];
    if (found === undefined) throw new Error('a chain of operators has one more term than operators');
    return found;
  };
  if (places.length === 0) return term(0);
  const left = middle === low ? term(middle) : balanced(chain, low, middle - 1);
  const right = middle === high ? term(middle + 1) : balanced(chain, middle + 1, high);
  return { kind: 'call', at: places[middle] ?? 0, function: name, target: undefined, args: [left, right] };
}
