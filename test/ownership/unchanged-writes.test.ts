import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { againCases, outcomes } from './unchanged-writes.ts';

test('unchanged writes keep version and times as in the reference', async () => {
  await using server = await startTestServer();
  using client = await ApiClient.connect(server);
  const expected = againCases.map(({ name, changes, times }) => ({ name, changes, times }));
  expect(await outcomes(client)).toEqual(expected);
});
