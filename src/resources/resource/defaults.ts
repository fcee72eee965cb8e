import { formatSeconds } from '../../registry/write/metadata.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { DeviceSubRequest } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { type DefaulterRow, fill, typed } from '../parts/defaults/fill.ts';
import { versions } from '../parts/defaults/fill.ts';

const group = 'io.k8s.api.resource';

const deviceRequest = typed<DeviceSubRequest>((request) => {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
});

/** In v1beta1 a request that names no class has alternatives. */
const plainRequest: DefaulterRow = (request, clock) => {
  if ((request['deviceClassName'] ?? '') !== '') deviceRequest(request, clock);
};

const deviceTaint: DefaulterRow = (taint, clock) => fill(taint, { timeAdded: formatSeconds(clock.now()) });

/** For device requests. */
export const requestDefaults: Defaulters = {
  ...versions(group, ['v1', 'v1beta1', 'v1beta2'], {
    DeviceSubRequest: deviceRequest,
    ExactDeviceRequest: deviceRequest,
  }),
  ...versions(group, ['v1beta1'], { DeviceRequest: plainRequest }),
};

export const taintDefaults: Defaulters = versions(group, ['v1', 'v1beta1', 'v1beta2', 'v1alpha3'], {
  DeviceTaint: deviceTaint,
});
