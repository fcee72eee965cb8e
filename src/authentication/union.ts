import type { Authenticator, Identity } from '../api/authentication.ts';
import { StatusError } from '../api/status.ts';

type Answer = Identity | undefined | Promise<Identity | undefined>;

/** The first authenticator that knows the user ends the search; a refusal counts only when nobody knows the user. */
export function unionAuthenticator<Shown>(authenticators: readonly Authenticator<Shown>[]): Authenticator<Shown> {
  return { authenticate: (shown) => ask(authenticators, shown, { from: 0, refusal: undefined }) };
}

/** Answers at once as long as the authenticators do. */
function ask<Shown>(
  authenticators: readonly Authenticator<Shown>[],
  shown: Shown,
  asked: { readonly from: number; readonly refusal: StatusError | undefined },
): Answer {
  let { refusal } = asked;
  for (let index = asked.from; index < authenticators.length; index += 1) {
    const goOn = (after: StatusError | undefined): Answer =>
      ask(authenticators, shown, { from: index + 1, refusal: after });
    try {
      const answer = authenticators[index]?.authenticate(shown);
      if (answer instanceof Promise) {
        return answer.then(
          (late) => late ?? goOn(refusal),
          (error: unknown) => goOn(refusalOf(error)),
        );
      }
      if (answer !== undefined) return answer;
    } catch (error) {
      refusal = refusalOf(error);
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

function refusalOf(error: unknown): StatusError {
  if (!(error instanceof StatusError)) throw error;
  return error;
}
