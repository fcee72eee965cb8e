import { invalidField } from '../../../../api/errors/field-error.ts';
import { internalError, invalid } from '../../../../api/errors/status-errors.ts';
import { StatusError } from '../../../../api/errors/status.ts';
import { repetitions } from '../../../parts/rules/repetitions.ts';
import { formatPortRange, type NodePortRange } from './port-bitmap.ts';
import type { PortRefusal, PortRegister } from './port-register.ts';
import type { Reservation } from './reservation.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  needsHealthCheck,
  nodePortsOf,
  type Service,
  type ServiceSpec,
} from './service-needs.ts';

/** Where a dry run starts counting: outside of the range. */
const dryRunBase = 32_768;

/** A port to allocate. */
interface PortRequest {
  /** Undefined if any will do. */
  readonly wanted: number | undefined;
  give(port: number): void;
  /** The error of the write if the port is refused. */
  refused(problem: string): Error;
}

/** Allocates node ports to services. */
export class NodePorts {
  readonly #register: PortRegister;
  readonly #range: NodePortRange;

  constructor(register: PortRegister, range: NodePortRange) {
    this.#register = register;
    this.#range = range;
  }

  async releaseAll({ spec = {} }: Readonly<Service>): Promise<void> {
    await this.#register.release(heldPorts(spec));
  }

  async allocate(service: Service, old: Readonly<Service> | undefined, reservation: Reservation): Promise<void> {
    const portRequests = [...portRequestsOf(service, old), ...healthCheckRequest(service, old)];
    if (portRequests.length > 0) {
      if (reservation.dryRun) await this.#tryOut(portRequests);
      else await this.#take(portRequests, reservation);
    }
    const unused = old === undefined ? [] : unusedPorts(service.spec ?? {}, old.spec ?? {});
    if (unused.length > 0) reservation.onSuccess(() => this.#register.release(unused));
  }

  async #take(portRequests: readonly PortRequest[], reservation: Reservation): Promise<void> {
    const result = await this.#register.take(portRequests.map(({ wanted }) => wanted));
    if ('refusal' in result) throw this.#refused(portRequests[result.index], result.refusal);
    reservation.onFailure(() => this.#register.release(result.ports));
    for (const [index, port] of result.ports.entries()) portRequests[index]?.give(port);
  }

  /** A dry run returns placeholder ports: what a write would get is not known in advance. */
  async #tryOut(portRequests: readonly PortRequest[]): Promise<void> {
    const isTaken = await this.#register.taken();
    const given: number[] = [];
    for (const portRequest of portRequests) {
      const { wanted } = portRequest;
      if (wanted !== undefined && (isTaken(wanted) || given.includes(wanted)))
        throw this.#refused(portRequest, 'taken');
      const port = wanted ?? (given.length === 0 ? dryRunBase : Math.max(...given)) + 1;
      given.push(port);
      portRequest.give(port);
    }
  }

  #refused(portRequest: PortRequest | undefined, refusal: PortRefusal): Error {
    const problems: { readonly [refusal in PortRefusal]: string } = {
      taken: 'provided port is already allocated',
      full: 'range is full',
      outside: `provided port is not in the valid range. The range of valid ports is ${formatPortRange(this.#range)}`,
    };
    return portRequest?.refused(problems[refusal]) ?? internalError(problems[refusal]);
  }
}

function portRequestsOf(service: Service, old: Readonly<Service> | undefined): readonly PortRequest[] {
  if (!hasNodePorts(service.spec ?? {})) return [];
  return old === undefined ? requestsOfNew(service) : requestsOfChanged(service, old.spec ?? {});
}

/** Ports with the same number (TCP and UDP) share one node port. */
function requestsOfNew(service: Service): readonly PortRequest[] {
  const { spec = {} } = service;
  const { ports = [] } = spec;
  const portRequests: PortRequest[] = [];
  /** By port number: the requested node port, if any. */
  const shared = new Map<number, { readonly requested: number | undefined }>();
  for (const [index, port] of ports.entries()) {
    const { port: number = 0, nodePort: wanted = 0 } = port;
    if (wanted === 0 && !allocatesNodePorts(spec)) continue;
    const known = shared.get(number);
    if (known === undefined) {
      const alike = ports.filter((other) => (other.port ?? 0) === number);
      const requested = alike.find((other) => (other.nodePort ?? 0) !== 0)?.nodePort;
      shared.set(number, { requested });
      const sharing = allocatesNodePorts(spec) ? alike : [];
      const give = (given: number): void => {
        for (const other of sharing) if ((other.nodePort ?? 0) === 0) other.nodePort = given;
        port.nodePort = given;
      };
      portRequests.push(portRequestOf(service, { index, wanted: requested, give }));
    } else if (wanted !== 0 && wanted !== known.requested) {
      portRequests.push(portRequestOf(service, { index, wanted, give: () => undefined }));
    }
  }
  return portRequests;
}

function requestsOfChanged(service: Service, before: ServiceSpec): readonly PortRequest[] {
  const { spec = {} } = service;
  const held = new Set(nodePortsOf(before));
  const isRepeated = repetitions();
  const portRequests: PortRequest[] = [];
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const { nodePort: wanted = 0, protocol = '' } = port;
    if (wanted !== 0 && isRepeated(`{${protocol} ${wanted}}`)) throw repeatedPort(`{${protocol} ${wanted}}`);
    if (wanted === 0 ? !allocatesNodePorts(spec) : held.has(wanted)) continue;
    held.add(wanted);
    const give = (given: number): void => void (port.nodePort = given);
    portRequests.push(portRequestOf(service, { index, wanted: wanted === 0 ? undefined : wanted, give }));
  }
  return portRequests;
}

/** In an update, allocation finds it before validation does. */
function repeatedPort(shown: string): StatusError {
  return new StatusError({ code: 500, reason: '', message: `duplicate nodePort: ${shown}` });
}

function portRequestOf(
  service: Service,
  { index, wanted, give }: Pick<PortRequest, 'wanted' | 'give'> & { readonly index: number },
): PortRequest {
  return {
    wanted,
    give,
    refused(problem) {
      if (wanted === undefined) return internalError(`failed to allocate a nodePort: ${problem}`);
      const error = invalidField(`spec.ports[${index}].nodePort`, wanted, problem);
      return invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
    },
  };
}

function healthCheckRequest({ spec = {} }: Service, old: Readonly<Service> | undefined): readonly PortRequest[] {
  if (!needsHealthCheck(spec) || (old !== undefined && needsHealthCheck(old.spec ?? {}))) return [];
  const { healthCheckNodePort: wanted = 0 } = spec;
  const portRequest: PortRequest = {
    wanted: wanted === 0 ? undefined : wanted,
    give: (given) => void (spec.healthCheckNodePort = given),
    refused: (problem) =>
      internalError(
        wanted === 0
          ? `failed to allocate a HealthCheck NodePort ${wanted}: ${problem}`
          : `failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`,
      ),
  };
  return [portRequest];
}

/** Ports that an update releases. */
function unusedPorts(spec: ServiceSpec, before: ServiceSpec): readonly number[] {
  const kept = new Set(hasNodePorts(spec) ? nodePortsOf(spec) : []);
  const unused =
    hasNodePorts(before) || hasNodePorts(spec) ? nodePortsOf(before).filter((port) => !kept.has(port)) : [];
  const { healthCheckNodePort = 0 } = before;
  const checked = needsHealthCheck(before) && !needsHealthCheck(spec) && healthCheckNodePort !== 0;
  return checked ? [...unused, healthCheckNodePort] : unused;
}

function heldPorts(spec: ServiceSpec): number[] {
  const { healthCheckNodePort = 0 } = spec;
  return needsHealthCheck(spec) && healthCheckNodePort !== 0
    ? [...nodePortsOf(spec), healthCheckNodePort]
    : nodePortsOf(spec);
}
