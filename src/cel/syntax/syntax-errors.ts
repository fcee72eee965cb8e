import type { Issue } from '../source.ts';
import { expected, grammar, Graph, type Part, type RuleName, type State } from './grammar.ts';
import { expectedTokens, nextTokens, recoveryTokens, type Stack } from './lookahead.ts';
import { predict } from './prediction.ts';
import type { LexicalError, Token, TokenType } from './token.ts';

// Syntax errors as clients see them. The reference's parser is generated, and so are its messages: this one follows
// its decisions, collects the errors it would report, and builds nothing.

let graph: Graph | undefined;

export function syntaxIssues(
  text: string,
  tokens: readonly Token[],
  errors: readonly LexicalError[],
): readonly Issue[] {
  graph ??= new Graph();
  const reader = new Reader(graph, withoutErrors(text, errors), tokens);
  const lexical = errors.map((error) => ({
    at: error.at,
    message: `Syntax error: token recognition error at: '${error.text}'`,
  }));
  return [...lexical, ...reader.read()];
}

/** The characters of the source, without those that are in no token. */
function withoutErrors(text: string, errors: readonly LexicalError[]): readonly string[] {
  const units = text.split('');
  for (const error of errors) units.fill('', error.at, error.at + error.text.length);
  return units;
}

/** Reasons to leave a rule early. */
class RuleError extends Error {
  readonly report: string;

  constructor(report: string) {
    super(report);
    this.report = report;
  }
}

/** Error reporting has stopped. */
class GivenUp extends Error {}

const maxRecoveries = 30;
const maxSkipped = 256;
const maxIssues = 100;
/** Token budget of predictions; each token takes up to 0.1 ms. For very long invalid sources, reporting stops there. */
const maxLooks = 5000;

/** In the order of their numbers in the grammar, as in messages. */
const order: readonly TokenType[] = [
  ...([
    'EOF',
    '==',
    '!=',
    'in',
    '<',
    '<=',
    '>=',
    '>',
    '&&',
    '||',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '.',
    ',',
    '-',
  ] as const),
  ...(['!', '?', ':', '+', '*', '/', '%', 'true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT'] as const),
  ...(['STRING', 'BYTES', 'IDENTIFIER', 'ESC_IDENTIFIER'] as const),
];

/** Reads a part of the grammar; yields the readings of the parts in it. */
type ParseSteps = Generator<ParseSteps, void>;

/** Reads a part and those in it, which may be nested more deeply than the stack permits. */
function readAll(outermost: ParseSteps): void {
  const open = [outermost];
  let failure: { readonly error: unknown } | undefined;
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    try {
      const step = failure === undefined ? current.next() : current.throw(failure.error);
      failure = undefined;
      if (step.done === true) open.pop();
      else open.push(step.value);
    } catch (error) {
      failure = { error };
      open.pop();
    }
  }
  if (failure !== undefined) throw failure.error;
}

class Reader {
  readonly #graph: Graph;
  /** The characters of the source, without those that are in no token. */
  readonly #text: readonly string[];
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[] = [];
  #position = 0;
  #state: State;
  #stack: Stack | undefined;
  /** After an error nothing is reported until a token matches again. */
  #isRecovering = false;
  #lastErrorAt = -1;
  #lastErrorStates = new Set<State>();
  #recoveries = 0;
  #looks = 0;

  constructor(graph: Graph, text: readonly string[], tokens: readonly Token[]) {
    this.#graph = graph;
    this.#text = text;
    this.#tokens = tokens;
    this.#state = graph.start('start');
  }

  read(): readonly Issue[] {
    try {
      readAll(this.#rule('start', 0));
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
    return this.#issues;
  }

  #token(ahead = 0): Token {
    return expected(this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]);
  }

  #consume(): void {
    if (this.#position < this.#tokens.length - 1) this.#position += 1;
  }

  #report(message: string, at = this.#token().at): void {
    if (this.#issues.length >= maxIssues) {
      this.#issues.push({ at, message: `Syntax error: More than ${maxIssues} syntax errors` });
      throw new GivenUp();
    }
    this.#issues.push({ at, message: `Syntax error: ${message}` });
  }

  *#rule(name: RuleName, precedence: number): ParseSteps {
    const { at } = this.#token();
    try {
      yield this.#part(grammar[name], precedence);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      if (!this.#isRecovering) {
        this.#isRecovering = true;
        this.#report(error.report, error instanceof PlacedError ? error.at : undefined);
      }
      this.#recover();
      // Reported by the builder, which skips malformed maps and messages.
      if (name === 'escapeIdent' && !this.#isInBraces()) this.#issues.push({ at, message: 'unsupported ident kind' });
    }
  }

  #isInBraces(): boolean {
    let open = this.#stack;
    while (open !== undefined && !/^(?:map|field)Init$/.test(open.follow.rule)) open = open.outer;
    return open !== undefined;
  }

  *#part(part: Part, precedence: number): ParseSteps {
    switch (part.kind) {
      case 'sequence':
        for (const each of part.parts) yield this.#part(each, precedence);
        return;
      case 'precedence':
        return;
      case 'token':
        this.#state = expected(part.state);
        this.#match(new Set(part.tokens));
        return;
      case 'rule':
        yield this.#call(part);
        return;
      case 'optional':
        this.#enter(part.state);
        if (this.#isFirstOf(part.part)) yield this.#part(part.part, precedence);
        return;
      case 'choice':
        yield this.#choose(part, precedence);
        return;
      case 'loop':
        yield this.#loop(part, precedence);
    }
  }

  *#call(part: Part & { readonly kind: 'rule' }): ParseSteps {
    const state = expected(part.state);
    const outer = this.#stack;
    this.#state = state;
    this.#stack = { follow: expected(state.edges[0]).to, outer };
    // The grammar refers to its own rules only.
    yield this.#rule(part.rule as RuleName, part.precedence);
    this.#stack = outer;
    this.#state = state;
  }

  #enter(state: State | undefined): void {
    this.#state = expected(state);
    this.#sync();
  }

  #isFirstOf(part: Part): boolean {
    const first = firstState(part);
    return nextTokens(this.#graph, first).tokens.has(this.#token().type);
  }

  *#choose(part: Part & { readonly kind: 'choice' }, precedence: number): ParseSteps {
    this.#enter(part.state);
    if (!part.isSimple) {
      const chosen = this.#predict(expected(part.state), precedence);
      yield this.#part(expected(part.parts[chosen - 1]), precedence);
      return;
    }
    const fitting = part.parts.find((each) => this.#isFirstOf(each));
    if (fitting === undefined) throw this.#noWay(this.#position);
    yield this.#part(fitting, precedence);
  }

  *#loop(part: Part & { readonly kind: 'loop' }, precedence: number): ParseSteps {
    const { state, back, atLeastOnce, isSimple } = part;
    this.#enter(state);
    let goesOn = atLeastOnce || this.#goesOn(part, isSimple, precedence);
    while (goesOn) {
      if (!atLeastOnce && part.part.kind !== 'choice') this.#state = expected(state);
      yield this.#part(part.part, precedence);
      this.#enter(back);
      goesOn = this.#goesOn(part, isSimple, precedence);
    }
  }

  #goesOn(part: Part & { readonly kind: 'loop' }, isSimple: boolean, precedence: number): boolean {
    if (isSimple) return this.#isFirstOf(part.part);
    return this.#predict(expected(part.atLeastOnce ? part.back : part.state), precedence) === 1;
  }

  #predict(state: State, precedence: number): number {
    const typeAt = (ahead: number): TokenType => {
      this.#looks += 1;
      if (this.#looks > maxLooks) this.#giveUp();
      return this.#token(ahead).type;
    };
    const prediction = predict({ graph: this.#graph, state, typeAt, precedence, stack: this.#stack });
    if ('alternative' in prediction) return prediction.alternative;
    throw this.#noWay(this.#position, this.#position + prediction.failsAt);
  }

  #giveUp(): never {
    if (this.#issues.length === 0) this.#report(`no viable alternative at input '${this.#token().text}'`);
    throw new GivenUp();
  }

  /** From the first token of the decision to the one at which all alternatives fail. */
  #noWay(from: number, to = from): RuleError {
    const [first, last] = [expected(this.#tokens[from]), expected(this.#tokens[Math.min(to, this.#tokens.length - 1)])];
    const end = last.type === 'EOF' ? last.at : last.at + last.text.length;
    const input = first.type === 'EOF' ? '<EOF>' : this.#text.slice(first.at, end).join('');
    const written = input.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    const reserved = /^\.(true|false|null)$/.exec(written)?.[1];
    const isAt = last.at;
    const message =
      reserved === undefined
        ? `no viable alternative at input '${written}'`
        : `mismatched input '${reserved}' expecting IDENTIFIER`;
    return new PlacedError(message, isAt);
  }

  #match(types: ReadonlySet<TokenType>): void {
    if (types.has(this.#token().type)) {
      this.#fits();
      this.#consume();
      return;
    }
    this.#countRecovery();
    if (this.#skipped()) {
      this.#consume();
      return;
    }
    if (!this.#isMissing()) throw this.#mismatch();
  }

  #fits(): void {
    this.#isRecovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorStates = new Set();
  }

  #mismatch(): RuleError {
    return new RuleError(`mismatched input ${this.#shown()} expecting ${this.#expected()}`);
  }

  /** Deletes an extra token if the next one matches. */
  #skipped(): boolean {
    if (!expectedTokens(this.#graph, this.#state, this.#stack).has(this.#token(1).type)) return false;
    this.#reportUnwanted();
    this.#consume();
    this.#fits();
    return true;
  }

  /** Inserts a missing token if this one matches after it. */
  #isMissing(): boolean {
    const { to } = expected(this.#state.edges[0]);
    if (!expectedTokens(this.#graph, to, this.#stack).has(this.#token().type)) return false;
    if (!this.#isRecovering) {
      this.#isRecovering = true;
      this.#report(`missing ${this.#expected()} at ${this.#shown()}`);
    }
    return true;
  }

  #reportUnwanted(): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#report(`extraneous input ${this.#shown()} expecting ${this.#expected()}`);
  }

  #shown(): string {
    const { type, text } = this.#token();
    const written = text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    return type === 'EOF' ? "'<EOF>'" : `'${written}'`;
  }

  #expected(): string {
    const tokens = expectedTokens(this.#graph, this.#state, this.#stack);
    const names = order.filter((type) => tokens.has(type)).map(nameOf);
    return names.length === 1 ? expected(names[0]) : `{${names.join(', ')}}`;
  }

  /** Before a decision: skips tokens that cannot start any alternative. */
  #sync(): void {
    if (this.#isRecovering) return;
    const next = nextTokens(this.#graph, this.#state);
    if (next.atEnd || next.tokens.has(this.#token().type)) return;
    if (this.#state.kind === 'loop-back') {
      this.#reportUnwanted();
      const wanted = expectedTokens(this.#graph, this.#state, this.#stack);
      this.#skipTo(new Set([...wanted, ...recoveryTokens(this.#graph, this.#stack)]), Infinity);
    } else if (!this.#skipped()) {
      throw this.#mismatch();
    }
  }

  #recover(): void {
    this.#countRecovery();
    let skipped = 0;
    if (this.#lastErrorAt === this.#position && this.#lastErrorStates.has(this.#state)) {
      this.#consume();
      skipped = 1;
    }
    this.#lastErrorAt = this.#position;
    this.#lastErrorStates.add(this.#state);
    this.#skipTo(recoveryTokens(this.#graph, this.#stack), maxSkipped - skipped);
  }

  #skipTo(wanted: ReadonlySet<TokenType>, most: number): void {
    for (let skipped = 0; ; skipped += 1) {
      const { type } = this.#token();
      if (type === 'EOF' || wanted.has(type)) return;
      if (skipped >= most) {
        this.#issues.push({ at: undefined, message: `error recovery token lookahead limit exceeded: ${maxSkipped}` });
        throw new GivenUp();
      }
      this.#consume();
    }
  }

  #countRecovery(): void {
    this.#recoveries += 1;
    if (this.#recoveries <= maxRecoveries) return;
    this.#report(`error recovery attempt limit exceeded: ${maxRecoveries}`);
    throw new GivenUp();
  }
}

/** An error reported at a position other than the current one. */
class PlacedError extends RuleError {
  readonly at: number;

  constructor(report: string, at: number) {
    super(report);
    this.at = at;
  }
}

function nameOf(type: TokenType): string {
  if (type === 'EOF') return '<EOF>';
  return /^[A-Z]/.test(type) ? type : `'${type}'`;
}

function firstState(part: Part): State {
  if (part.kind !== 'sequence') return expected(part.state);
  return firstState(expected(part.parts[0]));
}
