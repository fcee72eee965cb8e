import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { formatIpAddress } from '../../../api/values/ip-address.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { parseLooseAddress } from '../../parts/addresses/addresses.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import { each, type Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { nodeSelector } from '../../parts/selectors/node-selectors.ts';
import { requestNameReference, type RequestNames, requestNames, requestReferences } from '../claim-spec.ts';
import { declaredDriverName, declaredPoolName, deviceName, driverName, poolName } from '../device-names.ts';
import {
  bindingParameters,
  deviceToleration,
  distinct,
  inFieldOrder,
  limited,
  nodeOperations,
  opaqueConfiguration,
  rawObject,
} from '../device-rules.ts';
import { late, ordered } from '../late-errors.ts';

const maxConsumers = 256;
const maxResults = 32;
const maxConfigurations = 64;

/** The identity of a device, in the allocation and in statuses. */
type DeviceIdentity = Pick<resource.AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

function identityOf({ driver = '', pool = '', device = '', shareID }: DeviceIdentity): string {
  return JSON.stringify([driver, pool, device, shareID ?? null]);
}

export function resourceClaimStatus(claim: resource.ResourceClaim, old: resource.ResourceClaim): Errors {
  return ordered(claimStatus(claim, old));
}

function* claimStatus(
  { metadata, spec = {}, status = {} }: resource.ResourceClaim,
  old: resource.ResourceClaim,
): Errors {
  const { allocation, reservedFor = [], devices = [] } = status;
  const before = old.status ?? {};
  yield* limited(reservedFor, 'status.reservedFor', maxConsumers, consumer);
  if (reservedFor.length <= maxConsumers) {
    yield* late(distinct(reservedFor, 'status.reservedFor', ({ uid = '' }) => uid, inFieldOrder));
  }
  const allocated = new Set((allocation?.devices?.results ?? []).map(identityOf));
  for (const [index, device] of devices.entries()) {
    yield* deviceStatus(device, keyPath('status.devices', index), allocated);
  }
  yield* late(
    distinct(devices, 'status.devices', identityOf, (one) =>
      inFieldOrder({ ...one, conditions: one.conditions ?? null }),
    ),
  );
  if (reservedFor.length > 0) {
    const added = reservedFor.some((one) => !(before.reservedFor ?? []).some((other) => sameValue(one, other)));
    if (allocation === undefined) {
      yield forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set');
    } else if (metadata?.deletionTimestamp !== undefined && added) {
      const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
      yield forbiddenField('status.reservedFor', detail);
    }
  }
  if (allocation === undefined) return;
  if (before.allocation !== undefined) {
    if (sameValue(allocation, before.allocation)) return;
    return yield* late([invalidField('status.allocation', null, 'field cannot be modified once set')]);
  }
  yield* allocationResult(allocation, 'status.allocation', requestNames(spec.devices ?? {}));
}

function* consumer(reference: resource.ResourceClaimConsumerReference, path: string): Errors {
  for (const name of ['resource', 'name', 'uid'] as const) {
    if ((reference[name] ?? '') === '') yield requiredField(childPath(path, name));
  }
}

function* allocationResult(allocation: resource.AllocationResult, path: string, names: RequestNames): Errors {
  const { devices = {}, nodeSelector: selector } = allocation;
  const results = childPath(path, 'devices.results');
  const config = childPath(path, 'devices.config');
  yield* limited(devices.results, results, maxResults, (result, at) => deviceResult(result, at, names));
  yield* limited(devices.config, config, maxConfigurations, function* ({ source = '', requests, opaque }, at) {
    const sourcePath = childPath(at, 'source');
    if (source === '') yield* late([requiredField(sourcePath)]);
    else if (!sources.includes(source)) yield* late([notSupportedField(sourcePath, source, sources)]);
    yield* requestReferences(requests, childPath(at, 'requests'), names);
    yield* opaqueConfiguration(opaque, childPath(at, 'opaque'));
  });
  if (selector !== undefined) yield* nodeSelector(selector, childPath(path, 'nodeSelector'));
}

const sources: readonly string[] = ['FromClaim', 'FromClass'];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function* shareId(value: string | undefined, path: string): Errors {
  if (value === undefined || uuid.test(value)) return;
  yield* late([invalidField(path, value, 'must be a lowercase UUID in 8-4-4-4-12 format')]);
}

function* deviceResult(result: resource.DeviceRequestAllocationResult, path: string, names: RequestNames): Errors {
  yield* requestNameReference(result.request ?? '', childPath(path, 'request'), names);
  yield* declaredDriverName(result.driver, childPath(path, 'driver'));
  yield* declaredPoolName(result.pool, childPath(path, 'pool'));
  yield* deviceName(result.device, childPath(path, 'device'));
  yield* bindingParameters(result, path);
  yield* each(deviceToleration)(result.tolerations, childPath(path, 'tolerations'));
  yield* shareId(result.shareID, childPath(path, 'shareID'));
  yield* nodeOperations(result.skipNodeOperations, childPath(path, 'skipNodeOperations'));
}

const maxConditions = 8;
const maxAddresses = 16;
const maxInterfaceBytes = 256;
const maxHardwareBytes = 128;

function* deviceStatus(device: resource.AllocatedDeviceStatus, path: string, allocated: ReadonlySet<string>): Errors {
  const { driver, pool, device: name, shareID, conditions = [], data, networkData } = device;
  yield* driverName(driver, childPath(path, 'driver'));
  yield* poolName(pool, childPath(path, 'pool'));
  yield* deviceName(name, childPath(path, 'device'));
  yield* shareId(shareID, childPath(path, 'shareID'));
  if (!allocated.has(identityOf(device))) {
    const identity = { Driver: driver ?? '', Pool: pool ?? '', Device: name ?? '', ShareID: shareID ?? '' };
    yield invalidField(path, identity, 'must be an allocated device in the claim');
  }
  const list = childPath(path, 'conditions');
  if (conditions.length > maxConditions) yield tooManyField(list, conditions.length, maxConditions);
  yield* statusConditions(conditions, list);
  if (data !== undefined) yield* rawObject(data, childPath(path, 'data'));
  if (networkData !== undefined) yield* networkDevice(networkData, childPath(path, 'networkData'));
}

function* networkDevice(
  { interfaceName = '', hardwareAddress = '', ips = [] }: resource.NetworkDeviceData,
  path: string,
): Errors {
  if (Buffer.byteLength(interfaceName) > maxInterfaceBytes) {
    yield* late([tooLongField(childPath(path, 'interfaceName'), maxInterfaceBytes)]);
  }
  const list = childPath(path, 'ips');
  yield* limited(ips, list, maxAddresses, interfaceAddress);
  const isRepeated = repetitions();
  for (const [index, ip] of ips.slice(0, maxAddresses).entries()) {
    if (isRepeated(ip)) yield* late([duplicateField(keyPath(list, index), ip)]);
  }
  if (Buffer.byteLength(hardwareAddress) > maxHardwareBytes) {
    yield* late([tooLongField(childPath(path, 'hardwareAddress'), maxHardwareBytes)]);
  }
}

/** `10.0.0.1/24`: an address with its prefix length. */
function* interfaceAddress(text: string, path: string): Errors {
  const [, ip = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseLooseAddress(ip);
  if (address === undefined || Number(length) > (address.family === 4 ? 32 : 128)) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return yield invalidField(path, text, detail);
  }
  const canonical = `${formatIpAddress(address)}/${Number(length)}`;
  if (text !== canonical) yield invalidField(path, text, `must be in canonical form (${goQuote(canonical)})`);
}
