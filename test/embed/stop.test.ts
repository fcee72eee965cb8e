import { once } from 'node:events';
import { connect } from 'node:http2';
import { expect, test } from 'vitest';
import { startApiServer } from '../../src/embed/index.ts';
import { adminTls } from '../server-fixture.ts';

test('a stopping server ends watches, and completes running requests', async () => {
  const server = await startApiServer();
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  const watch = session.request({ ':path': '/api/v1/configmaps?watch=1' });
  watch.resume();
  await once(watch, 'response');
  const write = session.request({
    ':method': 'POST',
    ':path': '/api/v1/namespaces/default/configmaps',
    'content-type': 'application/json',
  });
  write.write('{"metadata":');
  const answered = once(write, 'response') as Promise<[{ readonly ':status': number }]>;
  // Once a later stream is answered, this one has reached the server.
  const get = session.request({ ':path': '/version' });
  get.resume();
  await once(get, 'close');
  const goaway = once(session, 'goaway');
  const closed = server.close();
  await Promise.all([goaway, once(watch, 'close')]);
  write.end('{"name":"late"}}');
  const [headers] = await answered;
  expect(headers[':status']).toBe(201);
  write.resume();
  await closed;
});
