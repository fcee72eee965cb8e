import { secondsSince } from '../api/time/seconds-since.ts';
import { parseIpAddress } from '../api/values/ip-address.ts';
import { defaultBuckets } from '../api/metrics/buckets.ts';
import type { Metric, MetricDefinition, Sample } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { AddressRegister, Claim, DeclaredRange } from '../resources/core/service/allocation/address-register.ts';
import type { NodePortRange } from '../resources/core/service/allocation/port-bitmap.ts';
import type { PortFinding } from '../resources/core/service/allocation/port-repair.ts';
import type { PortsResult, PortRegister, StoredPorts } from '../resources/core/service/allocation/port-register.ts';
import type { Service } from '../resources/core/service/allocation/service-needs.ts';
import type { ServiceAddresses } from './service-addresses.ts';

type MakeMetric = PartContext['metric'];

const counter = (name: string, help: string, labelNames: readonly string[]): MetricDefinition => {
  return { name, help, type: 'counter', labelNames };
};
const gauge = (name: string, help: string, labelNames: readonly string[]): MetricDefinition => {
  return { name, help, type: 'gauge', overThreads: 'max', labelNames };
};

/** Counts allocated and refused addresses. */
export class MeasuredAddresses implements AddressRegister {
  readonly #register: ServiceAddresses;
  readonly #given: Metric;
  readonly #refused: Metric;
  readonly #duration: Metric;

  constructor(register: ServiceAddresses, metric: MakeMetric) {
    this.#register = register;
    const prefix = 'kube_apiserver_clusterip_allocator';
    this.#given = metric(counter(`${prefix}_allocation_total`, 'Cluster IP allocations.', ['cidr', 'scope']));
    this.#refused = metric(
      counter(`${prefix}_allocation_errors_total`, 'Failed cluster IP allocations.', ['cidr', 'scope']),
    );
    this.#duration = metric({
      name: `${prefix}_allocation_duration_seconds`,
      help: 'Duration of cluster IP allocations, in seconds.',
      type: 'histogram',
      labelNames: ['cidr'],
      buckets: defaultBuckets,
    });
    metric(gauge(`${prefix}_allocated_ips`, 'Allocated cluster IPs.', ['cidr']), () => this.#countEach(0n));
    metric(gauge(`${prefix}_available_ips`, 'Available cluster IPs.', ['cidr']), () => this.#countEach(1n));
  }

  ranges(): Promise<readonly DeclaredRange[]> {
    return this.#register.ranges();
  }

  isKnown(address: string): boolean {
    return this.#register.isKnown(address);
  }

  async claim(address: string, service: Readonly<Service>, claim: Claim): Promise<boolean> {
    const labels = { cidr: claim.range.text, scope: claim.scope };
    const beganMs = performance.now();
    let given = false;
    try {
      given = await this.#register.claim(address, service);
      return given;
    } finally {
      (given ? this.#given : this.#refused).add(labels);
      if (given) this.#duration.observe(secondsSince(beganMs), { cidr: claim.range.text });
    }
  }

  release(address: string, service: Readonly<Service>): Promise<void> {
    return this.#register.release(address, service);
  }

  /** Addresses allocated (0) or free (1) per range. */
  #countEach(left: 0n | 1n): readonly Sample[] {
    const addresses = this.#register.known().flatMap((name) => parseIpAddress(name) ?? []);
    return this.#register.declared.map(({ range }) => {
      const given = BigInt(addresses.filter((address) => range.includes(address)).length);
      return { labels: { cidr: range.text }, value: Number(left === 0n ? given : range.size - given) };
    });
  }
}

/** Counts allocated and refused node ports. */
export class MeasuredPorts implements PortRegister {
  readonly #register: StoredPorts;
  readonly #given: Metric;
  readonly #refused: Metric;

  constructor(register: StoredPorts, range: NodePortRange, metric: MakeMetric) {
    this.#register = register;
    const prefix = 'kube_apiserver_nodeport_allocator';
    this.#given = metric(counter(`${prefix}_allocation_total`, 'Node port allocations.', ['scope']));
    this.#refused = metric(counter(`${prefix}_allocation_errors_total`, 'Failed node port allocations.', ['scope']));
    const taken = (): number => register.takenCount;
    metric(gauge(`${prefix}_allocated_ports`, 'Allocated node ports.', []), () => [{ labels: {}, value: taken() }]);
    metric(gauge(`${prefix}_available_ports`, 'Available node ports.', []), () => [
      { labels: {}, value: range.size - taken() },
    ]);
  }

  async take(portRequests: readonly (number | undefined)[]): Promise<PortsResult> {
    const scopes = portRequests.map((wanted) => ({ scope: wanted === undefined ? 'dynamic' : 'static' }));
    const result = await this.#register.take(portRequests);
    if ('ports' in result) for (const scope of scopes) this.#given.add(scope);
    else this.#refused.add(scopes[result.index]);
    return result;
  }

  taken(): Promise<(port: number) => boolean> {
    return this.#register.taken();
  }

  release(ports: readonly number[]): Promise<void> {
    return this.#register.release(ports);
  }
}

/** Counts findings and failures of the node port repair. */
export class RepairMetrics {
  readonly #problems: Metric;
  readonly #failures: Metric;

  constructor(metric: MakeMetric) {
    const prefix = 'apiserver_nodeport_repair';
    this.#problems = metric(
      counter(`${prefix}_port_errors_total`, 'Inconsistent node ports found by the repair.', ['type']),
    );
    this.#failures = metric(counter(`${prefix}_reconcile_errors_total`, 'Failed repairs of node ports.', []));
  }

  found(findings: readonly PortFinding[]): void {
    for (const { problem } of findings) this.#problems.add({ type: problem });
  }

  failed(): void {
    this.#failures.add();
  }
}
