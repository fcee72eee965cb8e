import type { AdmissionPlugin } from '../../../api/admission.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { policyPlugin } from '../policy-plugin.ts';
import type { CompiledMutatingPolicy } from './mutating-policy.ts';
import { MutationMeasures } from './mutation-measures.ts';

/** The admission plugin MutatingAdmissionPolicy. */
export function mutatingAdmissionPolicy(context: PluginContext): AdmissionPlugin {
  const measures = new MutationMeasures(context);
  return policyPlugin<CompiledMutatingPolicy>(context, {
    ...{ name: 'MutatingAdmissionPolicy', step: 'mutate' },
    ...{ policies: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' },
    load: async (parts) => {
      const { compileMutatingPolicy } = await import('./mutating-policy.ts');
      const { MutatingPolicyDispatch } = await import('./mutating-dispatch.ts');
      return { compile: compileMutatingPolicy, dispatch: new MutatingPolicyDispatch({ ...parts, measures }) };
    },
  });
}
