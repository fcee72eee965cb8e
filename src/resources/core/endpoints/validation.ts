import { childPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { endpointAddress, ipAddress } from '../../parts/addresses/addresses.ts';
import { protocols } from '../../parts/pod-template/containers.ts';
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
