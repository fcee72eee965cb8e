import { fieldErrorText, type FieldError, invalidField, keyPath } from '../errors/field-error.ts';
import { getOwn } from '../json/json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../meta/names.ts';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Without duplicates. */
  readonly values: readonly string[];
}

/** All requirements must match; an empty selector matches everything. */
export type LabelSelector = readonly LabelRequirement[];

/** A selector that cannot be parsed; clients see the message. */
export class SelectorSyntaxError extends Error {
  override readonly name = 'SelectorSyntaxError';
  readonly code = 'SELECTOR_SYNTAX';
}

export function matchesLabels(selector: LabelSelector, labels: { readonly [key: string]: string }): boolean {
  return selector.every((requirement) => holds(requirement, getOwn(labels, requirement.key)));
}

/** Whether a requirement accepts a label value; undefined: the label is absent. */
export function holds({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default:
      return value !== undefined && compareIntegers(value, values[0] ?? '', operator);
  }
}

const int64 = /^[+-]?\d{1,19}$/;

function compareIntegers(value: string, limit: string, operator: '>' | '<'): boolean {
  if (!int64.test(value) || !int64.test(limit)) return false;
  return operator === '>' ? BigInt(value) > BigInt(limit) : BigInt(value) < BigInt(limit);
}

type TokenKind = 'identifier' | 'end' | LabelOperator | '(' | ')' | ',';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const specialChars = '=!(),><';
const operatorTokens: ReadonlySet<string> = new Set(['=', '==', '!=', '!', '(', ')', ',', '>', '<']);
const binaryOperators: ReadonlySet<TokenKind> = new Set(['in', 'notin', '=', '==', '!=', '>', '<']);
const binaryOperatorList = 'in, notin, =, ==, !=, gt, lt';

/** Parses the query form: `app=web,tier in (a, b),!canary`. Throws a SelectorSyntaxError. */
export function parseLabelSelector(text: string): LabelSelector {
  const parser = new Parser(tokenize(text));
  const requirements = parser.parse();
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (isBlank(char)) {
      at += 1;
      continue;
    }
    const start = at;
    if (specialChars.includes(char)) {
      at += 1;
      while (at < text.length && operatorTokens.has(text.slice(start, at + 1))) at += 1;
      const symbol = text.slice(start, at);
      tokens.push({ kind: symbol as TokenKind, text: symbol });
      continue;
    }
    while (at < text.length && !specialChars.includes(text[at] ?? '') && !isBlank(text[at] ?? '')) at += 1;
    const word = text.slice(start, at);
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
  }
  return tokens;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\n';
}

const end: Token = { kind: 'end', text: '' };

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#look();
      if (next.kind === 'end') return requirements;
      if (!isWord(next) && next.kind !== '!') {
        throw new SelectorSyntaxError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      }
      try {
        requirements.push(this.#requirement());
      } catch (error) {
        if (!(error instanceof SelectorSyntaxError)) throw error;
        throw new SelectorSyntaxError(`unable to parse requirement: ${error.message}`);
      }
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',')
        throw new SelectorSyntaxError(`found '${separator.text}', expected: ',' or 'end of string'`);
      const following = this.#look();
      if (!isWord(following) && following.kind !== '!') {
        throw new SelectorSyntaxError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    let operator: LabelOperator | undefined;
    let token = this.#take();
    if (token.kind === '!') {
      operator = '!';
      token = this.#take();
    }
    // In place of a key or value, `in` and `notin` are ordinary words.
    if (!isWord(token)) throw new SelectorSyntaxError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyErrors = qualifiedNameErrors(key);
    if (keyErrors.length > 0)
      throw new SelectorSyntaxError(fieldErrorText(invalidField('<nil>', key, keyErrors.join('; '))));
    const after = this.#look().kind;
    if (after === 'end' || after === ',') operator ??= 'exists';
    if (operator !== undefined) return checked({ key, operator, values: [] });
    const binary = this.#take();
    if (!binaryOperators.has(binary.kind)) {
      throw new SelectorSyntaxError(`found '${binary.text}', expected: ${binaryOperatorList}`);
    }
    // The set above contains operators only.
    const kind = binary.kind as LabelOperator;
    const values = kind === 'in' || kind === 'notin' ? this.#values() : [this.#value()];
    return checked({ key, operator: kind, values: [...new Set(values)].sort() });
  }

  #value(): string {
    const next = this.#look();
    if (next.kind === 'end' || next.kind === ',') return '';
    const token = this.#take();
    if (!isWord(token)) throw new SelectorSyntaxError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #values(): string[] {
    const open = this.#take();
    if (open.kind !== '(') throw new SelectorSyntaxError(`found '${open.text}' expected: '('`);
    const first = this.#look();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (!isWord(first) && first.kind !== ',') {
      throw new SelectorSyntaxError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      if (isWord(token)) {
        values.push(token.text);
        const next = this.#look();
        if (next.kind === ')') break;
        if (next.kind !== ',') throw new SelectorSyntaxError(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0) values.push('');
        const next = this.#look();
        if (next.kind === ',' || next.kind === ')') values.push('');
        if (next.kind === ')') break;
      } else {
        throw new SelectorSyntaxError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
    this.#take();
    return values;
  }

  #look(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #take(): Token {
    const token = this.#look();
    this.#at += 1;
    return token;
  }
}

function isWord({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'in' || kind === 'notin';
}

/** The most invalid values reported per requirement. */
const maxErrors = 1_000;

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const errors: FieldError[] = [];
  if (operator === '>' || operator === '<') {
    for (const [index, value] of values.entries()) {
      if (int64.test(value)) continue;
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(invalidField(keyPath('values', index), value, detail));
    }
  }
  for (const [index, value] of values.entries()) {
    const texts = labelValueErrors(value);
    if (texts.length > 0) errors.push(invalidField(keyPath(keyPath('values', index), key), value, texts.join('; ')));
    // An error message need not be longer than a request may be.
    if (errors.length === maxErrors) break;
  }
  if (errors.length === 0) return requirement;
  const texts = errors.map(fieldErrorText);
  throw new SelectorSyntaxError(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}
