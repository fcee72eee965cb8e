import type { AdmissionAttributes } from '../api/admission.ts';
import type { Authorizer } from '../api/authorization.ts';
import { goQuote } from '../api/go-quote.ts';
import { mayUseSigner } from '../api/signer-permission.ts';
import { refusal } from './refusal.ts';

/** Whoever approves, signs or attests needs the right to do so for the signer, or for all signers of its domain. */
export async function demandSigner(
  attributes: AdmissionAttributes,
  authorizer: Authorizer,
  { verb, signer, what }: { readonly verb: string; readonly signer: string; readonly what: string },
): Promise<void> {
  if (await mayUseSigner(authorizer, { user: attributes.user, verb, signer })) return;
  throw refusal(attributes, `user not permitted to ${what} ${goQuote(signer)}`);
}
