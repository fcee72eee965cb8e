import { expect, test } from 'vitest';
import { PortBitmap } from './port-bitmap.ts';
import { PortRepair } from './port-repair.ts';
import type { Service, ServiceSpec } from './service-needs.ts';

const range = { base: 30_000, size: 100 };

function service(name: string, spec: ServiceSpec): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}

function bitmap(...taken: number[]): PortBitmap {
  const ports = new PortBitmap(range);
  for (const port of taken) ports.set(port);
  return ports;
}

test('the ports of a service are allocated, whatever was stored', () => {
  const services = [
    service('one', { ports: [{ port: 1, nodePort: 30_001 }], healthCheckNodePort: 30_002 }),
    service('other', { ports: [{ port: 1, nodePort: 30_001 }, { port: 2, nodePort: 4 }, { port: 3 }] }),
  ];
  const { ports, findings } = new PortRepair(range).plan(bitmap(30_001), { services, areAll: true });
  expect([...ports.ports()]).toEqual([30_001, 30_002]);
  expect(findings.map(({ problem, port, service: owner }) => `${problem} ${port} ${owner?.metadata.name}`)).toEqual([
    'repair 30002 one',
    'duplicate 30001 other',
    'outOfRange 4 other',
  ]);
});

test('protocols may share a port, ports of the same protocol may not', () => {
  const shared = service('shared', {
    ports: [
      { port: 1, nodePort: 30_001, protocol: 'TCP' },
      { port: 1, nodePort: 30_001, protocol: 'UDP' },
    ],
  });
  expect(new PortRepair(range).plan(bitmap(30_001), { services: [shared], areAll: true }).findings).toEqual([]);
  const doubled = service('doubled', {
    ports: [
      { port: 1, nodePort: 30_001 },
      { port: 2, nodePort: 30_001 },
    ],
  });
  expect(new PortRepair(range).plan(bitmap(30_001), { services: [doubled], areAll: true }).findings).toMatchObject([
    { problem: 'duplicate' },
  ]);
});

test('a port without a service is free after the third pass', () => {
  const repair = new PortRepair(range);
  const look = (): readonly string[] => {
    const { ports, findings, finish } = repair.plan(bitmap(30_005), { services: [], areAll: true });
    finish();
    return [...findings.map(({ problem }) => problem), ...[...ports.ports()].map(String)];
  };
  expect([look(), look(), look()]).toEqual([['30005'], ['30005'], ['leak']]);
});

test('while services cannot be read, ports without a service are kept', () => {
  const repair = new PortRepair(range);
  for (let look = 0; look < 5; look++) {
    const { ports, findings, finish } = repair.plan(bitmap(30_005), { services: [], areAll: false });
    finish();
    expect(findings).toEqual([]);
    expect([...ports.ports()]).toEqual([30_005]);
  }
});

test('a failed write does not count as a pass', () => {
  const repair = new PortRepair(range);
  for (let look = 0; look < 5; look++) repair.plan(bitmap(30_005), { services: [], areAll: true });
  expect(repair.plan(bitmap(30_005), { services: [], areAll: true }).findings).toEqual([]);
});
