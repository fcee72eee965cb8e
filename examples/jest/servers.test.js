const { once } = require('node:events');
const { connect } = require('node:http2');
const { startApiServer } = require('binnacle');

let prepared, server;
beforeAll(async () => {
  prepared = await startApiServer({
    objects: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'colors', namespace: 'default' },
        data: { sky: 'blue' },
      },
    ],
  });
}, 60_000);
beforeEach(async () => (server = await prepared.clone()), 60_000);
afterEach(() => server.close());
afterAll(() => prepared.close());

const maps = '/api/v1/namespaces/default/configmaps';

/** The answer that an administrator gets. The kubeconfig is JSON, which is YAML. */
async function send({ url, kubeconfig }, method, path) {
  const { clusters, users } = JSON.parse(kubeconfig);
  const bytes = (text) => Buffer.from(text, 'base64');
  const session = connect(url, {
    ca: bytes(clusters[0].cluster['certificate-authority-data']),
    cert: bytes(users[0].user['client-certificate-data']),
    key: bytes(users[0].user['client-key-data']),
  });
  const stream = session.request({ ':method': method, ':path': path }).end();
  const [headers] = await once(stream, 'response');
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  session.close();
  return { code: headers[':status'], body: JSON.parse(text) };
}

test('the prepared object is there', async () => {
  expect(await send(server, 'GET', `${maps}/colors`)).toMatchObject({ code: 200, body: { data: { sky: 'blue' } } });
});

test('a test may delete it', async () => {
  expect(await send(server, 'DELETE', `${maps}/colors`)).toMatchObject({ code: 200 });
  expect(await send(server, 'GET', `${maps}/colors`)).toMatchObject({ code: 404 });
});

test('and the next one has it', async () => {
  expect(await send(server, 'GET', `${maps}/colors`)).toMatchObject({ code: 200 });
});

test('twenty servers run beside each other', async () => {
  const servers = await Promise.all(Array.from({ length: 20 }, () => prepared.clone()));
  const answers = await Promise.all(servers.map((each) => send(each, 'GET', `${maps}/colors`)));
  expect(answers.map(({ code }) => code)).toEqual(servers.map(() => 200));
  await Promise.all(servers.map((each) => each.close()));
}, 60_000);
