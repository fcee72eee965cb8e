import type { ServerLeases } from './server-leases.ts';
import type { ServerPlaces } from './server-endpoints.ts';

/**
 * Sets the endpoints of the servers to the result of `next` for the current ones (undefined if there are none usable);
 * an undefined result keeps them.
 */
export type ChangePlaces = (next: NextPlaces) => Promise<void>;
export type NextPlaces = (places: ServerPlaces | undefined) => ServerPlaces | undefined;

export interface ReconcilerContext {
  /** Address and ports of this server. */
  readonly own: ServerPlaces & { readonly address: string };
  readonly leases: ServerLeases;
  /** Number of servers, for `master-count`. */
  readonly serverCount: number;
  readonly change: ChangePlaces;
}

/** Maintains the endpoints of the `kubernetes` service. */
export interface EndpointReconciler {
  /** Adds this server; repeated every few seconds. */
  join(): Promise<void>;
  /** Removes this server: on shutdown, or at the start if it is still listed but not ready. */
  leave(): Promise<void>;
}

/** By value of `--endpoint-reconciler-type`. */
export const endpointReconcilers = {
  lease: leaseReconciler,
  'master-count': countReconciler,
  none: (): EndpointReconciler => ({ join: () => Promise.resolve(), leave: () => Promise.resolve() }),
} as const satisfies { readonly [type: string]: (context: ReconcilerContext) => EndpointReconciler };

export type EndpointReconcilerType = keyof typeof endpointReconcilers;

/** The servers with a lease. */
function leaseReconciler({ own, leases, change }: ReconcilerContext): EndpointReconciler {
  const follow = async (): Promise<void> => {
    const addresses = await leases.list();
    await change((places) => {
      if (addresses.length === 0 && places === undefined) return undefined;
      // All servers of the service must have the same port: the first server's.
      const isAlone = addresses.every((address) => address === own.address);
      return { addresses, ports: places === undefined || isAlone ? own.ports : places.ports };
    });
  };
  return {
    async join() {
      await leases.renew(own.address);
      await follow();
    },
    async leave() {
      if (await leases.remove(own.address)) await follow();
    },
  };
}

/** A fixed number of servers: each adds itself and removes those in excess. */
function countReconciler({ own, serverCount, change }: ReconcilerContext): EndpointReconciler {
  return {
    join: () =>
      change((places) => {
        const { addresses, ports } = places ?? { addresses: [], ports: own.ports };
        const all = [...new Set([...addresses, own.address])].toSorted();
        const at = all.indexOf(own.address);
        // Those after this server are removed first, then those at the beginning.
        const kept = [...all.slice(at), ...all.slice(0, at)];
        const excess = Math.max(0, kept.length - serverCount);
        return { addresses: [own.address, ...kept.slice(1 + excess)], ports };
      }),
    leave: () =>
      change((places) => {
        if (places === undefined) return undefined;
        return { ...places, addresses: places.addresses.filter((address) => address !== own.address) };
      }),
  };
}
