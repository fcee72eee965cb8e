import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../api/authorization.ts';

/** Asks in order; the first that has an opinion decides. The reasons of those that had none are joined. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return { authorize: (attributes) => ask(authorizers, attributes, { from: 0, reasons: [] }) };
}

/** Answers at once as long as the authorizers do. */
function ask(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
  asked: { readonly from: number; readonly reasons: readonly string[] },
): AuthorizationResult | Promise<AuthorizationResult> {
  let { reasons } = asked;
  const noted = ({ reason }: AuthorizationResult): readonly string[] =>
    reason === '' ? reasons : [...reasons, reason];
  for (let index = asked.from; index < authorizers.length; index += 1) {
    const result = authorizers[index]?.authorize(attributes);
    if (result === undefined) break;
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
