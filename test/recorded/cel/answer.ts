import { jsonPatchLibrary } from '../../../src/cel/libraries/json-patches.ts';
import {
  AuthorizerValue,
  authorizerTypes,
  type AuthorizationOutcome,
  type AuthorizationQuestion,
} from '../../../src/cel/libraries/authorizer.ts';
import { subjectEnvironment } from '../../../src/authentication/oidc/expressions.ts';
import { matchConditionEnvironment } from '../../../src/authorization/webhook/compile-match-condition.ts';
import { admissionEnvironment } from '../../../src/cel/environments/admission.ts';
import { deviceEnvironment } from '../../../src/cel/environments/device.ts';
import { mutationEnvironment } from '../../../src/cel/environments/mutation.ts';
import type { Environment } from '../../../src/cel/environments/environment.ts';
import { newExpressionEnvironment, storedExpressionEnvironment } from '../../../src/cel/environments/kubernetes.ts';
import { CelProgramError } from '../../../src/cel/program/frame.ts';
import { declaredSizes, namedType } from '../../../src/cel/schemas/declared-type.ts';
import { declaredTypeOf } from '../../../src/cel/schemas/from-json-schema.ts';
import { readerOf } from '../../../src/cel/schemas/readers.ts';
import { CelCompileError } from '../../../src/cel/source.ts';
import { types } from '../../../src/cel/types/cel-type.ts';
import type { DeclaredSize } from '../../../src/cel/cost/estimated-node.ts';
import type { Value } from '../../../src/cel/values/value.ts';
import { isError } from '../../../src/cel/values/value.ts';
import type { Evaluation, Question } from './question.ts';
import { render, typeName } from './render.ts';
import { variablesOf } from './settings.ts';

/** This server's answer to a question. */
export function answer(question: Question): Evaluation {
  try {
    return decide(question);
  } catch (error) {
    if (error instanceof CelCompileError) return { compile: error.message };
    throw error;
  }
}

interface Setting {
  readonly environment: Environment;
  readonly bindings: { readonly [name: string]: Value };
  readonly sizes: DeclaredSize;
}

function decide(question: Question): Evaluation {
  const { environment, bindings, sizes } = settingOf(question);
  const expression = environment.check(question.expression);
  const { min, max } = expression.estimate(sizes);
  const type = typeName(expression.type);
  const known = { ...(type === '' ? {} : { type }), min: String(min), max: String(max) };
  try {
    const { value, cost } = expression.program().evaluate(bindings, question.limit ?? 1_000_000);
    return { ...known, cost, ...(isError(value) ? { error: value.message } : { result: render(value) }) };
  } catch (error) {
    if (error instanceof CelProgramError) return { ...known, program: error.message };
    throw error;
  }
}

const minor = 37;

/** The environments that have types of their own, by the name of the setting. */
const environments: { readonly [setting: string]: (base: Environment) => Environment } = {
  admission: (base) => admissionEnvironment(base, { params: true }),
  mutation: (base) => mutationEnvironment(admissionEnvironment(base, { params: true })),
  authorization: () => matchConditionEnvironment(),
  claims: () => subjectEnvironment('claims'),
  user: () => subjectEnvironment('user'),
  device: () => deviceEnvironment(minor, { sharing: true, lists: true }).environment,
};

function settingOf(question: Question): Setting {
  const { version = '1.37', stored = false, patch = false } = question;
  const base = stored ? storedExpressionEnvironment() : newExpressionEnvironment(Number(version.split('.')[1]));
  let environment = patch ? base.withLibrary(jsonPatchLibrary) : base;
  const special = environments[question.setting]?.(base);
  const bindings: { [name: string]: Value } = {};
  const sizes = new Map<string, DeclaredSize>();
  for (const [name, { schema, value = null, root = false }] of Object.entries(variablesOf(question))) {
    if (name === 'authorizer') {
      if (special === undefined) environment = environment.with([[name, authorizerTypes.authorizer]]);
      bindings[name] = AuthorizerValue.of({ name: 'jane', uid: '', groups: [], extra: {} }, decision);
    } else if (schema === undefined) {
      environment = environment.with([[name, types.dyn]]);
      bindings[name] = value;
    } else {
      const declared = declaredTypeOf(schema, root);
      if (declared !== undefined) {
        const { type, structs } = namedType(declared, `type_${name}`);
        environment = environment.with([[name, type]], structs);
        sizes.set(name, declaredSizes(declared));
      }
      bindings[name] = readerOf(schema, root)(value);
    }
  }
  return { environment: special ?? environment, bindings, sizes: (path) => sizes.get(path[0] ?? '')?.(path) };
}

/** Decides like the oracle's authorizer. */
function decision(asked: AuthorizationQuestion): AuthorizationOutcome {
  const { user, verb, group = '', resource = '', subresource = '', namespace = '', name = '', path = '' } = asked;
  if (name === 'broken') return { decision: 'no-opinion', reason: '', error: 'authorizer is broken' };
  const reason = `${user.name} ${verb} ${group}/${resource}/${subresource} ${namespace}/${name} ${path}`;
  return { decision: verb === 'get' ? 'allow' : 'deny', reason };
}

/** The difference; undefined if there is none. */
export function differenceOf(expected: Evaluation, found: Evaluation): string | undefined {
  for (const key of ['compile', 'program', 'type', 'min', 'max', 'result', 'error', 'cost'] as const) {
    if (expected[key] !== found[key]) return `${key}: expected ${expected[key]}, found ${found[key]}`;
  }
  return undefined;
}
