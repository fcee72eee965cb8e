import { invalidField } from '../../../../api/field-error.ts';
import { internalError, invalid } from '../../../../api/status-errors.ts';
import { NumberPool, reservedCount } from './number-pool.ts';
import type { Refusal, Reservation } from './reservation.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  needsHealthCheck,
  nodePortsOf,
  type Service,
  type ServiceSpec,
} from './service-needs.ts';

/** `base <= port < base + size`. */
export interface NodePortRange {
  readonly base: number;
  readonly size: number;
}

/** Where a dry run starts to count: a number that is no port of the range. */
const dryRunBase = 32_768n;

/** Gives ports of all nodes to services. */
export class NodePorts {
  readonly #numbers: NumberPool;

  constructor({ base, size }: NodePortRange) {
    const first = BigInt(base);
    const dynamicFrom = first + reservedCount(BigInt(size), { step: 32n, max: 128n });
    this.#numbers = new NumberPool({ first, last: first + BigInt(size) - 1n, dynamicFrom });
  }

  /** Notes what a stored service has. */
  note(spec: ServiceSpec): void {
    for (const port of heldPorts(spec)) this.#numbers.take(BigInt(port));
  }

  releaseAll(spec: ServiceSpec): void {
    for (const port of heldPorts(spec)) this.#numbers.release(BigInt(port));
  }

  allocate(service: Service, old: Readonly<Service> | undefined, reservation: Reservation): void {
    const { spec = {} } = service;
    const before = old?.spec;
    if (hasNodePorts(spec)) {
      if (before === undefined) this.#allocateNew(service, reservation);
      else this.#allocateChanged(service, before, reservation);
    } else if (before !== undefined && hasNodePorts(before)) {
      for (const port of nodePortsOf(before)) reservation.release(this.#numbers, BigInt(port));
    }
    const checked = before !== undefined && needsHealthCheck(before);
    if (!checked && needsHealthCheck(spec)) this.#allocateHealthCheck(spec, reservation);
    else if (checked && !needsHealthCheck(spec)) {
      reservation.release(this.#numbers, BigInt(before.healthCheckNodePort ?? 0));
    }
  }

  /** Ports of one number (TCP and UDP) share one node port. */
  #allocateNew(service: Service, reservation: Reservation): void {
    const { ports = [] } = service.spec ?? {};
    const allocated = new Map<number, number>();
    for (const [index, port] of ports.entries()) {
      const number = port.port ?? 0;
      const wanted = port.nodePort ?? 0;
      if (wanted === 0 && !allocatesNodePorts(service.spec ?? {})) continue;
      const shared = allocated.get(number);
      if (shared === undefined) {
        const requested = ports.find((other) => other.port === number && (other.nodePort ?? 0) !== 0)?.nodePort;
        if (requested !== undefined) this.#take(service, { index, port: requested }, reservation);
        port.nodePort = requested ?? this.#takeAny(reservation);
        allocated.set(number, port.nodePort);
      } else if (wanted === 0) port.nodePort = shared;
      else if (wanted !== shared) this.#take(service, { index, port: wanted }, reservation);
    }
  }

  #allocateChanged(service: Service, before: ServiceSpec, reservation: Reservation): void {
    const { spec = {} } = service;
    const held = new Set(nodePortsOf(before));
    for (const [index, port] of (spec.ports ?? []).entries()) {
      const wanted = port.nodePort ?? 0;
      if (wanted === 0) {
        if (allocatesNodePorts(spec)) port.nodePort = this.#takeAny(reservation);
      } else if (!held.has(wanted)) {
        this.#take(service, { index, port: wanted }, reservation);
        held.add(wanted);
      }
    }
    const kept = new Set(nodePortsOf(spec));
    for (const port of nodePortsOf(before)) {
      if (!kept.has(port)) reservation.release(this.#numbers, BigInt(port));
    }
  }

  #allocateHealthCheck(spec: ServiceSpec, reservation: Reservation): void {
    const { healthCheckNodePort: wanted = 0 } = spec;
    if (wanted === 0) {
      spec.healthCheckNodePort = this.#takeAny(reservation);
      return;
    }
    const refusal = reservation.take(this.#numbers, BigInt(wanted));
    if (refusal === undefined) return;
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${this.#words(refusal)}`);
  }

  #take(
    service: Service,
    { index, port }: { readonly index: number; readonly port: number },
    reservation: Reservation,
  ): void {
    const refusal = reservation.take(this.#numbers, BigInt(port));
    if (refusal === undefined || (reservation.dryRun && refusal === 'outside')) return;
    const error = invalidField(`spec.ports[${index}].nodePort`, port, this.#words(refusal));
    throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
  }

  #takeAny(reservation: Reservation): number {
    const standIn = (reservation.highest(this.#numbers) ?? dryRunBase) + 1n;
    const number = reservation.takeAny(this.#numbers, standIn);
    if (number === undefined) throw internalError(`failed to allocate a nodePort: ${this.#words('full')}`);
    return Number(number);
  }

  #words(refusal: Refusal): string {
    const { first, last } = this.#numbers.bounds;
    if (refusal === 'taken') return 'provided port is already allocated';
    if (refusal === 'full') return 'range is full';
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
}

function heldPorts(spec: ServiceSpec): number[] {
  const { healthCheckNodePort = 0 } = spec;
  return needsHealthCheck(spec) && healthCheckNodePort !== 0
    ? [...nodePortsOf(spec), healthCheckNodePort]
    : nodePortsOf(spec);
}
