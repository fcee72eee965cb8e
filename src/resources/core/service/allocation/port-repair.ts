import { type NodePortRange, PortBitmap } from './port-bitmap.ts';
import type { Service } from './service-needs.ts';

export interface PortFinding {
  /**
   * | problem | |
   * |---|---|
   * | `repair` | a service has a port that was not allocated |
   * | `duplicate` | another service has the port too |
   * | `outOfRange` | the port is outside of the range |
   * | `leak` | a port was allocated but no service has it; it is now free |
   */
  readonly problem: 'repair' | 'duplicate' | 'outOfRange' | 'leak';
  readonly port: number;
  /** Undefined for a leak. */
  readonly service: Service | undefined;
}

export interface RepairPlan {
  readonly ports: PortBitmap;
  readonly findings: readonly PortFinding[];
  /** Call once the ports are written. */
  finish(): void;
}

/** A port without a service stays allocated for this many passes: the service may be about to be written. */
const looksBeforeLeak = 3;

/** Rebuilds the allocated ports from the services. */
export class PortRepair {
  readonly #range: NodePortRange;
  /** How often each port was found without a service. */
  #orphans = new Map<number, number>();

  constructor(range: NodePortRange) {
    this.#range = range;
  }

  /** `areAll`: no service is missing because it cannot be read. */
  plan(
    stored: PortBitmap,
    { services, areAll }: { readonly services: readonly Service[]; readonly areAll: boolean },
  ): RepairPlan {
    const ports = new PortBitmap(this.#range);
    const findings = services.flatMap((service) => claimPorts(service, { ports, stored }));
    const orphans = new Map<number, number>();
    for (const port of stored.ports()) {
      if (ports.has(port)) continue;
      const looks = (this.#orphans.get(port) ?? 0) + (areAll ? 1 : 0);
      if (looks < looksBeforeLeak) {
        orphans.set(port, looks);
        ports.set(port);
      } else findings.push({ problem: 'leak', port, service: undefined });
    }
    return { ports, findings, finish: () => void (this.#orphans = orphans) };
  }
}

function claimPorts(
  service: Service,
  { ports, stored }: { readonly ports: PortBitmap; readonly stored: PortBitmap },
): PortFinding[] {
  return repairedPorts(service).flatMap((port): PortFinding[] => {
    if (!ports.includes(port)) return [{ problem: 'outOfRange', port, service }];
    if (ports.has(port)) return [{ problem: 'duplicate', port, service }];
    ports.set(port);
    return stored.has(port) ? [] : [{ problem: 'repair', port, service }];
  });
}

/** The ports of a service; one shared by several protocols counts once. */
function repairedPorts({ spec = {} }: Service): readonly number[] {
  const protocols = new Map<number, Set<string>>();
  const isAnother = (port: number, protocol: string): boolean => {
    const known = protocols.get(port);
    if (known === undefined) protocols.set(port, new Set([protocol]));
    const counts = known === undefined || known.has(protocol);
    known?.add(protocol);
    return counts;
  };
  const ports = (spec.ports ?? []).map(({ nodePort = 0, protocol = 'TCP' }) => ({ port: nodePort, protocol }));
  const { healthCheckNodePort = 0 } = spec;
  return [...ports, { port: healthCheckNodePort, protocol: 'TCP' }].flatMap(({ port, protocol }) =>
    port !== 0 && isAnother(port, protocol) ? [port] : [],
  );
}
