import type { Refusals, WriteContext } from '../../../registry/kinds/strategy.ts';
import type { AllocatedDeviceStatus, ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import type { KindEnvironment } from '../../kind-environment.ts';
import { allocatedAdminAccess, claimAdminAccess } from '../admin-access.ts';
import { claimExpressions } from '../device-expressions.ts';
import { statusRefusals } from './status-permission.ts';

export function resourceClaimStrategy(environment: KindEnvironment): StrategyOf<ResourceClaim> {
  const guardsStatus = environment.featureGates.get('DRAResourceClaimGranularStatusAuthorization') === true;
  const permitUpdate = allocatedAdminAccess(environment, guardsStatus ? permitStatusParts : undefined);
  return {
    statusKeepsMetadata: true,
    ...claimExpressions(environment),
    ...claimAdminAccess(environment),
    subresources: { status: { permitUpdate, prepareForUpdate: dropFreedDevices } },
  };
}

/** Parts of the status need permissions of their own. */
async function permitStatusParts(
  claim: Readonly<ResourceClaim>,
  old: Readonly<ResourceClaim>,
  context: WriteContext,
): Promise<Refusals | undefined> {
  // Prepared as it will be: what has lost its allocation needs no permission to go.
  const prepared = { ...claim, ...(claim.status === undefined ? {} : { status: { ...claim.status } }) };
  dropFreedDevices(prepared, old);
  const first = await statusRefusals(prepared.status ?? {}, old.status ?? {}, context);
  return first.length > 0 ? { first } : undefined;
}

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
