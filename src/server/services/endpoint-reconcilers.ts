import type { ServerLeases } from './server-leases.ts';
import type { ServerPlaces } from './server-endpoints.ts';

/** Changes the endpoints of the servers to what `next` makes of the present ones, which are undefined when there are none to go by; undefined: they stay. */
export type ChangePlaces = (next: NextPlaces) => Promise<void>;
export type NextPlaces = (places: ServerPlaces | undefined) => ServerPlaces | undefined;

export interface ReconcilerContext {
  /** Where this server is reached. */
  readonly own: ServerPlaces & { readonly address: string };
  readonly leases: ServerLeases;
  /** How many servers there are, for those who go by that. */
  readonly serverCount: number;
  readonly change: ChangePlaces;
}

/** Keeps the endpoints of the service `kubernetes`. */
export interface EndpointReconciler {
  /** This server is there, and says so again every few seconds. */
  join(): Promise<void>;
  /** This server goes, or was there before it started and is not ready yet. */
  leave(): Promise<void>;
}

/** By the values of `--endpoint-reconciler-type`. */
export const endpointReconcilers = {
  lease: leaseReconciler,
  'master-count': countReconciler,
  none: (): EndpointReconciler => ({ join: () => Promise.resolve(), leave: () => Promise.resolve() }),
} as const satisfies { readonly [type: string]: (context: ReconcilerContext) => EndpointReconciler };

export type EndpointReconcilerType = keyof typeof endpointReconcilers;

/** The servers that have leases. */
function leaseReconciler({ own, leases, change }: ReconcilerContext): EndpointReconciler {
  const follow = async (): Promise<void> => {
    const addresses = await leases.list();
    await change((places) => {
      if (addresses.length === 0 && places === undefined) return undefined;
      // All servers of the service have one port: that of those who were there first.
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

/** As many servers as there are said to be: each adds itself, and takes away whoever is one too many. */
function countReconciler({ own, serverCount, change }: ReconcilerContext): EndpointReconciler {
  return {
    join: () =>
      change((places) => {
        const { addresses, ports } = places ?? { addresses: [], ports: own.ports };
        const all = [...new Set([...addresses, own.address])].toSorted();
        const at = all.indexOf(own.address);
        // Those after this server go first, then those at the beginning.
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
