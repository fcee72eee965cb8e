import type { AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { nodeNameOf } from '../../../api/contracts/node-identity.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { refusal } from '../../refusal.ts';
import type { NodeWriteContext, AdmitNodeWrite } from './node-write.ts';
import { admitNodeObject } from './nodes.ts';
import { admitCertificateRequest, admitClaim, admitCsiNode, admitLease, admitResourceSlice } from './own-objects.ts';
import { admitPodCertificateRequest } from './pod-certificates.ts';
import { admitPodWrite } from './pods.ts';
import { admitTokenRequest } from './service-accounts.ts';

/** By `group/resource`; other resources are not restricted. */
const rules: ReadonlyMap<string, AdmitNodeWrite> = new Map<string, AdmitNodeWrite>([
  ['/pods', admitPodWrite],
  ['/nodes', admitNodeObject],
  ['/persistentvolumeclaims', admitClaim],
  ['/serviceaccounts', admitTokenRequest],
  ['certificates.k8s.io/podcertificaterequests', admitPodCertificateRequest],
  ['coordination.k8s.io/leases', admitLease],
  ['storage.k8s.io/csinodes', admitCsiNode],
  ['resource.k8s.io/resourceslices', admitResourceSlice],
  ['certificates.k8s.io/certificatesigningrequests', admitCertificateRequest],
]);

/**
 * Restricts kubelets to their own node and the pods bound to it, where the node authorizer cannot: it does not see
 * objects.
 */
export function nodeRestriction({
  stored,
  authorizer,
  featureGates,
}: Pick<PluginContext, 'stored' | 'authorizer' | 'featureGates'>): AdmissionPlugin {
  const context: NodeWriteContext = { stored, authorizer, isOn: (gate) => featureGates.get(gate) === true };
  return {
    name: 'NodeRestriction',
    operations: new Set(['CREATE', 'UPDATE', 'DELETE']),
    mutate(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return;
      if (node === '') throw refusal(attributes, `could not determine node from user ${goQuote(attributes.user.name)}`);
      return rules.get(`${attributes.group}/${attributes.resource}`)?.({ attributes, node }, context);
    },
  };
}
