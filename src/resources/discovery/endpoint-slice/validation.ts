import { domainNameErrors } from '../../../api/validation/domain-name.ts';
import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors, labelValueErrors } from '../../../api/meta/names.ts';
import type * as discovery from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import { canonicalIpAddress, endpointAddress, familyOf, ipAddress } from '../../parts/addresses/addresses.ts';
import { protocols } from '../../parts/pod-template/containers.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  formErrors,
  labels,
  qualifiedName,
  enumOrEmpty,
  requiredOneOf,
  sealedField,
} from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** What is wrong with stored endpoints does not matter until they change. */
export function* endpointSlice(slice: discovery.EndpointSlice, old?: discovery.EndpointSlice): Errors {
  const { ports = [], addressType = '' } = slice;
  const endpoints = old !== undefined && sameValue(slice.endpoints, old.endpoints) ? [] : (slice.endpoints ?? []);
  yield* slicePorts(ports);
  if (endpoints.length > 1000) yield tooManyField('endpoints', endpoints.length, 1000);
  else yield* each(sliceEndpoint(addressType))(endpoints, 'endpoints');
  // Declarative validation comes last.
  yield* requiredOneOf(['FQDN', 'IPv4', 'IPv6'])(addressType, 'addressType');
  for (const [index, { addresses = [] }] of endpoints.entries()) {
    const path = `endpoints[${index}].addresses`;
    if (addresses.length === 0) yield requiredField(path);
    if (addresses.length > 100) yield tooManyField(path, addresses.length, 100);
  }
}

function* slicePorts(ports: readonly discovery.EndpointPort[]): Errors {
  const names = new Set<string>();
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    const path = keyPath('ports', index);
    if (name !== '') yield* dnsLabel(name, childPath(path, 'name'));
    if (names.has(name)) yield duplicateField(childPath(path, 'name'), name);
    names.add(name);
    yield* enumOrEmpty(protocols)(protocol, childPath(path, 'protocol'));
    if (appProtocol !== undefined) yield* qualifiedName(appProtocol, childPath(path, 'appProtocol'));
  }
}

function sliceEndpoint(addressType: string) {
  return function* (endpoint: discovery.Endpoint, path: string): Errors {
    const addressesPath = childPath(path, 'addresses');
    for (const [index, address] of (endpoint.addresses ?? []).entries()) {
      yield* sliceAddress(address, addressType, { path: addressesPath, itemPath: keyPath(addressesPath, index) });
    }
    if (endpoint.nodeName !== undefined) yield* dnsSubdomain(endpoint.nodeName, childPath(path, 'nodeName'));
    yield* labels(endpoint.deprecatedTopology, childPath(path, 'deprecatedTopology'));
    if (endpoint.hostname !== undefined) {
      yield* formErrors(childPath(path, 'hostname'), endpoint.hostname, dnsLabelErrors(endpoint.hostname));
    }
    yield* hints(endpoint.hints, childPath(path, 'hints'));
  };
}

interface AddressPaths {
  readonly path: string;
  readonly itemPath: string;
}

function* sliceAddress(address: string, addressType: string, { path, itemPath }: AddressPaths): Errors {
  if (addressType === 'FQDN') return yield* domainNameErrors(address, itemPath);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return;
  const errors = addressType === 'IPv4' ? ipAddress(address, itemPath) : canonicalIpAddress(address, itemPath);
  if (errors.length > 0) return yield* errors;
  if (`IPv${familyOf(address)}` !== addressType) yield invalidField(path, address, `must be an ${addressType} address`);
  yield* endpointAddress(address, itemPath);
}

function* hints(value: discovery.EndpointHints | undefined, path: string): Errors {
  const zones = value?.forZones ?? [];
  if (zones.length > 8) return yield tooManyField(childPath(path, 'forZones'), zones.length, 8);
  const isRepeated = repetitions();
  for (const [index, { name = '' }] of zones.entries()) {
    const namePath = `${path}.forZones[${index}].name`;
    if (isRepeated(name)) yield duplicateField(namePath, name);
    yield* formErrors(namePath, name, labelValueErrors(name));
  }
  const nodes = value?.forNodes ?? [];
  if (nodes.length > 8) return yield tooManyField(childPath(path, 'forNodes'), nodes.length, 8);
  const isRepeatedNode = repetitions();
  for (const [index, { name = '' }] of nodes.entries()) {
    const namePath = `${path}.forNodes[${index}].name`;
    if (isRepeatedNode(name)) yield duplicateField(namePath, name);
    yield* dnsSubdomain(name, namePath);
  }
}

export function* endpointSliceUpdate(object: discovery.EndpointSlice, old: discovery.EndpointSlice): Errors {
  yield* endpointSlice(object, old);
  yield* sealedField(object.addressType ?? '', old.addressType ?? '', 'addressType');
}
