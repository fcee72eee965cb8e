import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { dataFrames, FrameReader, type SpdyFrame } from '../../src/outgoing/spdy/frames.ts';
import { ContainerProgram } from './container-program.ts';
import { replyTo } from './spdy-reply.ts';

export interface Kubelet extends AsyncDisposable {
  readonly port: number;
  /** Requests as they came: method and target, headers by name. */
  readonly received: { readonly request: string; readonly headers: IncomingMessage['headers'] }[];
  /** Connections that are open. */
  connections(): Promise<number>;
}

/** A kubelet, and any other server: its behaviour depends on the names in the path. */
export async function startKubelet(folder: string, address: string): Promise<Kubelet> {
  const serverNames = { dnsNames: ['kubelet'], ipAddresses: ['127.0.0.1'] };
  const { server: tls } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  const received: Kubelet['received'] = [];
  const upgraded = new Set<Duplex>();
  const note = ({ method = '', url = '', headers }: IncomingMessage): void =>
    void received.push({ request: `${method} ${url}`, headers });
  const server = createServer({ cert: tls.certificate, key: tls.key }, (request, response) => {
    note(request);
    answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    socket.on('error', () => socket.destroy());
    upgraded.add(socket);
    upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => void server.listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const refusals: { readonly [word: string]: number } = {
  missing: 404,
  bad: 400,
  broken: 500,
  denied: 403,
  unauthorized: 401,
  teapot: 418,
  busy: 503,
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://kubelet');
  const word = url.pathname.split('/').find((part) => part in refusals);
  if (word !== undefined) return void response.writeHead(refusals[word] ?? 500).end(`it is ${word}`);
  if (url.pathname.includes('/moved')) return void response.writeHead(302, { location: '/elsewhere?a=b' }).end();
  if (url.pathname.includes('/away')) return void response.writeHead(307, { location: 'http://other.example/x' }).end();
  if (url.pathname.includes('/oddly')) return void response.writeHead(302, { location: ':// no' }).end();
  if (url.pathname.includes('/page')) {
    response.writeHead(200, {
      'content-type': 'text/html',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=1',
    });
    return void response.end(
      '<html><a href="/a/b?c=d">x</a><a href="rel">y</a><img src="http://other.example/z"></html>',
    );
  }
  if (url.pathname.includes('/half')) {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    return void setTimeout(() => request.socket.destroy(), 50);
  }
  if (url.pathname.includes('/containerLogs')) {
    return void response.writeHead(200, { 'content-type': 'application/x-own' }).end('a line\nanother\n');
  }
  const { method, headers } = request;
  const body = await text(request);
  response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' });
  response.end(method === 'HEAD' ? '' : JSON.stringify({ method, url: request.url, headers, body }));
}

const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const path = request.url ?? '';
  const word = path.split(/[/?]/).find((part) => part in refusals);
  if (word !== undefined) {
    socket.end(
      `HTTP/1.1 ${refusals[word]} ${word}\r\nContent-Type: text/plain\r\nContent-Length: ${word.length + 6}\r\n\r\nit is ${word}`,
    );
  } else if (path.includes('odd')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  else if (path.includes('gone')) socket.destroy();
  else if (path.includes('moved')) {
    socket.end('HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n');
  } else if (request.headers.upgrade?.toLowerCase() === 'websocket') {
    sockets.handleUpgrade(request, socket, head, (client) =>
      client.on('message', (data: Buffer, isBinary) =>
        client.send(Buffer.concat([Buffer.from('got '), data]), { binary: isBinary }),
      ),
    );
  } else serveStreams(request, socket, head);
}

/**
 * The streams of `exec` and `attach`: what comes in goes out; at the end of it, the name of the pod says what is told.
 * A pod named `shell` runs programs.
 */
function serveStreams(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const url = new URL(request.url ?? '/', 'https://kubelet');
  const offered = (request.headers['x-stream-protocol-version'] ?? '').toString().split(', ');
  const old = url.pathname.includes('/old') ? 'v2.channel.k8s.io' : undefined;
  const chosen = old ?? offered.find((protocol) => protocol !== 'v5.channel.k8s.io') ?? offered[0];
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${chosen}\r\n\r\n`,
  );
  if (url.pathname.startsWith('/portForward')) {
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
    return;
  }
  const has = (name: string): boolean => url.searchParams.get(name) === '1';
  const isTty = has('tty');
  const names = [
    'error',
    ...(has('input') ? ['stdin'] : []),
    ...(has('output') ? ['stdout'] : []),
    ...(has('error') && !isTty ? ['stderr'] : []),
    ...(isTty ? ['resize'] : []),
  ];
  const streams = new Map<string, number>();
  const reader = new FrameReader();
  const write = (name: string, data: string | Buffer, isLast = false): void => {
    const number = streams.get(name);
    if (number === undefined) return;
    for (const part of dataFrames(number, Buffer.from(data), isLast)) socket.write(part);
  };
  const end = (outcome: string): void => {
    write('stdout', '', true);
    write('stderr', '', true);
    write('error', outcome, true);
  };
  const finish = (): void => {
    write('stdout', 'bye');
    write('stderr', 'warned');
    end(outcomeOf(url.pathname));
  };
  const command = url.searchParams.getAll('command');
  const program = url.pathname.includes('/shell/')
    ? new ContainerProgram(command.length === 0 ? ['sh'] : command, {
        isTty,
        write,
        ended: (code) => end(exitOf(code)),
      })
    : undefined;
  socket.once('close', () => program?.kill());
  const take = (frame: SpdyFrame): void => {
    if (frame.type === 'control' && frame.control === 1) {
      streams.set(names[streams.size] ?? '', frame.stream);
      socket.write(replyTo(frame.stream, streams.size === 1));
      const isOpen = streams.size === names.length;
      if (isOpen) program?.start({ hasInput: has('input') });
      if (isOpen && !has('input') && program === undefined) finish();
      if (url.pathname.includes('/cut')) socket.destroy();
    }
    if (frame.type !== 'data') return;
    const name = [...streams].find(([, number]) => number === frame.stream)?.[0];
    if (program !== undefined) {
      if (name === 'resize') program.resize(frame.data);
      if (name === 'stdin') program.input(frame.data, frame.isLast);
      return;
    }
    if (name === 'resize') write('stdout', `resized ${frame.data.toString()}`);
    if (name === 'stdin') write('stdout', frame.data);
    if (name === 'stdin' && frame.isLast) finish();
  };
  socket.on('data', (chunk: Buffer) => [...reader.read(chunk)].forEach(take));
  [...reader.read(head)].forEach(take);
}

const status = (fields: object): string => JSON.stringify({ metadata: {}, ...fields });

function exitOf(code: number): string {
  if (code === 0) return status({ status: 'Success' });
  const details = { causes: [{ reason: 'ExitCode', message: String(code) }] };
  return status({ status: 'Failure', reason: 'NonZeroExitCode', message: 'it ended', details });
}

function outcomeOf(path: string): string {
  if (path.includes('/exits')) return exitOf(3);
  if (path.includes('/fails')) return status({ status: 'Failure', reason: 'InternalError', message: 'no such thing' });
  if (path.includes('/old')) return 'an old failure';
  if (path.includes('/garbled')) return '{';
  if (path.includes('/unknown')) return status({ status: 'Perhaps' });
  return path.includes('/silent') ? '' : status({ status: 'Success' });
}
