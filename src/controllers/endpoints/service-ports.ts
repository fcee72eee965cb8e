import type { Container, ServicePort } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { StoredPod } from '../pods.ts';

/** A port of a service, and its number on a pod. */
export interface NumberedPort {
  readonly port: ServicePort;
  readonly number: number;
}

/** The ports of a service are more than can be written for all its pods. */
export class TooManyPortsError extends Error {
  override readonly name = 'TooManyPortsError';
  readonly code = 'TOO_MANY_PORTS';
}

/** The limit of ports in all different lists of a service. */
const mostPorts = 500_000;

/**
 * The ports of a service on its pods. A named port may have a different number on each pod; those that agree share what
 * is made of their ports.
 */
export class ServicePorts<Made> {
  readonly #ports: readonly ServicePort[];
  readonly #make: (ports: readonly NumberedPort[]) => Made;
  /** The names that have to be looked up. */
  readonly #named: ReadonlySet<string>;
  /** By the numbers of the named ports. */
  readonly #made = new Map<string, Made>();
  #count = 0;

  constructor(ports: readonly ServicePort[], make: (ports: readonly NumberedPort[]) => Made) {
    this.#ports = ports;
    this.#make = make;
    this.#named = new Set(ports.flatMap((port) => nameOf(port) ?? []));
  }

  /** Throws a TooManyPortsError. */
  of(pod: StoredPod): Made {
    const numbers = this.#numbersOn(pod);
    const key = numbers.size === 0 ? '' : JSON.stringify([...numbers].sort());
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const numbered = this.#ports.flatMap((port) => {
      const name = nameOf(port);
      const number = name === undefined ? Number(port.targetPort ?? 0) : numbers.get(name);
      return number === undefined ? [] : { port, number };
    });
    this.#count += numbered.length;
    if (this.#count > mostPorts) throw new TooManyPortsError('the pods of the service have too many different ports');
    const made = this.#make(numbered);
    this.#made.set(key, made);
    return made;
  }

  #numbersOn({ spec = {} }: StoredPod): ReadonlyMap<string, number> {
    const numbers = new Map<string, number>();
    if (this.#named.size === 0) return numbers;
    const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
    for (const { ports = [] } of [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)]) {
      for (const { name = '', protocol, containerPort } of ports) {
        const key = keyOf(name, protocol);
        if (this.#named.has(key) && !numbers.has(key)) numbers.set(key, Number(containerPort));
      }
    }
    return numbers;
  }
}

/** Undefined if the port has a number. */
function nameOf({ targetPort, protocol }: ServicePort): string | undefined {
  return typeof targetPort === 'string' ? keyOf(targetPort, protocol) : undefined;
}

function keyOf(name: string, protocol: string | undefined): string {
  return `${name}/${protocol ?? ''}`;
}
