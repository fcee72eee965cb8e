import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  GrantedRules,
} from '../api/contracts/authorization.ts';
import { joinedErrors } from '../api/text/error-texts.ts';

/** An authorizer with its name in reasons. */
export interface NamedAuthorizer {
  readonly name: string;
  readonly authorizer: Authorizer;
}

/** Progress: the next authorizer to ask, and the reasons so far. */
interface Progress {
  readonly next: number;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

const nobodyAsked: Progress = { next: 0, reasons: [], errors: [] };

/**
 * Asks in order; the first opinion decides. Without any, the reasons are joined, each with the name of its authorizer.
 */
export function unionAuthorizer(authorizers: readonly NamedAuthorizer[]): Required<Authorizer> {
  return {
    authorize: (attributes) => ask(authorizers, attributes, nobodyAsked),
    rulesOf: async (user, namespace) =>
      joined(await Promise.all(authorizers.map(async ({ authorizer }) => authorizer.rulesOf?.(user, namespace)))),
  };
}

/** Synchronous for as long as the authorizers are. */
function ask(
  authorizers: readonly NamedAuthorizer[],
  attributes: AuthorizationAttributes,
  before: Progress,
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

function noted(asked: Progress, name: string, { reason, error }: AuthorizationResult): Progress {
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
