import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { dataFrames, FrameReader, type SpdyFrame } from '../../../src/outgoing/spdy/frames.ts';
import { replyTo } from '../../streams/spdy-reply.ts';

const protocol = 'v4.channel.k8s.io';
/** SYN_STREAM */
const opening = 1;

/** Runs a command for a client that speaks SPDY, as kube-apiserver does for its own clients. */
export function serveExec(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  start: (command: readonly string[], stdin: 'ignore' | 'pipe') => ChildProcess,
): void {
  const query = new URL(request.url ?? '/', 'https://kubelet').searchParams;
  const has = (name: string): boolean => query.get(name) === '1';
  const hasInput = has('input');
  // Clients open them in this order.
  const names = ['error', ...(hasInput ? ['stdin'] : []), ...['output', 'error'].filter(has)];
  const streams: number[] = [];
  const reader = new FrameReader();
  let child: ChildProcess | undefined;

  const begin = (): void => {
    child = start(query.getAll('command'), hasInput ? 'pipe' : 'ignore');
    const write = (stream: number | undefined, data: Buffer, isLast: boolean): void => {
      if (stream === undefined) return;
      for (const part of dataFrames(stream, data, isLast)) socket.write(part);
    };
    const outputs = streams.slice(hasInput ? 2 : 1);
    const stdout = has('output') ? outputs[0] : undefined;
    const stderr = has('error') ? outputs.at(-1) : undefined;
    child.stdout?.on('data', (data: Buffer) => write(stdout, data, false));
    child.stderr?.on('data', (data: Buffer) => write(stderr, data, false));
    void once(child, 'close').then(([code]) => {
      write(stdout, Buffer.alloc(0), true);
      write(stderr, Buffer.alloc(0), true);
      write(streams[0], Buffer.from(JSON.stringify(outcomeOf(Number(code ?? 137)))), true);
    });
  };
  const take = (frame: SpdyFrame): void => {
    if (frame.type === 'control' && frame.control === opening) {
      streams.push(frame.stream);
      socket.write(replyTo(frame.stream, streams.length === 1));
      if (streams.length === names.length) begin();
    }
    if (frame.type !== 'data' || !hasInput || frame.stream !== streams[1]) return;
    child?.stdin?.write(frame.data);
    if (frame.isLast) child?.stdin?.end();
  };

  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  socket.on('data', (chunk: Buffer) => [...reader.read(chunk)].forEach(take));
  socket.on('close', () => child?.kill('SIGKILL'));
  [...reader.read(head)].forEach(take);
}

/** The status that ends a session. */
function outcomeOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}
