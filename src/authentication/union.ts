import type { Authenticator, Identity } from '../api/contracts/authentication.ts';
import { StatusError } from '../api/errors/status.ts';

type Authenticated = Identity | undefined | Promise<Identity | undefined>;

/** The first authenticator that identifies the user wins; a rejection counts only when none does. */
export function unionAuthenticator<Shown>(authenticators: readonly Authenticator<Shown>[]): Authenticator<Shown> {
  return { authenticate: (shown) => ask(authenticators, shown, { from: 0, refusal: undefined }) };
}

/** Progress: the next authenticator to ask, and the last rejection. */
interface Progress {
  readonly from: number;
  readonly refusal: StatusError | undefined;
}

/** Synchronous for as long as the authenticators are. */
function ask<Shown>(authenticators: readonly Authenticator<Shown>[], shown: Shown, progress: Progress): Authenticated {
  let { refusal } = progress;
  for (let index = progress.from; index < authenticators.length; index += 1) {
    try {
      const identity = authenticators[index]?.authenticate(shown);
      if (identity instanceof Promise) return askLater(authenticators, shown, { identity, from: index + 1, refusal });
      if (identity !== undefined) return identity;
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
  { identity, from, refusal }: { readonly identity: Promise<Identity | undefined> } & Progress,
): Promise<Identity | undefined> {
  let after = refusal;
  try {
    const late = await identity;
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
