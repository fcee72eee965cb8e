import { beforeEach, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../api/meta/object.ts';
import type { AddressRegister, DeclaredRange } from './address-register.ts';
import type { PortsResult, PortRegister } from './port-register.ts';
import { serviceAllocation } from './service-allocation.ts';
import type { Service, ServiceSpec } from './service-needs.ts';
import { ServiceRange } from './service-range.ts';

const lasting = { dryRun: false, context: { requestVersion: 'v1' } };
const trying = { ...lasting, dryRun: true };

/** The shared state of a store's servers, in memory. */
class MemoryRegisters implements AddressRegister, PortRegister {
  declared: DeclaredRange[] = [];
  readonly addresses = new Set<string>();
  readonly takenPorts = new Set<number>();
  /** Number of calls that allocate or release ports. */
  portCalls = 0;

  declare(text: string, isReady = true): void {
    const range = ServiceRange.parse(text);
    if (range !== undefined) this.declared.push({ range, isReady });
  }

  ranges(): Promise<readonly DeclaredRange[]> {
    return Promise.resolve(this.declared);
  }

  isKnown(address: string): boolean {
    return this.addresses.has(address);
  }

  claim(address: string): Promise<boolean> {
    const isFree = !this.addresses.has(address);
    this.addresses.add(address);
    return Promise.resolve(isFree);
  }

  release(what: string | readonly number[]): Promise<void> {
    if (typeof what === 'string') this.addresses.delete(what);
    else {
      if (what.length > 0) this.portCalls += 1;
      for (const port of what) this.takenPorts.delete(port);
    }
    return Promise.resolve();
  }

  take(portRequests: readonly (number | undefined)[]): Promise<PortsResult> {
    this.portCalls += 1;
    const ports = portRequests.map((portRequest, index) => portRequest ?? 32_000 + this.takenPorts.size + index);
    const index = ports.findIndex((port) => this.takenPorts.has(port));
    if (index >= 0) return Promise.resolve({ index, refusal: 'taken' });
    for (const port of ports) this.takenPorts.add(port);
    return Promise.resolve({ ports });
  }

  taken(): Promise<(port: number) => boolean> {
    return Promise.resolve((port) => this.takenPorts.has(port));
  }
}

let registers: MemoryRegisters;

beforeEach(() => {
  registers = new MemoryRegisters();
  registers.declare('10.0.0.0/24');
});

function service(spec: ServiceSpec, name = 'web'): KubernetesObject & Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { type: 'ClusterIP', ...spec } };
}

function allocation(clusterIpRanges: readonly string[] = ['10.0.0.0/24']) {
  return serviceAllocation({
    clusterIpRanges,
    nodePortRange: { base: 30_000, size: 2_768 },
    disabledPolicies: new Set(),
    registers: () => ({ addresses: registers, ports: registers, repaired: () => Promise.resolve() }),
  });
}

async function create(spec: ServiceSpec, scope = lasting, ranges?: readonly string[]): Promise<Service> {
  const made = service(spec);
  const finish = await allocation(ranges).beginCreate?.(made, scope);
  await finish?.(true);
  return made;
}

test('a service gets an address from the dynamic part of the range', async () => {
  const { spec } = await create({});
  expect(spec).toMatchObject({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  expect(spec?.clusterIPs).toEqual([spec?.clusterIP]);
  expect(Number(spec?.clusterIP?.split('.')[3])).toBeGreaterThan(16);
  expect([...registers.addresses]).toEqual(spec?.clusterIPs);
  expect(registers.portCalls).toBe(0);
});

test('all addresses of all ready ranges are allocated, and then none are left', async () => {
  registers.declared = [];
  registers.declare('10.0.0.0/29');
  registers.declare('10.9.0.0/29', false);
  registers.declare('10.1.0.0/29');
  const given = new Set<string>();
  for (let made = 0; made < 12; made++) given.add((await create({})).spec?.clusterIP ?? '');
  expect(given.size).toBe(12);
  expect([...given].every((address) => /^10\.[01]\.0\.[1-6]$/.test(address))).toBe(true);
  await expect(create({})).rejects.toThrow('failed to allocate a serviceIP for Service "web": range is full');
});

test('an address stays allocated until its service is deleted', async () => {
  const stored = await create({ clusterIP: '10.0.0.9' });
  await expect(create({ clusterIP: '10.0.0.9' })).rejects.toThrow(
    'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated',
  );
  await allocation().afterDelete?.(stored);
  await expect(create({ clusterIP: '10.0.0.9' })).resolves.toBeDefined();
});

test('no address is allocated from a terminating range', async () => {
  registers.declared = [];
  registers.declare('10.0.0.0/24', false);
  await expect(create({ clusterIP: '10.0.0.9' })).rejects.toThrow(
    'failed to allocate IP 10.0.0.9: the provided network does not match the current range',
  );
  await expect(create({ clusterIP: '10.0.0.9' }, trying)).rejects.toThrow('allocator not ready');
});

test('neither the network nor the broadcast address is allocated', async () => {
  for (const clusterIP of ['10.0.0.0', '10.0.0.255', '10.0.1.1']) {
    await expect(create({ clusterIP })).rejects.toThrow('does not match the current range');
  }
});

test('a failed write releases its allocations, a dry run allocates nothing', async () => {
  const spec = { type: 'NodePort', clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 31_000 }] };
  const finish = await allocation().beginCreate?.(service(structuredClone(spec)), lasting);
  await expect(create({ ...spec, clusterIP: '10.0.0.8' })).rejects.toThrow(
    'spec.ports[0].nodePort: Invalid value: 31000: provided port is already',
  );
  expect([...registers.addresses]).toEqual(['10.0.0.9']);
  await finish?.(false);
  expect([registers.addresses.size, registers.takenPorts.size]).toEqual([0, 0]);
  const tried = await create({ type: 'NodePort', ports: [{ port: 80 }, { port: 81 }] }, trying);
  expect(tried.spec).toMatchObject({ clusterIP: '10.0.0.0', ports: [{ nodePort: 32_769 }, { nodePort: 32_770 }] });
  expect([registers.addresses.size, registers.takenPorts.size]).toEqual([0, 0]);
});

test('if a second address is unavailable the first is released', async () => {
  const ranges = ['10.0.0.0/24', 'fd00::/120'];
  await expect(create({ ipFamilyPolicy: 'RequireDualStack' }, lasting, ranges)).rejects.toThrow('range is full');
  expect(registers.addresses.size).toBe(0);
  registers.declare('fd00::/120');
  const { spec } = await create({ ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.0.0.7' }, lasting, ranges);
  expect(spec?.clusterIPs).toEqual(['10.0.0.7', expect.stringMatching(/^fd00::/)]);
  expect([...registers.addresses]).toEqual(spec?.clusterIPs);
});

test('ports with the same number share a node port', async () => {
  const { spec } = await create({
    type: 'NodePort',
    ports: [
      { port: 53, protocol: 'TCP' },
      { port: 53, protocol: 'UDP', nodePort: 31_053 },
      { port: 80, protocol: 'TCP' },
    ],
  });
  const [tcp, udp, web] = (spec?.ports ?? []).map(({ nodePort }) => nodePort);
  expect([tcp, udp]).toEqual([31_053, 31_053]);
  expect([...registers.takenPorts]).toEqual([31_053, web]);
});

test('a load balancer may opt out of node ports, except those it requests', async () => {
  const { spec } = await create({
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    ports: [{ port: 80, protocol: 'TCP', nodePort: 31_080 }, { port: 80, protocol: 'UDP' }, { port: 81 }],
  });
  expect(spec?.ports?.map(({ nodePort }) => nodePort)).toEqual([31_080, undefined, undefined]);
});

test('an update releases node ports that are no longer used, and keeps the others implicitly', async () => {
  const old = await create({
    type: 'NodePort',
    ports: [
      { port: 80, nodePort: 31_000 },
      { port: 81, nodePort: 31_001 },
    ],
  });
  const update = async (spec: ServiceSpec): Promise<void> => {
    const finish = await allocation().beginUpdate?.(service(spec), old as KubernetesObject & Service, lasting);
    await finish?.(true);
  };
  const calls = registers.portCalls;
  await update({ ...structuredClone(old.spec), selector: { app: 'web' } });
  expect(registers.portCalls).toBe(calls);
  await update({ ...structuredClone(old.spec), ports: [{ port: 80, nodePort: 31_000 }] });
  expect([...registers.takenPorts]).toEqual([31_000]);
  await update({ ...structuredClone(old.spec), type: 'ClusterIP' });
  expect(registers.takenPorts.size).toBe(0);
});

test('a service that becomes an ExternalName releases its address', async () => {
  const old = (await create({})) as KubernetesObject & Service;
  const changed = service({ ...structuredClone(old.spec), type: 'ExternalName', externalName: 'example.com' });
  const finish = await allocation().beginUpdate?.(changed, old, lasting);
  expect(registers.addresses.size).toBe(1);
  await finish?.(true);
  expect(registers.addresses.size).toBe(0);
});

test('headless services and ExternalNames have no address', async () => {
  const headless = await create({ clusterIP: 'None', selector: { app: 'web' } });
  expect(headless.spec).toMatchObject({ clusterIPs: ['None'], ipFamilies: ['IPv4'] });
  const elsewhere = await create({ type: 'ExternalName', externalName: 'example.com' });
  expect(elsewhere.spec).toEqual({ type: 'ExternalName', externalName: 'example.com' });
  expect(registers.addresses.size).toBe(0);
});
