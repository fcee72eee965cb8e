import type { AdmissionPlugin } from '../../../api/contracts/admission.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { evaluatorOf } from './evaluators.ts';
import { QuotaLedger } from './ledger.ts';
import type { LimitedResource } from './quota-config.ts';

type LedgerParts = 'stored' | 'client' | 'clock' | 'tenure' | 'delayed' | 'admitted' | 'onError';

/** Nothing is made in a namespace beyond what its quotas allow. */
export function resourceQuota(
  { featureGates, ...context }: Pick<PluginContext, LedgerParts | 'featureGates'>,
  limited: readonly LimitedResource[],
): AdmissionPlugin {
  const isOn = (gate: string): boolean => featureGates.get(gate) === true;
  const ledger = new QuotaLedger({ ...context, isOn, limited });
  return {
    name: 'ResourceQuota',
    operations: new Set(['CREATE', 'UPDATE']),
    validate(attributes) {
      const { group, version, resource, namespace, namespaced } = attributes;
      if (namespace === '' || !namespaced) return;
      const evaluator = evaluatorOf({ group, version, plural: resource });
      if (evaluator?.handles(attributes) === true) return ledger.charge(attributes, evaluator);
    },
  };
}
