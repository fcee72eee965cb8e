import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { againCases, outcomes } from './unchanged-writes.ts';

test('objects that are written again keep their version and times where the reference keeps them', async () => {
  await using server = await startTestServer();
  using client = await ApiClient.connect(server);
  const expected = againCases.map(({ name, changes, times }) => ({ name, changes, times }));
  expect(await outcomes(client)).toEqual(expected);
});
