import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, msUntil } from '../../api/time/deadline.ts';
import { currentSpan, inSpan } from '../../api/contracts/span.ts';
import { StorageError } from '../contract.ts';
import { closedError, isUnsent, isWorthRetrying, storageErrorOf } from './errors.ts';
import type { CallReceiver, GrpcCall } from './grpc-call.ts';
import { type CallOptions, GrpcConnection } from './grpc-connection.ts';
import { GrpcError } from './grpc-status.ts';
import { addressesOf, type EtcdConnection, serversOf } from './servers.ts';

/** The etcd calls in use. */
export const methods = {
  range: '/etcdserverpb.KV/Range',
  transaction: '/etcdserverpb.KV/Txn',
  compact: '/etcdserverpb.KV/Compact',
  leaseGrant: '/etcdserverpb.Lease/LeaseGrant',
  status: '/etcdserverpb.Maintenance/Status',
  defragment: '/etcdserverpb.Maintenance/Defragment',
} as const;
type Method = (typeof methods)[keyof typeof methods];

const watchMethod = '/etcdserverpb.Watch/Watch';

/** etcd ends a watch on a member without a leader instead of letting it starve. */
const requireLeader: CallOptions = { headers: { hasleader: 'true' } };

const pollMs = 20;
const attemptMs = 5000;

interface Member {
  readonly name: string;
  readonly connection: GrpcConnection;
}

/** The members of one etcd cluster: each call goes to the next connected one. */
export class Cluster {
  readonly #members: readonly Member[];
  #next = 0;
  /** The member that gets calls only if no other one is connected. */
  #busy: string | undefined;
  #closed = false;
  #compactedRevision = 0;
  /** Resolves on the next connection; shared by all waiting calls. */
  #connecting: Promise<void> | undefined;

  /** Throws for an invalid address or file. */
  constructor(connection: EtcdConnection) {
    const addressOf = addressesOf(connection);
    this.#members = serversOf(connection).map((server) => ({
      name: server.name,
      connection: new GrpcConnection(addressOf(server)),
    }));
    for (const member of this.#members) isConnected(member);
  }

  /** The latest compaction that is known here. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  compactedAt(revision: number): void {
    this.#compactedRevision = Math.max(this.#compactedRevision, revision);
  }

  get names(): readonly string[] {
    return this.#members.map(({ name }) => name);
  }

  /** Sends a read: retried on another member on failure. Rejects with a StorageError. */
  async read(method: Method, request: Buffer, untilMs: number): Promise<Buffer> {
    for (;;) {
      const member = await this.#connected(untilMs);
      try {
        return await call(member, method, request, this.#attemptUntil(untilMs));
      } catch (error) {
        if (this.#closed) throw closedError();
        if (!isWorthRetrying(error) || msUntil(untilMs) <= 0) throw storageErrorOf(error, 'read');
      }
      await sleep(pollMs);
    }
  }

  /** Sends a write, once. Rejects with a StorageError: `unknown` if it may have been applied. */
  async write(method: Method, request: Buffer, untilMs: number): Promise<Buffer> {
    for (;;) {
      const member = await this.#connected(untilMs);
      try {
        return await call(member, method, request, untilMs);
      } catch (error) {
        if (this.#closed || !isUnsent(error) || msUntil(untilMs) <= 0) throw storageErrorOf(error, 'write');
      }
      await sleep(pollMs);
    }
  }

  /** Calls a specific member. Rejects with a StorageError. */
  async ask(name: string, method: Method, untilMs: number): Promise<Buffer> {
    const member = this.#members.find((candidate) => candidate.name === name);
    if (member === undefined) throw new StorageError('unavailable', `${name} is not a member of the cluster`);
    await this.#reached(member, untilMs);
    try {
      return await call(member, method, Buffer.alloc(0), untilMs);
    } catch (error) {
      throw storageErrorOf(error, 'read');
    }
  }

  /** Defragments a member; the others, if there are any, serve meanwhile. Rejects with a StorageError. */
  async defragment(name: string, untilMs: number): Promise<void> {
    this.#busy = name;
    try {
      await this.ask(name, methods.defragment, untilMs);
    } finally {
      this.#busy = undefined;
    }
  }

  /** Opens a watch stream to a connected member; undefined if there is none. */
  openWatch(receiver: CallReceiver): GrpcCall | undefined {
    if (this.#closed) return undefined;
    try {
      return this.#pick()?.connection.stream(watchMethod, receiver, requireLeader);
    } catch (error) {
      // It has just been lost.
      if (isUnsent(error)) return undefined;
      throw error;
    }
  }

  /** Resolves when a member is connected; rejects with a StorageError at `untilMs` or on close. */
  async connected(untilMs: number): Promise<void> {
    await this.#connected(untilMs);
  }

  /** Calls that have not been answered fail. */
  close(): void {
    this.#closed = true;
    for (const { connection } of this.#members) connection.close();
  }

  /** With several members, one that hangs must not use up all the time. */
  #attemptUntil(untilMs: number): number {
    return this.#members.length === 1 ? untilMs : Math.min(untilMs, deadlineIn(attemptMs));
  }

  async #connected(untilMs: number): Promise<Member> {
    for (;;) {
      if (this.#closed) throw closedError();
      const member = this.#pick();
      if (member !== undefined) return member;
      const remainingMs = msUntil(untilMs);
      if (remainingMs <= 0) throw this.#whyNotConnected();
      this.#connecting ??= this.#nextConnection().finally(() => (this.#connecting = undefined));
      await Promise.race([this.#connecting, sleep(Math.min(remainingMs, 1000))]);
    }
  }

  async #nextConnection(): Promise<void> {
    while (!this.#closed && !this.#members.some(isConnected)) await sleep(pollMs);
  }

  /** Round robin over the connected members. */
  #pick(): Member | undefined {
    const { length } = this.#members;
    let busy: Member | undefined;
    for (let tried = 0; tried < length; tried++) {
      const index = (this.#next + tried) % length;
      const member = this.#members[index];
      if (member === undefined || !isConnected(member)) continue;
      if (member.name === this.#busy) {
        busy = member;
        continue;
      }
      this.#next = index + 1;
      return member;
    }
    return busy;
  }

  /** Waits for the connection to a specific member, or until it cannot be made. */
  async #reached(member: Member, untilMs: number): Promise<void> {
    const { failures } = member.connection;
    while (!isConnected(member)) {
      if (this.#closed) throw closedError();
      if (member.connection.failures > failures || msUntil(untilMs) <= 0)
        throw new StorageError('unavailable', failureOf(member));
      await sleep(pollMs);
    }
  }

  /** The errors with which connecting fails. */
  #whyNotConnected(): StorageError {
    const why = this.#members.map((member) => `${member.name}: ${failureOf(member)}`);
    return new StorageError('timeout', `etcd cannot be reached (${why.join('; ')})`);
  }
}

/** Whether a member is connected; triggers a connection attempt. */
function isConnected({ connection }: Member): boolean {
  return connection.isReady;
}

function failureOf({ connection }: Member): string {
  return connection.failure ?? 'not connected in time';
}

function call(member: Member, method: Method, request: Buffer, untilMs: number): Promise<Buffer> {
  const above = currentSpan();
  if (above === undefined) return member.connection.unary(method, request, untilMs);
  const name = method.slice(1);
  const { host, port } = placeOf(member);
  const attributes = { 'rpc.method': name, 'rpc.system.name': 'grpc', 'server.address': host };
  const span = above.child(name, port === '' ? attributes : { ...attributes, 'server.port': Number(port) }, 'client');
  return inSpan(span, async () => {
    try {
      const response = await member.connection.unary(method, request, untilMs, { headers: span.headers });
      span.set({ 'rpc.response.status_code': 'OK' });
      return response;
    } catch (error) {
      if (error instanceof GrpcError) span.set({ 'rpc.response.status_code': error.code });
      span.fail();
      throw error;
    }
  });
}

function placeOf({ name }: Member): { readonly host: string; readonly port: string } {
  const place = name.slice(name.indexOf('//') + 1).replace('/', '');
  const colon = place.lastIndexOf(':');
  return colon === -1 ? { host: place, port: '' } : { host: place.slice(0, colon), port: place.slice(colon + 1) };
}
