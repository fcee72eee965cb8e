import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { Authorizer } from '../../../api/contracts/authorization.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { mayUseSigner } from '../../../api/contracts/signer-permission.ts';
import { refusal } from '../../refusal.ts';

/** Whoever approves, signs or attests needs the right to do so for the signer, or for all signers of its domain. */
export async function requireSigner(
  attributes: AdmissionAttributes,
  authorizer: Authorizer,
  { verb, signer, what }: { readonly verb: string; readonly signer: string; readonly what: string },
): Promise<void> {
  if (await mayUseSigner(authorizer, { user: attributes.user, verb, signer })) return;
  throw refusal(attributes, `user not permitted to ${what} ${goQuote(signer)}`);
}
