import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import { dnsLabelErrors, labelValueErrors } from '../../../api/names.ts';
import type * as coordination from '../../../schema/kubernetes/generated/types/coordination-v1.ts';
import type * as discovery from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import type * as nodes from '../../../schema/kubernetes/generated/types/node-v1.ts';
import type * as policy from '../../../schema/kubernetes/generated/types/policy-v1.ts';
import type * as scheduling from '../../../schema/kubernetes/generated/types/scheduling-v1.ts';
import { canonicalIpAddress, endpointAddress, familyOf, ipAddress } from '../../parts/addresses/addresses.ts';
import { protocols } from '../../parts/pod-template/containers.ts';
import { atMost100Percent, counters, intOrPercent } from '../../parts/rules/counts.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';
import { preemption } from '../../parts/pod-template/pod-spec.ts';
import { tolerations } from '../../parts/pod-template/scheduling.ts';
import { containerResourceName, resourceRequirements } from '../../parts/amounts/quantities.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  formErrors,
  immutable,
  isEmpty,
  labels,
  nonNegative,
  oneOf,
  qualifiedName,
  requiredOneOf,
  sealedField,
} from '../../parts/rules/rules.ts';

// Kinds with a handful of rules each.

export function* disruptionBudget({ spec = {} }: policy.PodDisruptionBudget): Errors {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const { selector = null, unhealthyPodEvictionPolicy = null } = spec;
    const value = {
      MinAvailable: minAvailable,
      Selector: internalValue('*plain', selector),
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
    };
    yield invalidField('spec', value, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value === undefined) continue;
    yield* intOrPercent(value, childPath('spec', name));
    yield* atMost100Percent(value, childPath('spec', name));
  }
  yield* labelSelector(spec.selector, 'spec.selector');
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  yield* oneOf(policies)(spec.unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy');
}

export const disruptionBudgetStatus = ({ status = {} }: policy.PodDisruptionBudget): Errors =>
  counters(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'])(status, 'status');

export function* lease({ spec = {} }: coordination.Lease): Errors {
  const { leaseDurationSeconds: duration, leaseTransitions, strategy, preferredHolder } = spec;
  if (duration !== undefined && duration <= 0) {
    yield invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0');
  }
  yield* nonNegative(leaseTransitions, 'spec.leaseTransitions');
  if (!isEmpty(preferredHolder) && isEmpty(strategy)) {
    yield forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined');
  }
}

/** The classes that the system itself has. */
const systemClasses: { readonly [name: string]: number } = {
  'system-node-critical': 2000001000,
  'system-cluster-critical': 2000000000,
};

export function* priorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: scheduling.PriorityClass): Errors {
  const name = metadata?.name ?? '';
  if (name.startsWith('system-')) {
    const problem = systemClassProblem(name, value, globalDefault === true);
    if (problem !== undefined) {
      const detail = "priority class names with 'system-' prefix are reserved for system use only. error: ";
      yield forbiddenField('metadata.name', detail + problem);
    }
  } else if (value > 1000000000) {
    yield forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000');
  }
  yield* preemption(preemptionPolicy, 'preemptionPolicy');
}

function systemClassProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  if (!Object.hasOwn(systemClasses, name)) return `${name} is not a known system priority class`;
  const expected = systemClasses[name];
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function* priorityClassUpdate(object: scheduling.PriorityClass, old: scheduling.PriorityClass): Errors {
  if ((object.value ?? 0) !== (old.value ?? 0)) yield forbiddenField('value', 'may not be changed in an update.');
  yield* immutable(object.preemptionPolicy ?? null, old.preemptionPolicy ?? null, 'preemptionPolicy');
}

export function* runtimeClass({ overhead, scheduling: placement, handler = '' }: nodes.RuntimeClass): Errors {
  const limits = overhead?.podFixed;
  if (limits) yield* resourceRequirements(containerResourceName)({ limits }, 'overhead');
  if (placement) {
    const path = 'scheduling.tolerations';
    yield* labels(placement.nodeSelector, 'scheduling.nodeSelector');
    yield* tolerations(placement.tolerations, path);
    const seen = new Set<string>();
    for (const [index, toleration] of (placement.tolerations ?? []).entries()) {
      if (pauseIsDue()) yield;
      const { key = '', operator = '', value = '', effect = '' } = toleration;
      const identity = [key, operator, value, effect].join(' ');
      if (seen.has(identity)) yield duplicateField(keyPath(path, index), internalValue('core.Toleration', toleration));
      seen.add(identity);
    }
  }
  if (handler === '') yield requiredField('handler');
  else yield* dnsLabel(handler, 'handler');
}

export function* runtimeClassUpdate(object: nodes.RuntimeClass, old: nodes.RuntimeClass): Errors {
  yield* sealedField(object.handler ?? '', old.handler ?? '', 'handler');
}

export function* endpointSlice(slice: discovery.EndpointSlice): Errors {
  const { endpoints = [], ports = [], addressType = '' } = slice;
  yield* slicePorts(ports);
  if (endpoints.length > 1000) yield tooManyField('endpoints', endpoints.length, 1000);
  else yield* each(sliceEndpoint(addressType))(endpoints, 'endpoints');
  // What the type itself demands comes last.
  yield* requiredOneOf(['FQDN', 'IPv4', 'IPv6'])(addressType, 'addressType');
  for (const [index, { addresses = [] }] of endpoints.entries()) {
    if (pauseIsDue()) yield;
    const path = `endpoints[${index}].addresses`;
    if (addresses.length === 0) yield requiredField(path);
    if (addresses.length > 100) yield tooManyField(path, addresses.length, 100);
  }
}

function* slicePorts(ports: readonly discovery.EndpointPort[]): Errors {
  const names = new Set<string>();
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    if (pauseIsDue()) yield;
    const path = keyPath('ports', index);
    if (name !== '') yield* dnsLabel(name, childPath(path, 'name'));
    if (names.has(name)) yield duplicateField(childPath(path, 'name'), name);
    names.add(name);
    yield* requiredOneOf(protocols)(protocol, childPath(path, 'protocol'));
    if (appProtocol !== undefined) yield* qualifiedName(appProtocol, childPath(path, 'appProtocol'));
  }
}

function sliceEndpoint(addressType: string) {
  return function* (endpoint: discovery.Endpoint, path: string): Errors {
    const addressesPath = childPath(path, 'addresses');
    for (const [index, address] of (endpoint.addresses ?? []).entries()) {
      if (pauseIsDue()) yield;
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
    if (pauseIsDue()) yield;
    const namePath = `${path}.forZones[${index}].name`;
    if (isRepeated(name)) yield duplicateField(namePath, name);
    yield* formErrors(namePath, name, labelValueErrors(name));
  }
}

export function* endpointSliceUpdate(object: discovery.EndpointSlice, old: discovery.EndpointSlice): Errors {
  yield* sealedField(object.addressType ?? '', old.addressType ?? '', 'addressType');
}
