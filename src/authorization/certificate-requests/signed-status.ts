import { forbiddenField } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { mayUseSigner } from '../../api/contracts/signer-permission.ts';
import type { Refusals, Strategy, UpdateStrategy, WriteContext } from '../../registry/kinds/strategy.ts';
import type { PodCertificateRequest } from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import { isSame } from '../same-values.ts';

/** The strategy of pod certificate requests: their status is changed by those who may sign for their signer. */
export function withSignedStatus(strategy: Strategy): Strategy {
  const status: UpdateStrategy = {
    ...strategy.subresources?.['status'],
    permitUpdate(object, old, context) {
      // Decoded by the schema of the kind; a status without fields is the same as none.
      const [now, before] = [object, old].map((each) => (each as PodCertificateRequest).status ?? {});
      return isSame(now, before) ? undefined : refusalsOf(old, context);
    },
  };
  return { ...strategy, subresources: { ...strategy.subresources, status } };
}

async function refusalsOf(
  old: Readonly<KubernetesObject>,
  { user, authorizer }: WriteContext,
): Promise<Refusals | undefined> {
  const signer = (old as PodCertificateRequest).spec?.signerName ?? ''; // as above
  if (await mayUseSigner(authorizer, { user, verb: 'sign', signer })) return undefined;
  const detail = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`;
  return { ifValid: [forbiddenField('spec.signerName', detail)] };
}
