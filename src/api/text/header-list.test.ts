import { once } from 'node:events';
import { connect, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { headersAsObject, http2Headers } from './header-list.ts';

const answered = [':status', '202', 'content-type', 'text/plain', 'warning', '299 - "a"', 'warning', '299 - "b"'];

test.each([
  ['as this Node takes them', http2Headers],
  ['as an object', headersAsObject],
])('clients receive all of them: %s', async (_, headers) => {
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, { 'x-asked': asked }) => {
    stream.respond(headers([...answered, 'x-asked', String(asked)]));
    stream.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has such an address.
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = client.request(headers([':path', '/', 'x-asked', 'a', 'x-asked', 'b']));
  const [received, , raw] = await once(stream, 'response');
  client.destroy();
  server.close();
  expect(received).toMatchObject({ ':status': 202, 'content-type': 'text/plain', 'x-asked': 'a, b' });
  expect(raw.filter((__: string, at: number) => raw[at - 1] === 'warning')).toEqual(['299 - "a"', '299 - "b"']);
});
