import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, HttpCaller } from './http-call.ts';
import { Upstream } from './upstream.ts';

let server: Server;
let url: URL;
/** Called when an answer has begun. */
let onBegun: () => void = () => undefined;

/** Answers begin and do not end, compressed or not. */
beforeAll(async () => {
  server = createServer(({ url: path }, response) => {
    const isCompressed = path === '/compressed';
    response.writeHead(200, isCompressed ? { 'content-encoding': 'gzip' } : {});
    const body = isCompressed ? createGzip() : response;
    if ('flush' in body) body.pipe(response);
    body.write('a'.repeat(100_000));
    if ('flush' in body) body.flush(() => onBegun());
    else onBegun();
  });
  await new Promise<void>((done) => void server.listen(0, 'localhost', done));
  url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`); // listens on TCP
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const callOf = (path: string, timeoutMs: number): Call => {
  return { method: 'GET', url: new URL(path, url), timeoutMs, maxResponseBytes: 1_000_000 };
};

test.each(['plain', 'compressed'])(
  'calls in progress can be ended, and there are none afterwards: %s',
  async (path) => {
    using upstream = new Upstream();
    const caller = new HttpCaller(upstream);
    const begun = new Promise<void>((resolve) => (onBegun = resolve));
    const result = caller.call(callOf(path, 600_000)).catch(String);
    await begun;
    caller.end();
    expect(await result).toContain('context canceled');
    await expect(caller.call(callOf(path, 600_000))).rejects.toThrow('context canceled');
  },
);

test.each(['plain', 'compressed'])(
  'a call takes no longer than it may, also while its body comes: %s',
  async (path) => {
    using upstream = new Upstream();
    await expect(new HttpCaller(upstream).call(callOf(path, 100))).rejects.toThrow('context deadline exceeded');
  },
);
