import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/api/json/json.ts';
import { startTestServer } from '../../server-fixture.ts';
import { readCases } from '../recording.ts';
import { checkedTypes } from './type-checks.ts';

// What kube-controller-manager told; recorded by `node test/record.ts policy-types`.
const recorded = readCases<JsonValue>('policies', 'type-checks');

test('the status of policies tells of types that do not fit', async () => {
  await using server = await startTestServer();
  expect(await checkedTypes(server)).toEqual(recorded);
}, 60_000);
