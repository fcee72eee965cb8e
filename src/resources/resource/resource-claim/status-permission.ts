import type { AuthorizationAttributes } from '../../../api/contracts/authorization.ts';
import { type FieldError, forbiddenField } from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type { UserInfo } from '../../../api/contracts/user.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type { AllocatedDeviceStatus, ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { accountOfUser } from '../../../api/contracts/user-names.ts';
import { forbiddenError } from '../../../api/contracts/forbidden-request.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

type Status = NonNullable<ResourceClaim['status']>;

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/**
 * What the writer of a claim's status may not change of it. `resourceclaims/status` opens the door; beyond it
 *
 * | who changes                 | needs the verb                                   | on                       | where          |
 * |-----------------------------|--------------------------------------------------|--------------------------|----------------|
 * | allocation, reservedFor     | of the request                                   | `resourceclaims/binding` | in the cluster |
 * | what a driver tells         | `arbitrary-node:` and that of the request        | `resourceclaims/driver`  | in the namespace, by the driver's name |
 * | that, on the claim's node   | also `associated-node:` and that of the request  |                          |                |
 */
export async function statusRefusals(
  status: Status,
  old: Status,
  context: WriteContext,
): Promise<readonly FieldError[]> {
  const refusals: FieldError[] = [];
  const { verb } = context;
  if (!sameValue(status.allocation, old.allocation) || !sameValue(status.reservedFor, old.reservedFor)) {
    const why = await refusalOf({ verb, subresource: 'binding', namespace: '', name: '' }, context);
    const needed = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission`;
    if (why !== undefined) refusals.push(forbiddenField('status.allocation', `${needed}: ${why}`));
  }
  // What drivers have told goes with the allocation.
  if (status.allocation === undefined) return refusals;
  const verbs = [...(isOnNodeOf(status, context.user) ? ['associated-node:'] : []), 'arbitrary-node:'].map(
    (prefix) => `${prefix}${verb}`,
  );
  for (const driver of changedDrivers(status.devices, old.devices)) {
    const why = await refusalOfAll(verbs, driver, context);
    const needed = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    if (why !== undefined) refusals.push(forbiddenField('status.devices', `${needed}: ${why}`));
  }
  return refusals;
}

/** Undefined when one of the verbs is allowed; otherwise why the first is not. */
async function refusalOfAll(
  verbs: readonly string[],
  driver: string,
  context: WriteContext,
): Promise<string | undefined> {
  let first: string | undefined;
  for (const verb of verbs) {
    const requested = { verb, subresource: 'driver', namespace: context.namespace, name: driver };
    const why = await refusalOf(requested, context);
    if (why === undefined) return undefined;
    first ??= why;
  }
  return first;
}

async function refusalOf(
  requested: Pick<AuthorizationAttributes, 'verb' | 'subresource' | 'namespace' | 'name'>,
  { user, authorizer, requestVersion }: WriteContext,
): Promise<string | undefined> {
  const resource = { group: 'resource.k8s.io', version: requestVersion, resource: 'resourceclaims' };
  const attributes = { user, isResourceRequest: true, path: '', ...resource, ...requested };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return undefined;
  const why = [error, reason].filter((text) => text !== undefined && text !== '').join(': ');
  return forbiddenError(attributes, why).message;
}

function changedDrivers(
  devices: readonly AllocatedDeviceStatus[] = [],
  old: readonly AllocatedDeviceStatus[] = [],
): readonly string[] {
  const before = new Map(old.map((device) => [identityOf(device), device]));
  const drivers = new Set<string>();
  for (const device of devices) {
    const identity = identityOf(device);
    if (!sameValue(device, before.get(identity))) drivers.add(device.driver ?? '');
    before.delete(identity);
  }
  for (const { driver = '' } of before.values()) drivers.add(driver);
  return [...drivers].toSorted();
}

function identityOf({ driver = '', pool = '', device = '', shareID = '' }: AllocatedDeviceStatus): string {
  return JSON.stringify([driver, pool, device, shareID]);
}

/** Whether the user is a service account of the one node that the claim is allocated for. */
function isOnNodeOf({ allocation }: Status, user: UserInfo): boolean {
  const [term, ...otherTerms] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...otherFields] = term?.matchFields ?? [];
  if (otherTerms.length > 0 || otherFields.length > 0 || (term?.matchExpressions ?? []).length > 0) return false;
  if (field?.key !== 'metadata.name' || field.operator !== 'In' || field.values?.length !== 1) return false;
  const nodes = user.extra[nodeNameKey] ?? [];
  const [node = ''] = nodes;
  if (accountOfUser(user.name) === undefined || nodes.length !== 1 || dnsSubdomainErrors(node).length > 0) return false;
  return node === field.values[0];
}
