import { pathSegmentErrors } from '../../../api/names.ts';
import { formatSeconds } from '../../../registry/metadata.ts';
import type { APIService } from '../../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

/** A version that this server serves itself is Available at once. */
export const apiServiceStrategy: StrategyOf<APIService> = {
  requireResourceVersion: true,
  nameRule: pathSegmentErrors,
  prepareForCreate(service, { nowMs }) {
    if (service.spec?.service !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatSeconds(nowMs),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    service.status = { conditions: [condition] };
  },
  statusKeepsMetadata: true,
};
