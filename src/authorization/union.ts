import type { AuthorizationAttributes, AuthorizationResult, Authorizer, GrantedRules } from '../api/authorization.ts';

/** An authorizer by the name that reasons give it. */
export interface NamedAuthorizer {
  readonly name: string;
  readonly authorizer: Authorizer;
}

/** Asks in order; the first that has an opinion decides. Otherwise the reasons are joined, each with the name of whose it is. */
export function unionAuthorizer(authorizers: readonly NamedAuthorizer[]): Required<Authorizer> {
  return {
    authorize: (attributes) => ask(authorizers, attributes, { from: 0, reasons: [] }),
    rulesOf: async (user, namespace) =>
      joined(await Promise.all(authorizers.map(async ({ authorizer }) => authorizer.rulesOf?.(user, namespace)))),
  };
}

/** Answers at once as long as the authorizers do. */
function ask(
  authorizers: readonly NamedAuthorizer[],
  attributes: AuthorizationAttributes,
  asked: { readonly from: number; readonly reasons: readonly string[] },
): AuthorizationResult | Promise<AuthorizationResult> {
  let { reasons } = asked;
  for (let index = asked.from; index < authorizers.length; index += 1) {
    const asking = authorizers[index];
    if (asking === undefined) break;
    const noted = ({ reason }: AuthorizationResult): readonly string[] =>
      reason === '' ? reasons : [...reasons, `${asking.name}: ${reason}`];
    const result = asking.authorizer.authorize(attributes);
    if (result instanceof Promise) {
      return result.then((late) =>
        late.decision === 'no-opinion' ? ask(authorizers, attributes, { from: index + 1, reasons: noted(late) }) : late,
      );
    }
    if (result.decision !== 'no-opinion') return result;
    reasons = noted(result);
  }
  return { decision: 'no-opinion', reason: reasons.join('\n') };
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
