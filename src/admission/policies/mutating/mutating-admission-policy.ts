import type { AdmissionPlugin } from '../../../api/contracts/admission.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { PolicyMetrics } from '../policy-metrics.ts';
import { policyPlugin } from '../policy-plugin.ts';
import type { CompiledMutatingPolicy } from './mutating-policy.ts';

/** The admission plugin MutatingAdmissionPolicy. */
export async function mutatingAdmissionPolicy(context: PluginContext): Promise<AdmissionPlugin> {
  const name = 'MutatingAdmissionPolicy';
  const { resourceOfKind, featureGates } = context;
  if (featureGates.get(name) !== true) return { name, operations: new Set() };
  const metrics = new PolicyMetrics(context, {
    type: 'mutating',
    help: {
      count: 'Mutations by policies, by type of error.',
      duration: 'Duration of mutations by policies, in seconds.',
    },
  });
  return await policyPlugin<CompiledMutatingPolicy>(context, {
    name,
    step: 'mutate',
    policies: 'mutatingadmissionpolicies',
    bindings: 'mutatingadmissionpolicybindings',
    load: async (parts) => {
      const { compileMutatingPolicy } = await import('./mutating-policy.ts');
      const { MutatingPolicyDispatch } = await import('./mutating-dispatch.ts');
      const dispatch = new MutatingPolicyDispatch({ ...parts, metrics, resourceOfKind });
      return { compile: compileMutatingPolicy, dispatch };
    },
  });
}
