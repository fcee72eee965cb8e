import { Server, ServerCredentials } from '@grpc/grpc-js';
import { WireReader } from '../../src/api/bytes/wire-reader.ts';

/** A span as it has been exported. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: none. */
  readonly parentId: string;
  readonly traceState: string;
  readonly name: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly linkedTraces: readonly string[];
  /** 2: error. */
  readonly statusCode: number;
  readonly scope: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of traces, as OpenTelemetry's protocol over gRPC has it. */
export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** `127.0.0.1:4317` */
  readonly endpoint: string;
  readonly #server: Server;
  #arrived: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  private constructor(server: Server, endpoint: string) {
    this.#server = server;
    this.endpoint = endpoint;
  }

  /** `address`: another one than any port. */
  static async start(address = '127.0.0.1:0'): Promise<Collector> {
    const server = new Server();
    const asIs = (bytes: Buffer): Buffer => bytes;
    const exported = {
      path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    } as const;
    server.addService(
      { Export: exported },
      {
        Export: (call: { request: Buffer }, answer: (error: null, bytes: Buffer) => void) => {
          collector.#take(call.request);
          answer(null, Buffer.alloc(0));
        },
      },
    );
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
    const port = await promise;
    const collector: Collector = new Collector(server, address.endsWith(':0') ? `127.0.0.1:${port}` : address);
    return collector;
  }

  /** Resolves to the spans of a trace once `isAll` holds. */
  async trace(traceId: string, isAll: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (isAll(spans)) return spans;
      // oxlint-disable-next-line no-await-in-loop -- until they have come
      await this.#arrived.promise;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }

  #take(request: Buffer): void {
    this.spans.push(...spansOf(request));
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }
}

type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>;

/** All fields of a message; numbers of fixed size as integers. */
function fieldsOf(message: Uint8Array): Fields {
  const fields = new Map<number, (Uint8Array | bigint)[]>();
  const reader = new WireReader(message);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const value = wireType === 2 ? reader.bytes() : wireType === 0 ? reader.varint() : fixed(reader, wireType);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function fixed(reader: WireReader, wireType: number): bigint {
  const bytes = Buffer.alloc(8);
  if (wireType === 1) bytes.writeDoubleLE(reader.double());
  else bytes.writeFloatLE(reader.float());
  return bytes.readBigUInt64LE();
}

const messages = (fields: Fields, number: number): Uint8Array[] => (fields.get(number) ?? []) as Uint8Array[];
const bytesOf = (fields: Fields, number: number): Buffer => Buffer.from(messages(fields, number)[0] ?? []);
const stringField = (fields: Fields, number: number): string => bytesOf(fields, number).toString();
const numberOf = (fields: Fields, number: number): bigint => (fields.get(number)?.[0] ?? 0n) as bigint;

function spansOf(request: Uint8Array): readonly ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const fields = fieldsOf(ofResource);
    const resource = attributesOf(messages(fieldsOf(bytesOf(fields, 1)), 1));
    return messages(fields, 2).flatMap((ofScope) => {
      const scoped = fieldsOf(ofScope);
      const scope = stringField(fieldsOf(bytesOf(scoped, 1)), 1);
      return messages(scoped, 2).map((span) => spanOf(fieldsOf(span), { resource, scope }));
    });
  });
}

function spanOf(fields: Fields, of: Pick<ReceivedSpan, 'resource' | 'scope'>): ReceivedSpan {
  const hex = (number: number): string => bytesOf(fields, number).toString('hex');
  return {
    traceId: hex(1),
    spanId: hex(2),
    traceState: stringField(fields, 3),
    parentId: hex(4),
    name: stringField(fields, 5),
    kind: Number(numberOf(fields, 6)),
    startNanos: numberOf(fields, 7),
    endNanos: numberOf(fields, 8),
    attributes: attributesOf(messages(fields, 9)),
    events: messages(fields, 11).map((event) => {
      const read = fieldsOf(event);
      return { name: stringField(read, 2), attributes: attributesOf(messages(read, 3)) };
    }),
    linkedTraces: messages(fields, 13).map((link) => bytesOf(fieldsOf(link), 1).toString('hex')),
    statusCode: Number(numberOf(fieldsOf(bytesOf(fields, 15)), 3)),
    ...of,
  };
}

function attributesOf(pairs: readonly Uint8Array[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair);
      return [stringField(fields, 1), valueOf(fieldsOf(bytesOf(fields, 2)))];
    }),
  );
}

function valueOf(any: Fields): unknown {
  if (any.has(1)) return stringField(any, 1);
  if (any.has(2)) return numberOf(any, 2) !== 0n;
  if (any.has(3)) return Number(BigInt.asIntN(64, numberOf(any, 3)));
  if (any.has(4)) return 'a double';
  return undefined;
}
