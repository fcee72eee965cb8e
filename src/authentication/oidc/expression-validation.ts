import { domainPrefixedPath } from '../../api/validation/domain-path.ts';
import { duplicateField, type FieldError, invalidField, keyPath, requiredField } from '../../api/errors/field-error.ts';
import type {
  AuthenticationConfiguration,
  ClaimMapping,
  ClaimValidationRule,
  ExtraMapping,
  JwtAuthenticator,
} from './configuration.ts';
import { SubjectExpression, type Subject } from './expressions.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';

type Errors = Generator<FieldError, void>;

interface Written {
  readonly subject: Subject;
  readonly text: string;
  readonly isCondition: boolean;
}

/** All expressions of a configuration. */
export function expressionsOf({ jwt = [] }: AuthenticationConfiguration): readonly Pick<Written, 'subject' | 'text'>[] {
  return jwt.flatMap(({ claimMappings = {}, claimValidationRules = [], userValidationRules = [] }) => {
    const { username, groups, uid, extra = [] } = claimMappings;
    const claims = [
      ...[username, groups, uid, ...claimValidationRules].map((each) => each?.expression),
      ...extra.map(({ valueExpression }) => valueExpression),
    ];
    const of = (subject: Subject, texts: readonly (string | undefined)[]): Pick<Written, 'subject' | 'text'>[] =>
      texts.flatMap((text = '') => (text === '' ? [] : [{ subject, text }]));
    return [
      ...of('claims', claims),
      ...of(
        'user',
        userValidationRules.map(({ expression }) => expression),
      ),
    ];
  });
}

/** The compile error of an expression. */
export function* compileErrors({ subject, text, isCondition }: Written, path: string): Errors {
  try {
    SubjectExpression.compiling(subject, text, isCondition);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    yield invalidField(path, text, error.message);
  }
}

const both = "claim and expression can't both be set";

export function* validateRules(rules: readonly ClaimValidationRule[], path: string): Errors {
  const seen = { claims: new Set<string>(), expressions: new Set<string>() };
  for (const [index, rule] of rules.entries()) {
    yield* validateRule(rule, seen, keyPath(path, index));
  }
}

function* validateRule(
  { claim = '', requiredValue = '', expression = '', message = '' }: ClaimValidationRule,
  seen: { readonly claims: Set<string>; readonly expressions: Set<string> },
  path: string,
): Errors {
  if (claim !== '' && expression !== '') return yield invalidField(path, claim, both);
  if (claim === '' && expression === '') return yield requiredField(path, 'claim or expression is required');
  if (claim !== '') {
    if (message !== '') yield invalidField(`${path}.message`, message, 'may not be specified when claim is set');
    if (seen.claims.has(claim)) yield duplicateField(`${path}.claim`, claim);
    seen.claims.add(claim);
    return;
  }
  if (requiredValue !== '') {
    yield invalidField(`${path}.requiredValue`, requiredValue, 'may not be specified when expression is set');
  }
  if (seen.expressions.has(expression)) return yield duplicateField(`${path}.expression`, expression);
  seen.expressions.add(expression);
  yield* compileErrors({ subject: 'claims', text: expression, isCondition: true }, `${path}.expression`);
}

/** The claim mappings of an authenticator. */
export function* validateMappings(authenticator: JwtAuthenticator, path: string): Errors {
  const { username = {}, groups = {}, uid = {}, extra = [] } = authenticator.claimMappings ?? {};
  yield* validateMapping(username, `${path}.username`, true);
  yield* validateMapping(groups, `${path}.groups`, false);
  if ((uid.claim ?? '') !== '' && (uid.expression ?? '') !== '') yield invalidField(`${path}.uid`, '', both);
  else if ((uid.expression ?? '') !== '') yield* claimErrors(uid.expression ?? '', `${path}.uid.expression`);
  const seen = new Set<string>();
  for (const [index, mapping] of extra.entries()) {
    yield* validateExtra(mapping, seen, keyPath(`${path}.extra`, index));
  }
  if (selects(username.expression, 'email') && !checksMail(authenticator)) {
    const detail =
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
    yield invalidField(`${path}.username.expression`, username.expression, detail);
  }
}

function checksMail({ claimMappings = {}, claimValidationRules = [] }: JwtAuthenticator): boolean {
  const { username, extra = [] } = claimMappings;
  const all = [
    username?.expression,
    ...extra.map(({ valueExpression }) => valueExpression),
    ...claimValidationRules.map(({ expression }) => expression),
  ];
  for (const text of all) if (selects(text, 'email_verified')) return true;
  return false;
}

/** Expressions that do not compile are skipped here. */
function selects(text = '', claim: string): boolean {
  if (text === '') return false;
  try {
    return SubjectExpression.compiling('claims', text, false).selects(claim);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function* validateMapping(mapping: ClaimMapping, path: string, isRequired: boolean): Errors {
  const { claim = '', expression = '', prefix } = mapping;
  if (expression !== '' && claim !== '') return yield invalidField(path, '', both);
  if (expression === '' && claim === '') {
    if (isRequired) yield requiredField(path, 'claim or expression is required');
    return;
  }
  if (expression !== '') {
    if (prefix !== undefined) {
      yield invalidField(`${path}.prefix`, prefix, 'may not be specified when expression is set');
    }
    return yield* claimErrors(expression, `${path}.expression`);
  }
  if (prefix !== undefined) return;
  const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  yield requiredField(`${path}.prefix`, detail);
}

const reserved = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';

function* validateExtra({ key = '', valueExpression = '' }: ExtraMapping, seen: Set<string>, path: string): Errors {
  yield* domainPrefixedPath(key, `${path}.key`);
  if (key !== key.toLowerCase()) yield invalidField(`${path}.key`, key, 'must be lowercase');
  const [domain = ''] = key.includes('/') ? key.split('/', 1) : [];
  if (['kubernetes.io', 'k8s.io'].some((own) => domain === own || domain.endsWith(`.${own}`))) {
    yield invalidField(`${path}.key`, key, reserved);
  }
  if (seen.has(key)) return yield duplicateField(`${path}.key`, key);
  seen.add(key);
  if (valueExpression === '') return yield requiredField(`${path}.valueExpression`);
  yield* claimErrors(valueExpression, `${path}.valueExpression`);
}

function* claimErrors(text: string, path: string): Errors {
  yield* compileErrors({ subject: 'claims', text, isCondition: false }, path);
}
