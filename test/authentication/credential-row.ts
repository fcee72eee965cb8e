import type { Said, Showing } from './ask-who.ts';

/** Credentials, and whom a server takes them for: a name, then `uid=`, `groups=` and what more is told of the user. */
export interface CredentialRow extends Showing {
  readonly name: string;
  readonly said: Said;
}
