import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamOpener } from '../../../src/outgoing/spdy/frames.ts';
import { adminTls } from '../../server-fixture.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { Reply } from '../hostile-client.ts';
import { core, putNode } from '../hostile-node.ts';
import { kubeletMisdeeds } from '../kubelet-misdeeds.ts';
import { RawConnection } from '../raw-client.ts';

/** How long clients stay. */
const patienceMs = 1_000;
interface Client {
  /** The protocol of the connection: the WebSocket's, or `SPDY/3.1`. */
  readonly protocol: string;
  readonly path: string;
  readonly reads: boolean;
  /** What it sends without end; undefined: nothing. */
  readonly floods?: Buffer;
}

const pod = 'streamed';
const at = (subresource: string): string => `${core}/namespaces/default/pods/${pod}/${subresource}`;
const streams = 'stdin=1&stdout=1&stderr=1';
const exec = at(`exec?command=a&${streams}`);
const attach = at(`attach?${streams}`);
const portForward = at('portforward?ports=1');
const tunnel = 'SPDY/3.1+portforward.k8s.io';

function headOf({ protocol, path }: Client): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade'];
  if (protocol === 'SPDY/3.1') lines.push('Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4.channel.k8s.io');
  else {
    lines.push(
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    );
    lines.push('Origin: https://x', `Sec-WebSocket-Protocol: ${protocol}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A frame of a client, with a mask of zeros. */
function webSocketFrame(head: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([head, ...length, 0, 0, 0, 0]), payload]);
}

const codes = { continuation: 0x00, firstFragment: 0x02, message: 0x82, ping: 0x89, pong: 0x8a } as const;
const many = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

/** Does what a client does, for a while. */
async function play(client: Client, connection: RawConnection): Promise<Reply> {
  const { floods, reads } = client;
  const { socket } = connection;
  let code = 0;
  const answered = new Promise((resolve) => void socket.once('data', resolve));
  socket.once('data', (head: Buffer) => {
    code = Number(head.toString('latin1', 9, 12));
    if (!reads) socket.pause();
  });
  connection.send(headOf(client));
  await Promise.race([answered, sleep(patienceMs)]);
  if (floods !== undefined) {
    const more = (): void => {
      while (!connection.ended && socket.write(floods));
    };
    socket.on('drain', more);
    more();
  }
  await sleep(patienceMs);
  connection[Symbol.dispose]();
  return { code, bytes: 0, text: '' };
}

const unanswered: ReadonlySet<string> = new Set([
  'an upgrade that does not complete',
  'an upgrade after answers without end',
]);

function streamCase(name: string, misdeed: string, clients: readonly Client[]): HostileCase {
  let connections: RawConnection[] = [];
  return {
    name: `streams: ${name}`,
    // What may be on the way.
    bodyBytes: 1_000_000,
    boundMs: 20,
    // A kubelet may not answer, but those of v5 are accepted before it is asked.
    codes: unanswered.has(misdeed) ? [0, 101, 500] : [101],
    async prepare(client) {
      await putNode(client, pod, misdeed);
      const tls = await adminTls(client.kubeconfigPath);
      connections = [];
      for (const _ of clients) {
        connections.push(await RawConnection.open({ url: client.url, tls }, 'http/1.1', { reads: false }));
      }
    },
    send: () =>
      Promise.all(
        connections.map((connection, index) => {
          const client = clients[index];
          if (client === undefined) throw new Error('one connection for each client');
          return play(client, connection);
        }),
      ),
  };
}

/** All ways to streams, with and without reading them. */
const everyWay: readonly Client[] = [
  { protocol: 'v5.channel.k8s.io', path: exec, reads: true },
  { protocol: 'v5.channel.k8s.io', path: exec, reads: false },
  { protocol: 'v4.channel.k8s.io', path: attach, reads: false },
  { protocol: 'v5.channel.k8s.io', path: attach, reads: false },
  { protocol: 'SPDY/3.1', path: exec, reads: false },
  { protocol: tunnel, path: portForward, reads: false },
];

const floods: { readonly [name: string]: Buffer } = {
  'messages of a byte': many(5_000, () => webSocketFrame(codes.message, Buffer.from([0, 97]))),
  'empty messages': many(5_000, () => webSocketFrame(codes.message)),
  'sizes of a terminal': many(5_000, () => webSocketFrame(codes.message, Buffer.from('\u0004{"Width":1}'))),
  'large messages': many(20, () => webSocketFrame(codes.message, Buffer.alloc(60_000))),
  'ends of input': many(5_000, () => webSocketFrame(codes.message, Buffer.from([255, 0]))),
  pings: many(5_000, () => webSocketFrame(codes.ping, Buffer.alloc(100))),
  pongs: many(5_000, () => webSocketFrame(codes.pong)),
  fragments: Buffer.concat([
    webSocketFrame(codes.firstFragment, Buffer.from([0])),
    many(5_000, () => webSocketFrame(codes.continuation, Buffer.from([97]))),
  ]),
};

/** Clients that send without end to a kubelet that does not read. */
const floodCases = Object.entries(floods).flatMap(([name, bytes]) => [
  streamCase(`a client sends ${name} without end`, 'no reading of input', [
    ...['v4.channel.k8s.io', 'v5.channel.k8s.io'].map((protocol) => ({
      protocol,
      path: exec,
      reads: false,
      floods: bytes,
    })),
    { protocol: tunnel, path: portForward, reads: false, floods: bytes },
  ]),
  streamCase(`a watch is sent ${name} without end`, 'no reading of input', [
    {
      protocol: 'binary.k8s.io',
      path: `${core}/configmaps?watch=1`,
      reads: false,
      floods: bytes,
    },
  ]),
]);

function manyStreams(): Buffer {
  const opener = new StreamOpener();
  return many(5_000, (index) =>
    opener.open(2 * index + 1, { streamtype: index % 2 === 0 ? 'error' : 'data', port: '1', requestid: String(index) }),
  );
}

/** Streams of containers and ports, of clients or kubelets that misbehave. */
export const streamCases: readonly HostileCase[] = [
  ...Object.keys(kubeletMisdeeds).map((misdeed) => streamCase(misdeed, misdeed, everyWay)),
  ...floodCases,
  streamCase('thousands of forwarded ports', 'no reading of input', [
    { protocol: 'SPDY/3.1', path: portForward, reads: false, floods: manyStreams() },
    { protocol: tunnel, path: portForward, reads: false, floods: webSocketMessages(manyStreams()) },
  ]),
];

/** What a client of the tunnel makes of it. */
function webSocketMessages(bytes: Buffer): Buffer {
  const pieces = Math.ceil(bytes.length / 50);
  return many(pieces, (index) => webSocketFrame(codes.message, bytes.subarray(50 * index, 50 * (index + 1))));
}
