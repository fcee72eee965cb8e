import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type ClientUnaryCall,
  connectivityState,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { systemClock } from '../../api/clock.ts';
import { deadlineIn, msUntil } from '../../api/deadline.ts';
import { currentSpan, inSpan } from '../../api/span.ts';
import { StorageError } from '../contract.ts';
import { closedError, isServiceError, isUnsent, isWorthRetrying, storageErrorOf } from './errors.ts';
import { credentialsOf, type EtcdConnection, nameOptions, serversOf } from './servers.ts';

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

export type WatchCall = ClientDuplexStream<Buffer, Buffer>;

const channelOptions: ChannelOptions = {
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc-node.flow_control_window': 1 << 20,
  // Channels are not shared between clusters, and there is no proxy in front of etcd.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
};

/** etcd ends a watch on a member without a leader instead of letting it starve. */
const requireLeader = new Metadata();
requireLeader.set('hasleader', 'true');

const pollMs = 20;
const attemptMs = 5000;

interface Member {
  readonly name: string;
  readonly client: Client;
  /** Those that have not been answered. */
  readonly calls: Set<ClientUnaryCall>;
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
    const credentials = credentialsOf(connection);
    this.#members = serversOf(connection).map((server) => ({
      name: server.name,
      client: new Client(server.target, credentials(server), { ...channelOptions, ...nameOptions(server) }),
      calls: new Set(),
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
  openWatch(): WatchCall | undefined {
    if (this.#closed) return undefined;
    return this.#pick()?.client.makeBidiStreamRequest(watchMethod, asIs, asIs, requireLeader);
  }

  /** Resolves when a member is connected; rejects with a StorageError at `untilMs` or on close. */
  async connected(untilMs: number): Promise<void> {
    await this.#connected(untilMs);
  }

  /** Calls that have not been answered fail. */
  close(): void {
    this.#closed = true;
    for (const { client, calls } of this.#members) {
      for (const running of calls) running.cancel();
      client.close();
    }
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
      if (remainingMs <= 0) throw await this.#whyNotConnected();
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

  /** The connection error with which calls fail. */
  async #whyNotConnected(): Promise<StorageError> {
    const why = await Promise.all(
      this.#members.map(async (member) => {
        const failure = await call(member, methods.status, Buffer.alloc(0), deadlineIn(50)).catch(
          (error: unknown) => error,
        );
        return `${member.name}: ${isServiceError(failure) ? shortDetails(failure) : 'not connected in time'}`;
      }),
    );
    return new StorageError('timeout', `etcd cannot be reached (${why.join('; ')})`);
  }
}

/** Also triggers a connection attempt. */
function isConnected({ client }: Member): boolean {
  return client.getChannel().getConnectivityState(true) === connectivityState.READY;
}

function call(member: Member, method: Method, request: Buffer, untilMs: number): Promise<Buffer> {
  const above = currentSpan();
  if (above === undefined) return send(member, method, { request, untilMs });
  const name = method.slice(1);
  const { host, port } = placeOf(member);
  const attributes = { 'rpc.method': name, 'rpc.system.name': 'grpc', 'server.address': host };
  const span = above.child(name, port === '' ? attributes : { ...attributes, 'server.port': Number(port) }, 'client');
  return inSpan(span, async () => {
    const metadata = Metadata.fromHttp2Headers(span.headers);
    try {
      const answer = await send(member, method, { request, untilMs, metadata });
      span.set({ 'rpc.response.status_code': 'OK' });
      return answer;
    } catch (error) {
      if (isServiceError(error)) span.set({ 'rpc.response.status_code': status[error.code] });
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

interface Sent {
  readonly request: Buffer;
  readonly untilMs: number;
  readonly metadata?: Metadata;
}

const noMetadata = new Metadata();

function send(member: Member, method: Method, { request, untilMs, metadata = noMetadata }: Sent): Promise<Buffer> {
  const { client, calls } = member;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // gRPC knows times of the system's clock only.
  const deadline = systemClock.now() + msUntil(untilMs);
  const sent = client.makeUnaryRequest(method, asIs, asIs, request, metadata, { deadline }, (error, answer) => {
    calls.delete(sent);
    if (error === null && answer !== undefined) resolve(answer);
    else reject(error ?? new Error('etcd returned an empty response'));
  });
  calls.add(sent);
  return promise;
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

/** gRPC repeats the cause: `No connection established. Last error: Error: connect ECONNREFUSED ...`. */
function shortDetails({ details }: ServiceError): string {
  const [told = ''] = details.split(/\.? ?Resolution note:/, 1);
  return told.replace(/^No connection established\. Last error: (?:Error: )?/, '');
}
