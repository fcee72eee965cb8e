import type { Authenticator, Credentials } from '../api/authentication.ts';
import { StatusError } from '../api/status.ts';
import type { UserInfo } from '../api/user.ts';

/** The first authenticator that tells a user ends the search; a refusal counts only when nobody else tells one. */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(credentials: Credentials): Promise<UserInfo | undefined> {
      let refusal: StatusError | undefined;
      for (const authenticator of authenticators) {
        try {
          const user = await authenticator.authenticate(credentials);
          if (user !== undefined) return user;
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          refusal = error;
        }
      }
      if (refusal !== undefined) throw refusal;
      return undefined;
    },
  };
}
