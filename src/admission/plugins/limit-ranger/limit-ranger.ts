import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { collect, type Findings } from '../../../api/errors/findings.ts';
import { soon, type Soon } from '../../../api/scheduling/soon.ts';
import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { applyLimitDefaults } from './limit-range-defaults.ts';
import { claimLimitErrors, podLimitErrors } from './limit-range-errors.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { joinReasons, refusal } from '../../refusal.ts';

const limitRanges = { group: '', version: 'v1', plural: 'limitranges' };

/** Applies the limit ranges of the namespace: defaults for containers, limits for pods and claims. */
export function limitRanger({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  // Decoded by the schema of limit ranges.
  const rangesOf = (namespace: string) => stored.list(limitRanges, namespace) as Soon<readonly LimitRange[]>;
  return {
    name: 'LimitRanger',
    operations: new Set(['CREATE', 'UPDATE']),
    mutate(attributes) {
      if (!isLimited(attributes) || attributes.resource !== 'pods') return;
      return soon(rangesOf(attributes.namespace), (ranges) => {
        // Objects are decoded by the schema of their resource.
        for (const { spec } of ranges) applyLimitDefaults(attributes.object as Pod, spec?.limits ?? []);
      });
    },
    validate(attributes) {
      if (!isLimited(attributes)) return;
      return soon(rangesOf(attributes.namespace), (ranges) =>
        ranges.length === 0 ? undefined : refuseBeyond(ranges, attributes),
      );
    },
  };
}

function refuseBeyond(ranges: readonly LimitRange[], attributes: AdmissionAttributes): void {
  for (const { spec } of ranges) {
    const { found } = collect(errorsOf(attributes, spec?.limits ?? []), (text) => text);
    if (found.length > 0) throw refusal(attributes, joinReasons(found));
  }
}

/** New pods and claims, updated claims and resized pods, unless they are being deleted. */
function isLimited({ group, resource, subresource, operation, oldObject }: AdmissionAttributes): boolean {
  if (group !== '' || oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (resource === 'pods') return operation === 'UPDATE' ? subresource === 'resize' : subresource === '';
  return resource === 'persistentvolumeclaims' && subresource === '';
}

function errorsOf({ resource, object }: AdmissionAttributes, limits: readonly LimitRangeItem[]): Findings<string> {
  // Objects are decoded by the schema of their resource.
  return resource === 'pods'
    ? podLimitErrors(object as Pod, limits)
    : claimLimitErrors(object as PersistentVolumeClaim, limits);
}
