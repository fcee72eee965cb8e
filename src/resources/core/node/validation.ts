import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { endpointAddress, ipAddress, ipRange, isOnePerFamily } from '../../parts/addresses/addresses.ts';
import { protocols } from '../../parts/pod-template/containers.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { taints } from '../../parts/pod-template/scheduling.ts';
import { amount } from '../../parts/amounts/quantities.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  isEmpty,
  portNumber,
  qualifiedName,
  requiredOneOf,
} from '../../parts/rules/rules.ts';

// Nodes, and the endpoints of services.

function* nodeAmounts({ status }: core.Node): Errors {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, value] of Object.entries(status?.[list] ?? {}))
      yield* amount(name, value, `status.${list}.${name}`);
  }
}

export function* node(object: core.Node): Errors {
  const { spec = {} } = object;
  yield* taints(spec.taints ?? [], 'metadata.taints');
  yield* nodeAmounts(object);
  const ranges = spec.podCIDRs ?? [];
  for (const [index, range] of ranges.entries()) {
    if (pauseIsDue()) yield;
    yield* ipRange(range, keyPath('spec.podCIDRs', index));
  }
  if (ranges.length > 1 && !isOnePerFamily(ranges)) {
    yield invalidField('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
  }
}

export function* nodeUpdate(object: core.Node, old: core.Node): Errors {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  yield* nodeAmounts(object);
  const addresses = object.status?.addresses ?? [];
  const isRepeated = repetitions();
  for (const [index, address] of addresses.entries()) {
    if (pauseIsDue()) yield;
    if (!isRepeated(JSON.stringify([address.type, address.address]))) continue;
    yield duplicateField(keyPath('status.addresses', index), internalValue('core.NodeAddress', address));
  }
  const [ranges, oldRanges] = [spec.podCIDRs ?? [], before.podCIDRs ?? []];
  if (
    oldRanges.length > 0 &&
    (ranges.length !== oldRanges.length || oldRanges.some((range, index) => range !== ranges[index]))
  ) {
    yield forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  const [id, oldId] = [spec.providerID ?? '', before.providerID ?? ''];
  if (oldId !== '' && id !== oldId) {
    const detail = id === '' ? 'field cannot be cleared once set' : 'field cannot be modified once set';
    yield invalidField('spec.providerID', null, detail);
  }
  yield* taints(spec.taints ?? [], 'metadata.taints');
  if ((spec.externalID ?? '') !== (before.externalID ?? ''))
    yield forbiddenField('spec.externalID', 'may not be updated');
}

function* endpoint(address: core.EndpointAddress, path: string): Errors {
  yield* ipAddress(address.ip, childPath(path, 'ip'));
  if (!isEmpty(address.hostname)) yield* dnsLabel(address.hostname, childPath(path, 'hostname'));
  if (address.nodeName !== undefined) yield* dnsSubdomain(address.nodeName, childPath(path, 'nodeName'));
  yield* endpointAddress(address.ip, childPath(path, 'ip'));
}

export const endpointSubsets = each<core.EndpointSubset>(function* (subset, path) {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  if (addresses.length + notReadyAddresses.length === 0) {
    yield requiredField(path, 'must specify `addresses` or `notReadyAddresses`');
  }
  yield* each(endpoint)(addresses, childPath(path, 'addresses'));
  yield* each(endpoint)(notReadyAddresses, childPath(path, 'notReadyAddresses'));
  yield* each<core.EndpointPort>(function* (port, portPath) {
    const namePath = childPath(portPath, 'name');
    if (!isEmpty(port.name)) yield* dnsLabel(port.name, namePath);
    else if (ports.length > 1) yield requiredField(namePath);
    yield* portNumber(port.port, childPath(portPath, 'port'));
    yield* requiredOneOf(protocols)(port.protocol, childPath(portPath, 'protocol'));
    if (port.appProtocol !== undefined) yield* qualifiedName(port.appProtocol, childPath(portPath, 'appProtocol'));
  })(ports, childPath(path, 'ports'));
});
