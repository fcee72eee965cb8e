import type { Defaulters } from '../../../schema/defaulters.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { fixed } from '../../parts/defaults/fill.ts';

/** For the types within volumes, wherever they occur. */
export const persistentVolumeSpecDefaults: Defaulters = {
  'io.k8s.api.core.v1.HostPathVolumeSource': fixed({ type: '' }),
  'io.k8s.api.core.v1.PersistentVolumeSpec': roundsUp('capacity'),
};
