import { expect, test } from 'vitest';
import {
  type ChangePlaces,
  endpointReconcilers,
  type EndpointReconciler,
  type EndpointReconcilerType,
} from './endpoint-reconcilers.ts';
import { portsOf, type ServerPlaces } from './server-endpoints.ts';
import { SoleLease } from './server-leases.ts';

/** The shared state of a store's servers. */
class Shared {
  readonly leases = new SoleLease();
  places: ServerPlaces | undefined;
  readonly change: ChangePlaces = (next) => {
    this.places = next(this.places) ?? this.places;
    return Promise.resolve();
  };

  server(type: EndpointReconcilerType, address: string, serverCount = 1): EndpointReconciler {
    const own = { address, addresses: [address], ports: portsOf(6443) };
    return endpointReconcilers[type]({ own, leases: this.leases, serverCount, change: this.change });
  }

  get addresses(): readonly string[] | undefined {
    return this.places?.addresses;
  }
}

test('servers are among the endpoints as long as they have leases', async () => {
  const shared = new Shared();
  const [one, other] = [shared.server('lease', '10.0.1.1'), shared.server('lease', '10.0.1.2')];
  await one.join();
  await other.join();
  expect(shared.places).toEqual({ addresses: ['10.0.1.1', '10.0.1.2'], ports: portsOf(6443) });
  await one.leave();
  expect(shared.addresses).toEqual(['10.0.1.2']);
  await other.leave();
  expect(shared.addresses).toEqual([]);
});

test('a server without a lease changes nothing when it leaves, and creates nothing', async () => {
  const shared = new Shared();
  await shared.server('lease', '10.0.1.1').leave();
  await shared.server('master-count', '10.0.1.1').leave();
  expect(shared.places).toBeUndefined();
});

test('a single server corrects the port, others keep it', async () => {
  const shared = new Shared();
  shared.places = { addresses: [], ports: portsOf(1) };
  await shared.server('lease', '10.0.1.1').join();
  expect(shared.places).toEqual({ addresses: ['10.0.1.1'], ports: portsOf(6443) });
  shared.places = { addresses: [], ports: portsOf(2) };
  await shared.server('lease', '10.0.1.2').join();
  expect(shared.places).toEqual({ addresses: ['10.0.1.1', '10.0.1.2'], ports: portsOf(2) });
});

test.each([
  { there: ['10.0.1.2'], count: 2, expected: ['10.0.1.1', '10.0.1.2'] },
  { there: ['10.0.1.2', '10.0.1.3'], count: 2, expected: ['10.0.1.1', '10.0.1.3'] },
  { there: ['10.0.0.1', '10.0.1.2'], count: 2, expected: ['10.0.1.1', '10.0.0.1'] },
  { there: ['10.0.1.1', '10.0.1.2', '10.0.1.3'], count: 1, expected: ['10.0.1.1'] },
])('of $count servers that are counted 10.0.1.1 makes $expected out of $there', async ({ there, count, expected }) => {
  const shared = new Shared();
  shared.places = { addresses: there, ports: portsOf(6443) };
  const server = shared.server('master-count', '10.0.1.1', count);
  await server.join();
  expect(new Set(shared.addresses)).toEqual(new Set(expected));
  await server.leave();
  expect(shared.addresses).not.toContain('10.0.1.1');
});

test('without a reconciler nothing is published', async () => {
  const shared = new Shared();
  await shared.server('none', '10.0.1.1').join();
  expect(shared.places).toBeUndefined();
});
