import { once } from '../../api/collections/kept-by.ts';
import { whiteSpace, withoutEdges } from '../../api/text/text-edges.ts';
import type { Environment } from '../environments/environment.ts';
import type { Expression } from '../environments/expression.ts';
import { CelProgramError } from '../program/frame.ts';
import type { Program } from '../program/program.ts';
import { type DeclaredType, declaredSizes, namedType } from '../schemas/declared-type.ts';
import { maxRequestBytes } from '../schemas/from-json-schema.ts';
import { CelCompileError } from '../source.ts';
import { FieldPathError, resolveFieldPath } from '../../schema/custom/field-path.ts';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import { type CelType, optionalType, types } from '../types/cel-type.ts';
import type { Reader } from '../values/typed.ts';

export type ValidationRule = NonNullable<JsonSchema['x-kubernetes-validations']>[number];

/** A program with its maximum cost for the declared sizes. */
export interface CostedProgram {
  readonly program: Program;
  readonly maxCost: bigint;
}

/** A rule about a value `self` and, in updates, its previous value `oldSelf`. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for an empty rule, and for one that does not compile. */
  readonly condition?: CostedProgram;
  readonly error?: string;
  /** A transition rule: evaluated for updates only, unless `oldSelf` is optional. */
  readonly usesOldSelf: boolean;
  readonly message?: CostedProgram;
  readonly messageError?: string;
  /** The reported field path below the value; empty for the value itself. */
  readonly fieldPath: string;
}

/** Maximum number of occurrences of the value in one request. */
export function maxCardinality({ minSerializedSize }: DeclaredType): number {
  return Math.floor(maxRequestBytes / (minSerializedSize + 1));
}

/** The compiled rules of one schema, and how to bind a value. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly read: Reader;
  readonly type: string;
}

export type ExpressionUse = 'rule' | 'messageExpression';

export interface RuleOptions {
  /** The type of a value of the schema. */
  readonly declared: DeclaredType;
  /** The environment of an expression; it differs between new and stored ones. */
  readonly environmentOf: (expression: string, use: ExpressionUse) => Environment;
}

/** Compiles the rules of one schema, one by one. */
export function* compiledRules(schema: JsonSchema, { declared, environmentOf }: RuleOptions): Generator<CompiledRule> {
  const compiler = new RuleCompiler(declared, environmentOf);
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    yield { ...compiler.compile(rule), fieldPath: fieldPathOf(rule, schema) };
  }
}

/** An invalid path is reported by the validation of the rule; until then the rule refers to the value. */
function fieldPathOf({ fieldPath = '' }: ValidationRule, schema: JsonSchema): string {
  try {
    return fieldPath === '' ? '' : resolveFieldPath(fieldPath, schema, { allowArrayNotation: true }).path;
  } catch (error) {
    if (error instanceof FieldPathError) return '';
    throw error;
  }
}

interface Compiled {
  readonly expression: Expression;
  readonly costed: CostedProgram;
}

class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly usesOldSelf: boolean;

  constructor(message: string, usesOldSelf = false) {
    super(message);
    this.usesOldSelf = usesOldSelf;
  }
}

/** Unique, so that no expression can name it. */
function selfTypeName(): string {
  return `selfType${process.hrtime()[1]}`;
}

/** The environment with its variables is shared by all rules of a schema. */
class RuleCompiler {
  readonly #declared: DeclaredType;
  readonly #environmentOf: RuleOptions['environmentOf'];
  readonly #environments = new Map<Environment, (isOptional: boolean) => Environment>();

  constructor(declared: DeclaredType, environmentOf: RuleOptions['environmentOf']) {
    this.#declared = declared;
    this.#environmentOf = environmentOf;
  }

  compile(rule: ValidationRule): Omit<CompiledRule, 'fieldPath'> {
    const { rule: text = '', messageExpression = '' } = rule;
    if (withoutEdges(text, whiteSpace) === '') return { rule, usesOldSelf: false };
    const isOptional = rule.optionalOldSelf === true;
    let condition: Compiled;
    try {
      condition = this.#compiled(text, isOptional, ruleTexts);
    } catch (error) {
      if (error instanceof RuleError) return { rule, usesOldSelf: error.usesOldSelf, error: error.message };
      throw error;
    }
    const compiled = { rule, condition: condition.costed, usesOldSelf: condition.expression.uses('oldSelf') };
    if (messageExpression === '') return compiled;
    try {
      const message = this.#compiled(messageExpression, isOptional, messageTexts);
      return { ...compiled, message: message.costed };
    } catch (error) {
      if (error instanceof RuleError) return { ...compiled, messageError: error.message };
      throw error;
    }
  }

  #compiled(text: string, isOptional: boolean, texts: Texts): Compiled {
    const environment = this.#environmentsOf(this.#environmentOf(text, texts.use))(isOptional);
    let expression: Expression;
    try {
      expression = environment.check(text);
    } catch (error) {
      throw error instanceof CelCompileError ? new RuleError(`${texts.compilation}: ${error.message}`) : error;
    }
    if (expression.type !== texts.type) throw new RuleError(texts.wrongType);
    try {
      const program = expression.program();
      const { max } = expression.estimate(declaredSizes(this.#declared));
      return { expression, costed: { program, maxCost: max } };
    } catch (error) {
      if (!(error instanceof CelProgramError)) throw error;
      throw new RuleError(`${texts.instantiation}: ${error.message}`, expression.uses('oldSelf'));
    }
  }

  /** Few rules have an optional oldSelf: each of the two environments is made for the first one that needs it. */
  #environmentsOf(base: Environment): (isOptional: boolean) => Environment {
    const known = this.#environments.get(base);
    if (known !== undefined) return known;
    const { type, structs } = namedType(this.#declared, selfTypeName());
    const having = (oldSelf: CelType): Environment =>
      base.with(
        [
          ['self', type],
          ['oldSelf', oldSelf],
        ],
        structs,
      );
    const [plain, optional] = [once(() => having(type)), once(() => having(optionalType(type)))];
    const of = (isOptional: boolean): Environment => (isOptional ? optional() : plain());
    this.#environments.set(base, of);
    return of;
  }
}

interface Texts {
  readonly use: ExpressionUse;
  readonly type: CelType;
  readonly wrongType: string;
  readonly compilation: string;
  readonly instantiation: string;
}

const ruleTexts: Texts = {
  use: 'rule',
  type: types.bool,
  wrongType: 'cel expression must evaluate to a bool',
  compilation: 'compilation failed',
  instantiation: 'program instantiation failed',
};

const messageTexts: Texts = {
  use: 'messageExpression',
  type: types.string,
  wrongType: 'messageExpression must evaluate to a string',
  compilation: 'messageExpression compilation failed',
  instantiation: 'messageExpression instantiation failed',
};
