import { mayUseSigner } from '../../../api/contracts/signer-permission.ts';
import { forbiddenField } from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { Refusals, WriteContext } from '../../../registry/kinds/strategy.ts';
import type { PodCertificateRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** The status of a request is changed by those who may sign for its signer. */
export function permitStatusUpdate(
  { status = {} }: PodCertificateRequest,
  old: PodCertificateRequest,
  context: WriteContext,
): Promise<Refusals | undefined> | undefined {
  return sameValue(status, old.status ?? {}) ? undefined : refusalsOf(old, context);
}

async function refusalsOf(
  { spec }: PodCertificateRequest,
  { user, authorizer }: WriteContext,
): Promise<Refusals | undefined> {
  const signer = spec?.signerName ?? '';
  if (await mayUseSigner(authorizer, { user, verb: 'sign', signer })) return undefined;
  const detail = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`;
  return { ifValid: [forbiddenField('spec.signerName', detail)] };
}
