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

const notBegun: Progress = { next: 0, reasons: [], errors: [] };

/**
 * Asks in order; the first opinion decides. Without any, the reasons are joined, each with the name of its authorizer.
 */
export function unionAuthorizer(authorizers: readonly NamedAuthorizer[]): Required<Authorizer> {
  return {
    authorize: (attributes) => ask(authorizers, attributes, notBegun),
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
  let progress = before;
  for (let asking = authorizers[progress.next]; asking !== undefined; asking = authorizers[progress.next]) {
    const { name } = asking;
    const result = asking.authorizer.authorize(attributes);
    if (result instanceof Promise) {
      const sofar = progress;
      return result.then((late) =>
        late.decision === 'no-opinion' ? ask(authorizers, attributes, noted(sofar, name, late)) : late,
      );
    }
    if (result.decision !== 'no-opinion') return result;
    progress = noted(progress, name, result);
  }
  const { reasons, errors } = progress;
  const error = errors.length === 0 ? {} : { error: joinedErrors(errors) };
  return { decision: 'no-opinion', reason: reasons.join('\n'), ...error };
}

function noted(progress: Progress, name: string, { reason, error }: AuthorizationResult): Progress {
  return {
    next: progress.next + 1,
    reasons: reason === '' ? progress.reasons : [...progress.reasons, `${name}: ${reason}`],
    errors: error === undefined ? progress.errors : [...progress.errors, error],
  };
}

function joined(all: readonly (GrantedRules | undefined)[]): GrantedRules {
  const known = all.filter((rules) => rules !== undefined);
  return {
    resourceRules: known.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: known.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: known.some(({ incomplete }) => incomplete),
    errors: known.flatMap(({ errors }) => errors),
  };
}
