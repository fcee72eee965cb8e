import type { Said, Showing } from './ask-who.ts';

/** Credentials and the expected user: a name, then `uid=`, `groups=` and extras. */
export interface CredentialRow extends Showing {
  readonly name: string;
  readonly said: Said;
}
