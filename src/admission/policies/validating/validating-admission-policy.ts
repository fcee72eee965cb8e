import type { AdmissionPlugin } from '../../../api/contracts/admission.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { PolicyMetrics } from '../policy-metrics.ts';
import { policyPlugin } from '../policy-plugin.ts';
import type { CompiledValidatingPolicy } from './validating-policy.ts';

/** The admission plugin ValidatingAdmissionPolicy. */
export async function validatingAdmissionPolicy(context: PluginContext): Promise<AdmissionPlugin> {
  const metrics = new PolicyMetrics(context, {
    type: 'validating',
    labelNames: ['enforcement_action'],
    help: {
      count: 'Enforced policy validations, by action.',
      duration: 'Duration of enforced policy validations, in seconds.',
    },
  });
  return await policyPlugin<CompiledValidatingPolicy>(context, {
    name: 'ValidatingAdmissionPolicy',
    step: 'validate',
    policies: 'validatingadmissionpolicies',
    bindings: 'validatingadmissionpolicybindings',
    load: async (parts) => {
      const { compileValidatingPolicy } = await import('./validating-policy.ts');
      const { ValidatingPolicyDispatch } = await import('./validating-dispatch.ts');
      const dispatch = new ValidatingPolicyDispatch({ ...parts, metrics });
      return { compile: compileValidatingPolicy, dispatch };
    },
  });
}
