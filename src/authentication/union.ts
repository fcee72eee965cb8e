import type { Authenticator, Identity } from '../api/authentication.ts';
import { StatusError } from '../api/status.ts';

type Answer = Identity | undefined | Promise<Identity | undefined>;

/** The first authenticator that knows the user ends the search; a refusal counts only when nobody knows the user. */
export function unionAuthenticator<Shown>(authenticators: readonly Authenticator<Shown>[]): Authenticator<Shown> {
  return { authenticate: (shown) => ask(authenticators, shown, { from: 0, refusal: undefined }) };
}

/** How far it is: whom to ask next, and who has refused last. */
interface Asked {
  readonly from: number;
  readonly refusal: StatusError | undefined;
}

/** Answers at once as long as the authenticators do. */
function ask<Shown>(authenticators: readonly Authenticator<Shown>[], shown: Shown, asked: Asked): Answer {
  let { refusal } = asked;
  for (let index = asked.from; index < authenticators.length; index += 1) {
    try {
      const answer = authenticators[index]?.authenticate(shown);
      if (answer instanceof Promise) return askLater(authenticators, shown, { answer, from: index + 1, refusal });
      if (answer !== undefined) return answer;
    } catch (error) {
      refusal = refusalOf(error);
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

async function askLater<Shown>(
  authenticators: readonly Authenticator<Shown>[],
  shown: Shown,
  { answer, from, refusal }: { readonly answer: Promise<Identity | undefined> } & Asked,
): Promise<Identity | undefined> {
  let after = refusal;
  try {
    const late = await answer;
    if (late !== undefined) return late;
  } catch (error) {
    after = refusalOf(error);
  }
  return ask(authenticators, shown, { from, refusal: after });
}

function refusalOf(error: unknown): StatusError {
  if (!(error instanceof StatusError)) throw error;
  return error;
}
