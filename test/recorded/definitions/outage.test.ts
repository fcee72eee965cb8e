import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { startConvertingServer } from '../../definitions/conversion-webhook.ts';
import { define, ship, shipsPath } from '../../definitions/definitions.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { readFields } from '../recording.ts';
import { playOutage, type PlayedOutage, twoVersions } from './play-outage.ts';

const recorded = readFields<PlayedOutage>('definitions', 'outage');

/** Steps that end in another way, with the reason. */
const knownDifferences: { readonly [step: string]: string } = {
  'down, v2: a patch': 'The reference reads the object from its cache, and fails when it converts the result.',
  'down after a change, v2: a consistent list': 'The reference names all objects, here those that are not converted.',
  'down after a change, v2: a first page': 'What has been converted is still listed.',
  'down after a change, v2: a list by label': 'What has been converted is still listed.',
  'down after a change, v2: a watch of the latest state': 'The watch ends without an error.',
  'down after a change, v2: a watch of any state': 'The watch ends: it never begins with an older state.',
  'down after a change, v2: a watch that lists': 'The watch ends without an error.',
};

let server: TestServer;
let played: PlayedOutage;

beforeAll(async () => {
  server = await startTestServer();
  played = await playOutage(server, { settleMs: 20 });
}, 60_000);

afterAll(() => server[Symbol.asyncDispose]());

test('the same steps', () => {
  expect(Object.keys(played).toSorted()).toEqual(Object.keys(recorded).toSorted());
});

test.each(Object.keys(recorded))('%s', (step) => {
  const isKnown = knownDifferences[step] !== undefined;
  expectRecorded({ name: step, answer: played[step], recorded: recorded[step], isKnown });
});

test('a watch goes on once the webhook works again', async () => {
  await using converting = await startConvertingServer();
  const { client, webhook } = converting;
  await define(client, twoVersions(webhook));
  const { body } = await client.send('GET', shipsPath());
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  const watch = client.watch(`${shipsPath('v2')}?watch=true&timeoutSeconds=20&resourceVersion=${resourceVersion}`);
  const failed = Promise.withResolvers<void>();
  webhook.answer = () => {
    failed.resolve();
    return { code: 500, body: 'broken' };
  };
  const first = watch.next();
  await client.send('POST', shipsPath(), { body: ship('one', { name: 'a' }) });
  await failed.promise;
  webhook.answer = undefined;
  expect(await first).toMatchObject({ value: { type: 'ADDED', object: { spec: { title: 'a' } } } });
  await watch.return(undefined);
});

test('an object is converted once, however often it is listed', async () => {
  await using converting = await startConvertingServer();
  const { client, webhook } = converting;
  await define(client, twoVersions(webhook));
  for (const name of ['one', 'two']) await client.send('POST', shipsPath(), { body: ship(name, { name }) });
  for (let count = 0; count < 3; count += 1) await client.send('GET', shipsPath('v2'));
  expect(webhook.calls).toEqual([2]);
  const { body } = await client.send('POST', shipsPath(), { body: ship('three', { name: 'c' }) });
  expect(body['spec']).toEqual({ name: 'c' });
  await client.send('GET', shipsPath('v2'));
  expect(webhook.calls).toEqual([2, 1]);
});
