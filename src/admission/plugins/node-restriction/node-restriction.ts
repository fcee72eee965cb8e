import type { AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { nodeNameOf } from '../../../api/contracts/node-identity.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { refusal } from '../../refusal.ts';
import type { NodeWriteContext, NodeWriteJudge } from './node-write.ts';
import { judgeNodeObject } from './nodes.ts';
import { judgeCertificateRequest, judgeClaim, judgeCsiNode, judgeLease, judgeResourceSlice } from './own-objects.ts';
import { judgePodCertificateRequest } from './pod-certificates.ts';
import { judgePodWrite } from './pods.ts';
import { judgeTokenRequest } from './service-accounts.ts';

/** By `group/resource`; other resources are not restricted. */
const judges: ReadonlyMap<string, NodeWriteJudge> = new Map<string, NodeWriteJudge>([
  ['/pods', judgePodWrite],
  ['/nodes', judgeNodeObject],
  ['/persistentvolumeclaims', judgeClaim],
  ['/serviceaccounts', judgeTokenRequest],
  ['certificates.k8s.io/podcertificaterequests', judgePodCertificateRequest],
  ['coordination.k8s.io/leases', judgeLease],
  ['storage.k8s.io/csinodes', judgeCsiNode],
  ['resource.k8s.io/resourceslices', judgeResourceSlice],
  ['certificates.k8s.io/certificatesigningrequests', judgeCertificateRequest],
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
      return judges.get(`${attributes.group}/${attributes.resource}`)?.({ attributes, node }, context);
    },
  };
}
