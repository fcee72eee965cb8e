import type { PortsResult, PortRegister } from '../../resources/core/service/allocation/port-register.ts';
import type { NodePortRange } from '../../resources/core/service/allocation/port-bitmap.ts';
import type { ServiceRegisters } from '../../resources/core/service/allocation/service-allocation.ts';
import type { CallPort } from './call-port.ts';

/** What threads call to allocate node ports: all change one bitmap, for which each would otherwise compete. */
export interface PortCalls {
  takePorts(portRequests: readonly (number | undefined)[]): Promise<PortsResult>;
  takenPorts(): Promise<readonly number[]>;
  releasePorts(ports: readonly number[]): Promise<void>;
  /** Resolves once the allocations of earlier servers are repaired. */
  allocationsRepaired(): Promise<void>;
}

/** The functions of the process; `registers` are those of the first thread. */
export function portCalls(registers: Pick<ServiceRegisters, 'ports' | 'repaired'>, range: NodePortRange): PortCalls {
  return {
    takePorts: (portRequests) => registers.ports.take(portRequests),
    async takenPorts() {
      const isTaken = await registers.ports.taken();
      return Array.from({ length: range.size }, (_, index) => range.base + index).filter(isTaken);
    },
    releasePorts: (ports) => registers.ports.release(ports),
    allocationsRepaired: () => registers.repaired(),
  };
}

/** The node ports that the process allocates, for one of its threads. */
export class ProcessPorts implements PortRegister {
  readonly #process: CallPort<PortCalls>;

  constructor(process: CallPort<PortCalls>) {
    this.#process = process;
  }

  take(portRequests: readonly (number | undefined)[]): Promise<PortsResult> {
    return this.#process.call('takePorts', portRequests);
  }

  async taken(): Promise<(port: number) => boolean> {
    const ports = new Set(await this.#process.call('takenPorts', undefined));
    return (port) => ports.has(port);
  }

  release(ports: readonly number[]): Promise<void> {
    return this.#process.call('releasePorts', ports);
  }

  repaired(): Promise<void> {
    return this.#process.call('allocationsRepaired', undefined);
  }
}
