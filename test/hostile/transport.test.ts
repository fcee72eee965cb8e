import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ask, play, RawConnection, statusesOf } from './raw-client.ts';
import { type ServerTarget, startServerTarget } from './server-target.ts';

let server: ServerTarget;
let session: ClientHttp2Session;

beforeAll(async () => {
  server = await startServerTarget();
  session = connect(server.admin.url, server.admin.tls);
});

afterAll(async () => {
  session.destroy();
  await server[Symbol.asyncDispose]();
});

test('made-up values create no metrics series, and take no memory', async () => {
  const series = async (): Promise<number> => {
    const { text } = await play(server.admin, 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 2_000);
    return text.split('\n').filter((line) => line.startsWith('apiserver_request_')).length;
  };
  const madeUp = (index: number): readonly [method: string, path: string][] => [
    ['GET', `/readyz?dryRun=${index}${'x'.repeat(20_000)}`],
    ['GET', `/api/v1/namespaces/default/pods/a/made-up-${index}`],
    ['GET', `/apis/made-up-${index}.io/v1/things`],
    ['GET', `/api/v1/made-up-${index}`],
    ['GET', `/api/v${index}/pods`],
    ['GET', `/made-up-${index}`],
    ['PATCH', `/api/v1/pods/a/b/c${index}`],
    [`MADE-UP-${index}`, '/readyz'],
    [`MADE-UP-${index}`, '/api/v1/pods'],
  ];
  const round = async (from: number): Promise<void> => {
    for (let index = from; index < from + 100; index += 1) {
      await Promise.all(
        madeUp(index).map(([method, path]) =>
          ask(session, { ':method': method, ':path': path, accept: `application/json;a=${index}${'x'.repeat(1_000)}` }),
        ),
      );
    }
  };
  await round(0);
  // A scrape is counted in the next one.
  await series();
  const [seriesBefore, memoryBefore] = [await series(), await server.residentMegabytes()];
  await round(100);
  expect(await series()).toBe(seriesBefore);
  expect((await server.residentMegabytes()) - memoryBefore).toBeLessThan(50);
});

describe('bodies', () => {
  const post =
    'POST /api/v1/namespaces/default/configmaps?timeout=1s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it('one that does not arrive has the deadline of its request', async () => {
    const slow = await play(server.admin, `${post}Content-Length: 100\r\n\r\n{"a"`, 1_500);
    expect(slow.statuses).toEqual([504]);
    expect(slow.text).toContain('"reason":"Timeout"');
  });

  it('one that is too large is refused, and read no further than needed', async () => {
    using connection = await RawConnection.open(server.admin, 'http/1.1');
    connection.send(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 'a'), Buffer.from('\r\n')]);
    for (let sent = 0; sent < 64 && !connection.ended; sent += 1) {
      connection.send(chunk);
      await sleep(10);
    }
    await connection.until(() => connection.ended);
    expect(connection.ended).toBe(true);
    expect(statusesOf(connection.received.toString('latin1'))).toEqual([413]);
  });

  it('over HTTP/2 as well', async () => {
    const path = '/api/v1/namespaces/default/configmaps?timeout=1s';
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    stream.on('error', () => undefined);
    stream.write('{"a"');
    const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }];
    expect(answer[':status']).toBe(504);
    stream.destroy();
    const big = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    big.on('error', () => undefined);
    big.end(Buffer.alloc(4 << 20, 'a'));
    big.resume();
    const [refusal] = (await once(big, 'response')) as [{ ':status'?: number }];
    expect(refusal[':status']).toBe(413);
  });
});
