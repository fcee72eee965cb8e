import type { AuthorizationAttributes, AuthorizationResult, Authorizer, GrantedRules } from '../api/authorization.ts';
import { joinedErrors } from '../api/error-texts.ts';

/** An authorizer by the name that reasons give it. */
export interface NamedAuthorizer {
  readonly name: string;
  readonly authorizer: Authorizer;
}

/** Where asking has come to: the next to ask, and what those before it have said. */
interface Asked {
  readonly next: number;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

const nobodyAsked: Asked = { next: 0, reasons: [], errors: [] };

/** Asks in order; the first that has an opinion decides. Otherwise the reasons are joined, each with the name of whose it is. */
export function unionAuthorizer(authorizers: readonly NamedAuthorizer[]): Required<Authorizer> {
  return {
    authorize: (attributes) => ask(authorizers, attributes, nobodyAsked),
    rulesOf: async (user, namespace) =>
      joined(await Promise.all(authorizers.map(async ({ authorizer }) => authorizer.rulesOf?.(user, namespace)))),
  };
}

/** Answers at once as long as the authorizers do. */
function ask(
  authorizers: readonly NamedAuthorizer[],
  attributes: AuthorizationAttributes,
  before: Asked,
): AuthorizationResult | Promise<AuthorizationResult> {
  let asked = before;
  for (let asking = authorizers[asked.next]; asking !== undefined; asking = authorizers[asked.next]) {
    const { name } = asking;
    const result = asking.authorizer.authorize(attributes);
    if (result instanceof Promise) {
      const sofar = asked;
      return result.then((late) =>
        late.decision === 'no-opinion' ? ask(authorizers, attributes, noted(sofar, name, late)) : late,
      );
    }
    if (result.decision !== 'no-opinion') return result;
    asked = noted(asked, name, result);
  }
  const { reasons, errors } = asked;
  const error = errors.length === 0 ? {} : { error: joinedErrors(errors) };
  return { decision: 'no-opinion', reason: reasons.join('\n'), ...error };
}

function noted(asked: Asked, name: string, { reason, error }: AuthorizationResult): Asked {
  return {
    next: asked.next + 1,
    reasons: reason === '' ? asked.reasons : [...asked.reasons, `${name}: ${reason}`],
    errors: error === undefined ? asked.errors : [...asked.errors, error],
  };
}

function joined(all: readonly (GrantedRules | undefined)[]): GrantedRules {
  const told = all.filter((rules) => rules !== undefined);
  return {
    resourceRules: told.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: told.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: told.some(({ incomplete }) => incomplete),
    errors: told.flatMap(({ errors }) => errors),
  };
}
