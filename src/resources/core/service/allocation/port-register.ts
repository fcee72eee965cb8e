import type { KubernetesObject } from '../../../../api/meta/object.ts';
import type { UnservedObject } from '../../../../registry/stored/unserved-objects.ts';
import { formatPortRange, type NodePortRange, parsePortRange, PortBitmap } from './port-bitmap.ts';
import { PortRepair, type PortFinding } from './port-repair.ts';
import type { Service } from './service-needs.ts';

export type PortRefusal = 'outside' | 'taken' | 'full';

/** The allocated ports, or why the one at `index` is refused; then none is allocated. */
export type PortsResult =
  | { readonly ports: readonly number[] }
  | { readonly index: number; readonly refusal: PortRefusal };

/** The node ports allocated to services, shared by all servers of the store. */
export interface PortRegister {
  /** Allocates a port per demand; undefined: any. */
  take(portRequests: readonly (number | undefined)[]): Promise<PortsResult>;
  /** The ports allocated now. */
  taken(): Promise<(port: number) => boolean>;
  /** Does not throw: repair later finds ports that could not be released. */
  release(ports: readonly number[]): Promise<void>;
}

export interface StoredPortsOptions {
  readonly range: NodePortRange;
  /** Where the bitmap is stored. */
  readonly place: UnservedObject;
  /** All stored services, and where there are others that cannot be read. */
  listServices(): Promise<{ readonly objects: readonly KubernetesObject[]; readonly unreadable: ReadonlySet<string> }>;
  onError(error: unknown): void;
}

interface Known {
  readonly ports: PortBitmap;
  readonly modRevision: number;
}

interface Change {
  /** Applies the change, or refuses it and changes nothing. */
  readonly apply: (ports: PortBitmap) => PortsResult;
  readonly resolve: (result: PortsResult) => void;
  readonly fail: (error: unknown) => void;
}

/** How often a repair is retried on conflicts. */
const repairAttempts = 8;

/**
 * Keeps the ports in one bitmap in the store, which all servers update by compare-and-put. Concurrent requests are
 * batched into one write. That write detects changes by others; outcomes without a write, such as refusals, are based
 * on a freshly read bitmap.
 */
export class StoredPorts implements PortRegister {
  readonly #options: StoredPortsOptions;
  readonly #repair: PortRepair;
  /** As last read or written. */
  #known: Known | undefined;
  #waiting: Change[] = [];
  #isWorking = false;
  #repaired: Promise<unknown> | undefined;

  constructor(options: StoredPortsOptions) {
    this.#options = options;
    this.#repair = new PortRepair(options.range);
  }

  take(portRequests: readonly (number | undefined)[]): Promise<PortsResult> {
    return this.#change((ports) => takeFrom(ports, portRequests));
  }

  async taken(): Promise<(port: number) => boolean> {
    const { ports } = await this.#read();
    return (port) => ports.has(port);
  }

  async release(released: readonly number[]): Promise<void> {
    if (released.length === 0) return;
    try {
      await this.#change((ports) => {
        for (const port of released) ports.clear(port);
        return { ports: [] };
      });
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** The number of allocated ports that this server knows of. */
  get takenCount(): number {
    return this.#known?.ports.taken ?? 0;
  }

  /** Rebuilds the bitmap from the stored services. Returns the findings. */
  async repair(): Promise<readonly PortFinding[]> {
    const { place, range } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      // Services are listed after the bitmap is read: a port allocated before belongs to one of them, or to one about
      // to be written.
      const { object, modRevision } = await place.read();
      const stored = bitmapOf(object) ?? new PortBitmap(range);
      const { objects, unreadable } = await this.#options.listServices();
      if (object === undefined && unreadable.size > 0) throw portsUnknown(unreadable);
      const services = objects as readonly Service[]; // decoded by their schema
      const plan = this.#repair.plan(stored, { services, areAll: unreadable.size === 0 });
      const { ports, findings } = plan;
      const isSame = object !== undefined && sameRange(stored.range, range) && ports.equals(stored);
      const written = isSame ? modRevision : await this.#write(ports, modRevision);
      if (written !== undefined) {
        plan.finish();
        this.#known = { ports, modRevision: written };
        this.#repaired ??= Promise.resolve();
        return findings;
      }
      if (attempt === repairAttempts)
        throw new Error('the allocated node ports cannot be repaired: others change them');
    }
  }

  #change(apply: Change['apply']): Promise<PortsResult> {
    const { promise, resolve, reject } = Promise.withResolvers<PortsResult>();
    this.#waiting.push({ apply, resolve, fail: reject });
    if (!this.#isWorking) void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      const changes = this.#waiting.splice(0);
      try {
        const responses = await this.#changeAll(changes);
        for (const [index, { resolve }] of changes.entries()) resolve(responses[index] ?? { ports: [] });
      } catch (error) {
        this.#known = undefined;
        for (const { fail } of changes) fail(error);
      }
    }
    this.#isWorking = false;
  }

  async #changeAll(changes: readonly Change[]): Promise<readonly PortsResult[]> {
    let { known, isFresh } =
      this.#known === undefined ? { known: await this.#read(), isFresh: true } : { known: this.#known, isFresh: false };
    for (;;) {
      const ports = known.ports.copy();
      const responses = changes.map(({ apply }) => apply(ports));
      const isSame = ports.equals(known.ports);
      // Only a write detects changes by others.
      if (isFresh || !(isSame || responses.some((response) => 'refusal' in response))) {
        const written = isSame ? known.modRevision : await this.#write(ports, known.modRevision);
        if (written !== undefined) {
          this.#known = { ports, modRevision: written };
          return responses;
        }
      }
      known = await this.#read();
      isFresh = true;
    }
  }

  /** Undefined on a conflict. */
  async #write(ports: PortBitmap, expected: number): Promise<number | undefined> {
    const object = { range: formatPortRange(ports.range), data: Buffer.from(ports.stored()).toString('base64') };
    return this.#options.place.replace(object, expected);
  }

  async #read(): Promise<Known> {
    const { place, range } = this.#options;
    // Nothing is allocated before the first repair: the range may have changed.
    await (this.#repaired ??= this.repair().catch((error: unknown) => {
      this.#repaired = undefined;
      throw error;
    }));
    let { object, modRevision } = await place.read();
    if (object === undefined) {
      await this.repair();
      ({ object, modRevision } = await place.read());
    }
    const ports = bitmapOf(object);
    if (ports === undefined || !sameRange(ports.range, range)) {
      throw new Error('the provided range does not match the current range');
    }
    return { ports, modRevision };
  }
}

/** They cannot be found in services again. */
function portsUnknown(unreadable: ReadonlySet<string>): Error {
  return new Error(`the node ports of services that cannot be read are not known: ${[...unreadable].join(', ')}`);
}

function takeFrom(ports: PortBitmap, portRequests: readonly (number | undefined)[]): PortsResult {
  const taken: number[] = [];
  for (const [index, portRequest] of portRequests.entries()) {
    const port = portRequest ?? ports.findFree();
    const refusal = port === undefined ? 'full' : refusalOf(ports, port);
    if (port === undefined || refusal !== undefined) {
      for (const other of taken) ports.clear(other);
      return { index, refusal: refusal ?? 'full' };
    }
    ports.set(port);
    taken.push(port);
  }
  return { ports: taken };
}

function refusalOf(ports: PortBitmap, port: number): PortRefusal | undefined {
  if (!ports.includes(port)) return 'outside';
  return ports.has(port) ? 'taken' : undefined;
}

function sameRange(one: NodePortRange, other: NodePortRange): boolean {
  return one.base === other.base && one.size === other.size;
}

function bitmapOf(object: Readonly<Record<string, unknown>> | undefined): PortBitmap | undefined {
  const { range, data } = object ?? {};
  const parsed = typeof range === 'string' ? parsePortRange(range) : undefined;
  if (parsed === undefined) return undefined;
  return new PortBitmap(parsed, Buffer.from(typeof data === 'string' ? data : '', 'base64'));
}
