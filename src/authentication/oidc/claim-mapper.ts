import { getOwn, type JsonObject } from '../../api/json/json.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { Value } from '../../cel/values/value.ts';
import { booleanClaim, ClaimError, textClaim, textsClaim } from './claims.ts';
import type { ClaimMapping, JwtAuthenticator } from './configuration.ts';
import { claimsValue, SubjectExpression, textsOf, userValue } from './expressions.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import { TokenError } from './issuer.ts';

const credentialId = 'authentication.kubernetes.io/credential-id';

interface Rule {
  readonly condition: SubjectExpression;
  readonly message: string;
}

interface Compiled {
  readonly username: SubjectExpression | undefined;
  readonly groups: SubjectExpression | undefined;
  readonly uid: SubjectExpression | undefined;
  readonly extra: readonly (readonly [key: string, value: SubjectExpression])[];
  readonly claimRules: readonly Rule[];
  readonly userRules: readonly Rule[];
}

/** Maps the claims of tokens to users, as a validated configuration says. */
export class ClaimMapper {
  readonly #config: JwtAuthenticator;
  readonly #compiled: Compiled;

  private constructor(config: JwtAuthenticator, expressions: Compiled) {
    this.#config = config;
    this.#compiled = expressions;
  }

  /** Compiles its expressions. */
  static of(config: JwtAuthenticator): ClaimMapper {
    const { username, groups, uid, extra = [] } = config.claimMappings ?? {};
    const mapped: (readonly [key: string, value: SubjectExpression])[] = [];
    for (const { key = '', valueExpression = '' } of extra) {
      mapped.push([key, SubjectExpression.compiling('claims', valueExpression, false)]);
    }
    return new ClaimMapper(config, {
      username: compiled(username),
      groups: compiled(groups),
      uid: compiled(uid),
      extra: mapped,
      claimRules: rulesOf('claims', config.claimValidationRules),
      userRules: rulesOf('user', config.userValidationRules),
    });
  }

  /** Evaluates its expressions, of which there may be thousands. Throws a TokenError. */
  userOf(claims: JsonObject): UserInfo {
    const value = claimsValue(claims);
    const user = {
      name: this.#username(claims, value),
      groups: this.#groups(claims, value),
      uid: this.#uid(claims, value),
      extra: this.#extra(claims, value),
    };
    this.#checkRequired(claims);
    checkRules(this.#compiled.claimRules, value, 'oidc: error evaluating claim validation expression');
    checkRules(this.#compiled.userRules, userValue(user), 'oidc: error evaluating user info validation rule');
    return user;
  }

  #username(claims: JsonObject, value: Value): string {
    const { username: expression } = this.#compiled;
    if (expression !== undefined) {
      const name = withContext('oidc: error evaluating username claim expression', () =>
        evaluatedString(expression, value, 'username claim expression must return a string'),
      );
      if (name === '') throw new TokenError('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { claim = '', prefix = '' } = this.#config.claimMappings?.username ?? {};
    const name = withContext(`oidc: parse username claims ${JSON.stringify(claim)}`, () => textClaim(claims, claim));
    if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
      const isVerified = withContext("oidc: parse 'email_verified' claim", () =>
        booleanClaim(claims, 'email_verified'),
      );
      if (!isVerified) throw new TokenError('oidc: email not verified');
    }
    return `${prefix}${name}`;
  }

  #groups(claims: JsonObject, value: Value): readonly string[] {
    const { claim = '', prefix = '' } = this.#config.claimMappings?.groups ?? {};
    if (claim !== '' && Object.hasOwn(claims, claim)) {
      const groups = withContext(`oidc: parse groups claim ${JSON.stringify(claim)}`, () => textsClaim(claims, claim));
      return groups.map((group) => `${prefix}${group}`);
    }
    const { groups: expression } = this.#compiled;
    if (expression === undefined) return [];
    return withContext('oidc: error evaluating group claim expression', () => textsOf(expression.evaluate(value)));
  }

  #uid(claims: JsonObject, value: Value): string {
    const { claim = '' } = this.#config.claimMappings?.uid ?? {};
    if (claim !== '')
      return withContext(`oidc: parse uid claim ${JSON.stringify(claim)}`, () => textClaim(claims, claim));
    const { uid: expression } = this.#compiled;
    if (expression === undefined) return '';
    return withContext('oidc: error evaluating uid claim expression', () =>
      evaluatedString(expression, value, 'uid claim expression must return a string'),
    );
  }

  #extra(claims: JsonObject, value: Value): UserInfo['extra'] {
    const { jti } = claims;
    const known = typeof jti === 'string' && jti !== '' ? [[credentialId, [`JTI=${jti}`]] as const] : [];
    // All are evaluated before any result is checked.
    const values: { readonly key: string; readonly expression: SubjectExpression; readonly found: Value }[] = [];
    for (const [key, expression] of this.#compiled.extra) {
      values.push({ key, expression, found: withContext('', () => expression.evaluate(value)) });
    }
    const more = values.flatMap(({ key, expression, found }) => {
      const texts = withContext(`oidc: error evaluating extra claim expression: ${expression.text}`, () =>
        textsOf(found),
      );
      return texts.length === 0 ? [] : [[key, texts] as const];
    });
    return Object.fromEntries([...known, ...more]);
  }

  #checkRequired(claims: JsonObject): void {
    for (const { claim = '', requiredValue = '' } of this.#config.claimValidationRules ?? []) {
      if (claim === '') continue;
      if (getOwn(claims, claim) === undefined) {
        throw new TokenError(`oidc: required claim ${claim} not present in ID token`);
      }
      const is = withContext(`oidc: parse claim ${claim}`, () => textClaim(claims, claim));
      if (is === requiredValue) continue;
      throw new TokenError(`oidc: required claim ${claim} value does not match. Got = ${is}, want = ${requiredValue}`);
    }
  }
}

function compiled(mapping: ClaimMapping | undefined): SubjectExpression | undefined {
  const { expression = '' } = mapping ?? {};
  return expression === '' ? undefined : SubjectExpression.compiling('claims', expression, false);
}

function rulesOf(subject: 'claims' | 'user', rules: JwtAuthenticator['userValidationRules'] = []): readonly Rule[] {
  const found: Rule[] = [];
  for (const { expression = '', message = '' } of rules) {
    if (expression === '') continue;
    found.push({ condition: SubjectExpression.compiling(subject, expression, true), message });
  }
  return found;
}

function evaluatedString(expression: SubjectExpression, about: Value, otherwise: string): string {
  const value = expression.evaluate(about);
  if (typeof value === 'string') return value;
  throw new ExpressionError(otherwise);
}

function checkRules(rules: readonly Rule[], about: Value, what: string): void {
  const values: (Rule & { readonly value: Value })[] = [];
  for (const rule of rules) {
    values.push({ ...rule, value: withContext(what, () => rule.condition.evaluate(about)) });
  }
  for (const { condition, message, value } of values) {
    if (value === true) continue;
    if (value !== false) throw new TokenError(`${what}: validation expression must return a boolean`);
    throw new TokenError(`${what}: validation expression '${condition.text}' failed: ${message}`);
  }
}

/** Adds context to failures. */
function withContext<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ClaimError || error instanceof ExpressionError)) throw error;
    throw new TokenError(what === '' ? error.message : `${what}: ${error.message}`, { cause: error });
  }
}
