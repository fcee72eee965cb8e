import type { ResourceSlice } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

export const resourceSliceStrategy: StrategyOf<ResourceSlice> = {
  generation: 'spec',
  selectableMetadata: 'name',
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.driver': ({ spec }) => spec?.driver ?? '',
    'spec.pool.name': ({ spec }) => spec?.pool?.name ?? '',
  },
  unknownFieldText: (label, version) =>
    `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${label}`,
};
