import { connect, type Socket } from 'node:net';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { WireReader } from '../../src/api/bytes/wire-reader.ts';
import { WireWriter } from '../../src/api/bytes/wire-writer.ts';
import { farAddress, type Proxy } from './proxies.ts';

/** What konnectivity is asked: the content of a packet by the numbers of its fields. */
interface Packet {
  readonly type: number;
  readonly content: ReadonlyMap<number, bigint | Buffer>;
}

type Call = ServerDuplexStream<Buffer, Buffer>;

/** The numbers of `client.proto`. */
const types = { dialRequest: 0, dialResponse: 1, closeRequest: 2, closeResponse: 3, data: 4, closeDial: 5 } as const;
const fields = [2, 3, 5, 6, 4, 7];

/** A konnectivity server at a socket: it connects to whatever address it is asked for. */
export async function startKonnectivity(path: string): Promise<Proxy> {
  const targets: string[] = [];
  return await serve(path, targets, (call, address, random) => {
    const { hostname, port } = new URL(`http://${address}`);
    const behind = connect(Number(port), hostname === farAddress ? '127.0.0.1' : hostname);
    const connectId = BigInt(targets.length);
    behind.once('connect', () => send(call, types.dialResponse, dialed({ connectId, random })));
    behind.once('error', (error) => send(call, types.dialResponse, dialed({ error: error.message, random })));
    behind.on('data', (data: Buffer) => {
      if (send(call, types.data, new WireWriter().bigint(1, connectId).bytes(3, data))) return;
      behind.pause();
      call.once('drain', () => behind.resume());
    });
    behind.once('end', () => send(call, types.closeResponse, new WireWriter().bigint(2, connectId)));
    call.once('close', () => behind.destroy());
    return behind;
  });
}

/** What a bad one does, by the first label of the host that it is asked for. */
export const tunnelMisdeeds: { readonly [name: string]: (call: Call, random: bigint) => unknown } = {
  refusing: (call, random) => send(call, types.dialResponse, dialed({ error: 'No agent available', random })),
  declining: (call, random) => send(call, types.closeDial, new WireWriter().bigint(1, random)),
  ending: (call) => call.end(),
  babbling: (call) => call.write(Buffer.from('hello')),
  failing: (call) => call.emit('error', { code: 14, details: 'no more' }),
  closing(call, random) {
    send(call, types.dialResponse, dialed({ connectId: 7n, random }));
    // At the first data.
    call.once('data', () => send(call, types.closeResponse, new WireWriter().bigint(2, 7n)));
  },
};

export async function startBadKonnectivity(path: string): Promise<AsyncDisposable> {
  return await serve(path, [], (call, address, random) => {
    const [name = ''] = address.split('.', 1);
    tunnelMisdeeds[name]?.(call, random);
    return undefined;
  });
}

type Dial = (call: Call, address: string, random: bigint) => Socket | undefined;

async function serve(path: string, targets: string[], dial: Dial): Promise<Proxy> {
  const server = new Server();
  const asIs = (bytes: Buffer): Buffer => bytes;
  const method = { path: '/ProxyService/Proxy', requestStream: true, responseStream: true };
  const codec = {
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
  server.addService(
    { proxy: { ...method, ...codec } },
    {
      proxy(call: Call) {
        let behind: Socket | undefined;
        call.on('error', () => undefined);
        call.on('data', (bytes: Buffer) => {
          const { type, content } = read(bytes);
          if (type === types.dialRequest) {
            targets.push(String(content.get(2)));
            behind = dial(call, String(content.get(2)), content.get(3) as bigint); // a number in the protocol
          } else if (type === types.data && content.has(3)) behind?.write(content.get(3) as Buffer);
          else if (type === types.closeRequest) {
            behind?.destroy();
            send(call, types.closeResponse, new WireWriter().bigint(2, content.get(1) as bigint));
          }
        });
      },
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return {
    port: 0,
    targets,
    clients: new Set(),
    [Symbol.asyncDispose]: () => Promise.resolve(server.forceShutdown()),
  };
}

interface Dialed {
  readonly error?: string;
  readonly connectId?: bigint;
  readonly random: bigint;
}

function dialed({ error = '', connectId = 0n, random }: Dialed): WireWriter {
  return new WireWriter().bytes(1, Buffer.from(error)).bigint(2, connectId).bigint(3, random);
}

function send(call: Call, type: number, content: WireWriter): boolean {
  return call.write(
    new WireWriter()
      .integer(1, type)
      .message(fields[type] ?? 0, content)
      .finish(),
  );
}

function read(bytes: Buffer): Packet {
  let type = 0;
  let content: Packet['content'] = new Map();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number } = reader.tag();
    if (number === 1) type = reader.integer();
    else content = contentOf(reader.bytes());
  }
  return { type, content };
}

function contentOf(bytes: Uint8Array): Packet['content'] {
  const content = new Map<number, bigint | Buffer>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    content.set(number, wireType === 0 ? reader.varint() : Buffer.from(reader.bytes()));
  }
  return content;
}
