import { goQuote } from '../../api/go-quote.ts';
import type { Container, ContainerPort, EnvVar, PodSpec } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { fractionalByteWarnings } from './fractional-bytes.ts';

/** A container and the path of its fields. */
export interface PlacedContainer {
  readonly path: string;
  readonly container: Container;
}

const containerFields = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Every container of a pod in the order in which they are looked at; `path` is that of its specification. */
export function placedContainers(path: string, spec: PodSpec): PlacedContainer[] {
  return containerFields.flatMap((field) =>
    (spec[field] ?? []).map((container: Container, index) => ({ path: `${path}.${field}[${index}]`, container })),
  );
}

/** Warnings of one container's amounts and environment. */
export function containerWarnings({ path, container }: PlacedContainer): string[] {
  const { limits, requests } = container.resources ?? {};
  return [
    ...['memory', 'ephemeral-storage'].flatMap((resource) => [
      ...fractionalByteWarnings(`${path}.resources.limits`, limits, [resource]),
      ...fractionalByteWarnings(`${path}.resources.requests`, requests, [resource]),
    ]),
    ...environmentWarnings(path, container.env),
  ];
}

/** A variable may be defined again where its new value builds on the old one. */
function environmentWarnings(path: string, env: readonly EnvVar[] = []): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name = '', value = '', valueFrom }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return [];
    return [
      `${path}.env[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
    ];
  });
}

interface PlacedPort {
  readonly path: string;
  readonly port: ContainerPort;
}

/** Warnings of ports that say the same twice, in one container or in several. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ path, container }) =>
    (container.ports ?? []).map((port, index): PlacedPort => ({ path: `${path}.ports[${index}]`, port })),
  );
  return [...ports.flatMap((port, index) => numberWarnings(port, ports.slice(0, index))), ...portNameWarnings(ports)];
}

function numberWarnings({ path, port }: PlacedPort, earlier: readonly PlacedPort[]): string[] {
  const { hostIP = '', hostPort = 0, containerPort = 0, protocol = '', name = '' } = port;
  const unused =
    hostIP !== '' && hostPort === 0
      ? [
          `${path}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`,
        ]
      : [];
  const same = earlier.filter(
    (other) => other.port.containerPort === containerPort && other.port.protocol === protocol,
  );
  return [
    ...unused,
    ...same.flatMap((other) => {
      const relation = relationOf(port, other.port);
      return relation === undefined ? [] : [`${path}: ${relation} port definition with ${other.path}`];
    }),
  ];
}

function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const { hostIP = '', hostPort = 0 } = port;
  const { hostIP: otherIp = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIp && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function portNameWarnings(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ path, port: { name = '' } }) => {
    if (name === '') return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
