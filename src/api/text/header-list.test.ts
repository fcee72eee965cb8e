import { once } from 'node:events';
import { connect, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  hasHeaderLike,
  headerFields,
  headersAsObject,
  headersLike,
  headerValues,
  http2Headers,
} from './header-list.ts';

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

describe('a list of names and values', () => {
  const list = ['Host', 'a', 'X-Remote-User', 'host', 'x-remote-group', 'b', 'X-Remote-Group', 'c'];

  test('is read in order', () => {
    const fields = [...headerFields(list)];
    expect(fields).toEqual([
      ['Host', 'a'],
      ['X-Remote-User', 'host'],
      ['x-remote-group', 'b'],
      ['X-Remote-Group', 'c'],
    ]);
    expect(fields.flat()).toEqual(list);
  });

  test('has values of one name in any case, and none of a value that is spelled like it', () => {
    expect(headerValues(list, 'host')).toEqual(['a']);
    expect(headerValues(list, 'x-remote-group')).toEqual(['b', 'c']);
    expect(headerValues(list, 'a')).toEqual([]);
  });

  test('is searched by the beginning of names', () => {
    expect(headersLike(list, 'x-remote-g')).toEqual([
      ['x-remote-group', 'b'],
      ['x-remote-group', 'c'],
    ]);
    expect(hasHeaderLike(list, 'x-remote-')).toBe(true);
    expect(hasHeaderLike(list, 'impersonate-')).toBe(false);
    expect(hasHeaderLike(['a', 'impersonate-user'], 'impersonate-')).toBe(false);
  });
});
