import { joined } from '../../../api/errors/findings.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { ContainerPort, EnvVar } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { fractionalByteWarnings } from '../amounts/fractional-bytes.ts';
import { repetitions } from '../rules/repetitions.ts';
import { perItem, type Warnings } from '../warnings/per-item.ts';
import type { PlacedContainer } from './container-security.ts';

/** Lists of one resource each: limits and requests are checked resource by resource. */
const byteResources = [['memory'], ['ephemeral-storage']] as const;

/** Warnings about one container's resources and environment. */
export function containerWarnings({ path, container: { env = [], resources } }: PlacedContainer): Warnings {
  const amounts = resources === undefined ? [] : byteResources;
  return joined(
    perItem(amounts, (resource) =>
      joined(
        fractionalByteWarnings(`${path}.resources.limits`, resources?.limits, resource),
        fractionalByteWarnings(`${path}.resources.requests`, resources?.requests, resource),
      ),
    ),
    env.length > 1 ? environmentWarnings(path, env) : [],
  );
}

/** A variable may be redefined if the new value refers to the old one. */
function environmentWarnings(path: string, env: readonly EnvVar[]): Warnings {
  const isRepeated = repetitions();
  return perItem(env, ({ name = '', value = '', valueFrom }, index) => {
    if (!isRepeated(name)) return [];
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

/** Warnings about duplicate ports, within or across containers. */
export function portWarnings(containers: readonly PlacedContainer[]): Warnings {
  const ports: PlacedPort[] = [];
  for (const { path, container } of containers) {
    for (const [index, port] of (container.ports ?? []).entries())
      ports.push({ path: `${path}.ports[${index}]`, port });
  }
  return joined(numberWarnings(ports), ports.length > 1 ? portNameWarnings(ports) : []);
}

function numberWarnings(ports: readonly PlacedPort[]): Warnings {
  const earlier = ports.length > 1 ? new EarlierPorts() : undefined;
  return perItem(ports, (placed, index) => {
    const { path, port } = placed;
    const { hostIP = '', hostPort = 0, containerPort = 0, protocol = '', name = '' } = port;
    const warnings: string[] = [];
    if (hostIP !== '' && hostPort === 0) {
      warnings.push(
        `${path}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`,
      );
    }
    for (const met of earlier?.meeting(port) ?? []) {
      const other = ports[met] ?? placed;
      const relation = relationOf(port, other.port);
      if (relation !== undefined) warnings.push(`${path}: ${relation} port definition with ${other.path}`);
    }
    earlier?.add(port, index);
    return warnings;
  });
}

/** Indexes ports by the parts that can coincide, so that only related ports are compared. */
class EarlierPorts {
  readonly #positions = new Map<string, number[]>();

  meeting(port: ContainerPort): readonly number[] {
    const { hostIP = '', hostPort = 0 } = port;
    const shares =
      hostPort === 0
        ? [{}]
        : [
            { hostPort: 0 },
            ...(hostIP === ''
              ? [{ hostPort }]
              : [
                  { hostPort, hostIP },
                  { hostPort, hostIP: '' },
                ]),
          ];
    return shares.flatMap((share) => this.#positions.get(keyOf(port, share)) ?? []).sort((a, b) => a - b);
  }

  add(port: ContainerPort, index: number): void {
    const { hostIP = '', hostPort = 0 } = port;
    for (const share of [{}, { hostPort }, { hostPort, hostIP }]) {
      const key = keyOf(port, share);
      const list = this.#positions.get(key);
      if (list === undefined) this.#positions.set(key, [index]);
      else list.push(index);
    }
  }
}

/** Addresses and protocols were validated before. */
function keyOf(
  { containerPort = 0, protocol = '' }: ContainerPort,
  { hostPort, hostIP }: Partial<ContainerPort>,
): string {
  return `${containerPort}/${protocol} ${hostPort ?? '*'} ${hostIP ?? '*'}`;
}

function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const { hostIP = '', hostPort = 0 } = port;
  const { hostIP: otherIp = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIp && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function portNameWarnings(ports: readonly PlacedPort[]): Warnings {
  const first = new Map<string, string>();
  return perItem(ports, ({ path, port: { name = '' } }) => {
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
