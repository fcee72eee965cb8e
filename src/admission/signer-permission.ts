import type { AdmissionAttributes } from '../api/admission.ts';
import type { Authorizer } from '../api/authorization.ts';
import { goQuote } from '../api/go-quote.ts';
import { refusal } from './refusal.ts';

/** Whoever approves, signs or attests needs the right to do so for the signer, or for all signers of its domain. */
export async function demandSigner(
  attributes: AdmissionAttributes,
  authorizer: Authorizer,
  { verb, signer, what }: { readonly verb: string; readonly signer: string; readonly what: string },
): Promise<void> {
  const domain = signer.split('/', 1)[0] ?? '';
  for (const name of [signer, `${domain}/*`]) {
    const { decision, error } = await authorizer.authorize({
      ...{ user: attributes.user, verb, name, isResourceRequest: true, path: '' },
      ...{ group: 'certificates.k8s.io', version: '*', resource: 'signers', subresource: '', namespace: '' },
    });
    if (decision === 'allow' && error === undefined) return;
  }
  throw refusal(attributes, `user not permitted to ${what} ${goQuote(signer)}`);
}
