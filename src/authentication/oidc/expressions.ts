import type { UserInfo } from '../../api/contracts/user.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { type Compiled, compileAny, compileEach } from '../../cel/compile-all.ts';
import { type CompiledExpression, ExpressionError } from '../../cel/compile-expression.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { listType, mapType, structType, types } from '../../cel/types/cel-type.ts';
import { isList, itemsOf } from '../../cel/values/collections.ts';
import { isError, type Value } from '../../cel/values/value.ts';
import { claimValue } from './claim-values.ts';

/** The variables of an expression. */
export type Subject = 'claims' | 'user';

const texts = listType(types.string);
const userFields = new Map([
  ['username', types.string],
  ['uid', types.string],
  ['groups', texts],
  ['extra', mapType(types.string, texts)],
]);

const environments: { [subject in Subject]?: Environment } = {};

export function subjectEnvironment(subject: Subject): Environment {
  const base = storedExpressionEnvironment();
  return (environments[subject] ??=
    subject === 'claims'
      ? base.with([['claims', mapType(types.string, types.any)]], [])
      : base.with(
          [['user', structType('kubernetes.UserInfo')]],
          [{ name: 'kubernetes.UserInfo', fields: userFields }],
        ));
}

/** The compiled expressions of a configuration that is being read, by subject and text. */
const compiledAhead = new Map<string, Compiled>();

/** Compiles the expressions of a changed configuration, of which there may be thousands, while requests are served. */
export async function compileAhead(written: readonly SubjectText[]): Promise<void> {
  await compileEach(written.map(sourceOf), (compiled, { subject, text }) => {
    compiledAhead.set(`${subject} ${text}`, compiled);
  });
}

/** What has been compiled ahead is in use, or has been refused. */
export function forgetCompiled(): void {
  compiledAhead.clear();
}

interface SubjectText {
  readonly subject: Subject;
  readonly text: string;
}

function sourceOf({ subject, text }: SubjectText) {
  return { environment: subjectEnvironment(subject), subject, text };
}

/** No cost limit: administrators write these expressions. */
const noLimit = Number.MAX_SAFE_INTEGER;

/** An expression over the claims of a token, or over the user mapped from them. */
export class SubjectExpression {
  readonly text: string;
  readonly #subject: Subject;
  readonly #compiled: CompiledExpression;

  private constructor(subject: Subject, compiled: CompiledExpression) {
    this.text = compiled.text;
    this.#subject = subject;
    this.#compiled = compiled;
  }

  /** Throws an ExpressionError. `isCondition`: it must be of type bool. */
  static compiling(subject: Subject, text: string, isCondition: boolean): SubjectExpression {
    const compiled = compiledAhead.get(`${subject} ${text}`) ?? compileAny(sourceOf({ subject, text }));
    if (compiled instanceof ExpressionError) throw compiled;
    if (isCondition && compiled.expression.type.kind !== 'bool') throw new ExpressionError('must evaluate to bool');
    return new SubjectExpression(subject, compiled);
  }

  /** Whether `claims.NAME` is referenced. */
  selects(claim: string): boolean {
    return this.#compiled.expression.selects(this.#subject, claim);
  }

  /** Throws an ExpressionError when evaluation fails. */
  evaluate(about: Value): Value {
    const { value } = this.#compiled.program.evaluate({ [this.#subject]: about }, noLimit);
    if (isError(value)) throw new ExpressionError(`expression '${this.text}' resulted in error: ${value.message}`);
    return value;
  }
}

export function claimsValue(claims: JsonObject): Value {
  return claimValue(claims);
}

export function userValue({ name, uid, groups, extra }: UserInfo): Value {
  return claimValue({ username: name, uid, groups: [...groups], extra: extra as unknown as JsonValue });
}

/** A string or a list of strings; empty ones are dropped. Throws an ExpressionError. */
export function textsOf(value: Value): readonly string[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const all = isList(value) ? [...itemsOf(value)] : [undefined];
  return all
    .map((each) => {
      if (typeof each === 'string') return each;
      throw new ExpressionError('expression must return a string or a list of strings');
    })
    .filter((each) => each !== '');
}
