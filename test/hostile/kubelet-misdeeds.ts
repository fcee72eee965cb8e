import type { TLSSocket } from 'node:tls';
import { dataFrames, pingFrame } from '../../src/outgoing/spdy/frames.ts';
import { endlessly, type Misdeed } from './misdeed.ts';

/** Takes over when the connection has become one of streams, and the first of them are opened. */
type Stream = (socket: TLSSocket) => void;

const switching = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
const spdy = `${[...switching, 'X-Stream-Protocol-Version: v4.channel.k8s.io'].join('\r\n')}\r\n\r\n`;

/** A kubelet that answers requests for another protocol. */
function kubelet(answer: string, misbehave: Stream): Misdeed {
  return {
    protocol: 'http/1.1',
    serve(socket) {
      let head = '';
      const read = (data: Buffer): void => {
        head += data.toString('latin1');
        if (!head.includes('\r\n\r\n')) return;
        socket.off('data', read);
        if (answer !== '') socket.write(answer);
        misbehave(socket);
      };
      socket.on('data', read);
    },
  };
}

/** A misdeed over SPDY; `read` waits for streams, which are opened in the order error, stdin, stdout, stderr. */
const streaming = (misbehave: Stream): Misdeed =>
  kubelet(spdy, (socket) => {
    socket.once('data', () => misbehave(socket));
    socket.resume();
  });

const [stdout, stderr] = [5, 7];
const data = (stream: number, text: string): Buffer => Buffer.concat(dataFrames(stream, Buffer.from(text), false));
const many = (...frames: readonly Buffer[]): Buffer =>
  Buffer.concat(Array.from({ length: 1_000 }, () => frames).flat());
/** SETTINGS, without entries. */
const settings = Buffer.from([0x80, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0]);
/** SYN_REPLY of the first stream. */
const reply = Buffer.from([0x80, 3, 0, 2, 0, 0, 0, 4, 0, 0, 0, 1]);

/** What a kubelet does to those who ask it for streams. */
export const kubeletMisdeeds: { readonly [name: string]: Misdeed } = {
  'an upgrade that does not complete': kubelet('', (socket) => void socket.resume()),
  'an upgrade after answers without end': kubelet('', (socket) =>
    endlessly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)),
  ),
  'output without end': streaming((socket) => endlessly(socket, data(stdout, 'x'.repeat(64 * 1024)))),
  'output of bytes without end': streaming((socket) => endlessly(socket, many(data(stdout, 'a'), data(stderr, 'b')))),
  'empty output without end': streaming((socket) => endlessly(socket, many(data(stdout, '')))),
  'pings of a kubelet without end': kubelet(spdy, (socket) => {
    socket.pause();
    endlessly(socket, many(pingFrame(2)));
  }),
  'control frames without end': streaming((socket) => endlessly(socket, many(settings, reply))),
  'no reading of input': kubelet(spdy, (socket) => void socket.pause()),
};
