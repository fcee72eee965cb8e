import type { Authorizer } from './authorization.ts';
import type { UserInfo } from './user.ts';

/** A use of a signer of certificates, such as `sign` for `example.com/internal`. */
export interface SignerUse {
  readonly user: UserInfo;
  readonly verb: string;
  readonly signer: string;
}

/** Whether the user may do this for the signer, or for all signers of its domain. */
export async function mayUseSigner(authorizer: Authorizer, { user, verb, signer }: SignerUse): Promise<boolean> {
  const domain = signer.split('/', 1)[0] ?? '';
  for (const name of [signer, `${domain}/*`]) {
    const { decision, error } = await authorizer.authorize({
      user,
      verb,
      name,
      isResourceRequest: true,
      path: '',
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
    });
    if (decision === 'allow' && error === undefined) return true;
  }
  return false;
}
