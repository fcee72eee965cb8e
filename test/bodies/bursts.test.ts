import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/configmaps';
/** Many more than begin in one round of the event loop. */
const count = 300;
const numbers = Array.from({ length: count }, (_, index) => index);
const contentType = 'application/merge-patch+json';

test('of hundreds of requests at once, with and without a body, each is answered', async () => {
  await using server = await startTestServer({}, { inMemory: true });
  using client = await ApiClient.connect(server);
  const codes = async (send: (name: string, index: number) => ReturnType<ApiClient['send']>): Promise<Set<number>> =>
    new Set((await Promise.all(numbers.map((index) => send(`map-${index}`, index)))).map(({ code }) => code));
  const create = (name: string, index: number) =>
    client.send('POST', path, { body: { metadata: { name }, data: { text: 'x'.repeat(index * 20) } } });
  expect(await codes(create)).toEqual(new Set([201]));
  expect(await codes((name) => client.send('GET', `${path}/${name}`))).toEqual(new Set([200]));
  const patch = { contentType, body: { data: { more: 'y' } } };
  expect(await codes((name) => client.send('PATCH', `${path}/${name}`, patch))).toEqual(new Set([200]));
  // Node ends the streams of those without a body before they begin.
  expect(await codes((name) => client.send('DELETE', `${path}/${name}`))).toEqual(new Set([200]));
});
