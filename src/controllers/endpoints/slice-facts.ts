import { isDeepStrictEqual } from 'node:util';
import { keptBy } from '../../api/collections/kept-by.ts';
import { nameRules } from '../../api/meta/names.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Endpoint, EndpointPort } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { StoredPod } from '../pods.ts';
import { sortedByHash } from './go-hash.ts';
import {
  addressesOf,
  headlessLabel,
  hostnameOf,
  isHeadless,
  isReady,
  isTerminating,
  type StoredService,
} from './pod-endpoints.ts';
import type { NumberedPort } from './service-ports.ts';
import type { StoredSlice } from './slice-plan.ts';
import { type StoredNode, zoneLabel } from './zone-shares.ts';

export const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespace: '' };
export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const controllerName = 'endpointslice-controller.k8s.io';
const ownLabels = new Set([serviceNameLabel, managedByLabel, headlessLabel]);

export interface ListedPorts {
  readonly ports: readonly EndpointPort[];
  readonly key: string;
}

export interface SliceFamily {
  readonly type: 'IPv4' | 'IPv6';
  readonly number: 4 | 6;
}

const families: readonly SliceFamily[] = [
  { type: 'IPv4', number: 4 },
  { type: 'IPv6', number: 6 },
];

/** Each family has slices of its own. */
export function familiesOf({ spec }: StoredService): readonly SliceFamily[] {
  return families.filter(({ type }) => (spec?.ipFamilies ?? []).includes(type));
}

export function isManaged({ metadata }: StoredSlice): boolean {
  return metadata.labels?.[managedByLabel] === controllerName;
}

export function isOwnedBy({ metadata }: StoredSlice, service: StoredService): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  );
}

export function newSlice(service: StoredService, { type }: SliceFamily, ports: readonly EndpointPort[]): StoredSlice {
  return sliceFor(service, { addressType: type, ports, labels: labelsOf(service) });
}

/** A slice of a service or of Endpoints. */
export function sliceFor(
  { apiVersion, kind, metadata: { name = '', namespace = '', uid = '' } }: KubernetesObject,
  { addressType, ports, labels }: SliceParts,
): StoredSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: slicePrefix(name),
      namespace,
      labels,
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType,
    ...(ports.length === 0 ? {} : { ports: [...ports] }),
  };
}

interface SliceParts {
  readonly addressType: SliceFamily['type'];
  readonly ports: readonly EndpointPort[];
  readonly labels: { [label: string]: string };
}

function slicePrefix(name: string): string {
  return nameRules.dnsSubdomain(`${name}-`, true).length === 0 ? `${name}-` : name;
}

/**
 * The labels missing from a slice; undefined if it has those of its service. Labels that only the controller sets do
 * not count.
 */
export function nextLabels(
  { metadata: { labels = {} } }: StoredSlice,
  service: StoredService,
): { [label: string]: string } | undefined {
  const others = (all: object): object =>
    Object.fromEntries(Object.entries(all).filter(([label]) => !ownLabels.has(label)));
  const wanted = labelsOf(service);
  return isDeepStrictEqual(others(labels), others(wanted)) ? undefined : wanted;
}

function labelsOf(service: StoredService): { [label: string]: string } {
  const { labels = {}, name = '' } = service.metadata;
  const given = Object.entries(labels).filter(([label]) => !ownLabels.has(label));
  return {
    ...Object.fromEntries(given),
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: name,
    [managedByLabel]: controllerName,
  };
}

/** The ports of slices for pods with these numbers. */
export function listedPorts(ports: readonly NumberedPort[]): ListedPorts {
  const listed = ports.map(({ port: { name = '', protocol = 'TCP', appProtocol }, number }) => ({
    name,
    port: number,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }));
  return { ports: sortedPorts(listed), key: portsKey(listed) };
}

/** In the order in which the reference writes them. */
export function sortedPorts(ports: readonly EndpointPort[]): readonly EndpointPort[] {
  return sortedByHash(ports, printed);
}

/** Identifies a list of ports, regardless of order. */
export const portsKey = keptBy((ports: readonly EndpointPort[]): string => ports.map(printed).toSorted().join());

function printed({ name = '', protocol = '', port = 0, appProtocol = '<nil>' }: EndpointPort): string {
  return `(v1.EndpointPort){Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} AppProtocol:(*string)${appProtocol}}`;
}

export function endpointOf(
  pod: StoredPod,
  { node, service, family }: { node: StoredNode | undefined; service: StoredService; family: SliceFamily },
): Endpoint {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const nodeName = pod.spec?.nodeName ?? '';
  const zone = node?.metadata.labels?.[zoneLabel] ?? '';
  const hostname = hostnameOf(pod, service);
  return {
    addresses: [...addressesOf(pod, family.number)],
    conditions: {
      ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === '' ? {} : { zone }),
  };
}
