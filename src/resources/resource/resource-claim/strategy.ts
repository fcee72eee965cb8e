import type { AllocatedDeviceStatus, ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

export const resourceClaimStrategy: StrategyOf<ResourceClaim> = {
  statusKeepsMetadata: true,
  subresources: { status: { prepareForUpdate: dropFreedDevices } },
};

/** Driver-reported device statuses are dropped with the allocation. */
function dropFreedDevices(claim: ResourceClaim, old: Readonly<ResourceClaim>): void {
  const { status } = claim;
  if (status?.devices === undefined) return;
  const held = new Set(identities(claim));
  const freed = new Set(identities(old).filter((identity) => !held.has(identity)));
  const devices = status.devices.filter((device) => !freed.has(identityOf(device)));
  if (devices.length > 0) status.devices = devices;
  else delete status.devices;
}

function identities({ status }: Readonly<ResourceClaim>): string[] {
  return (status?.allocation?.devices?.results ?? []).map(identityOf);
}

type Identity = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

function identityOf({ driver = '', pool = '', device = '', shareID = '' }: Identity): string {
  return JSON.stringify([driver, pool, device, shareID]);
}
