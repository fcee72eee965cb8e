import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/api/json/json.ts';
import { startTestServer } from '../server-fixture.ts';
import { checkedTypes } from './type-checks.ts';

// What kube-controller-manager told; recorded by `node test/policies/record-type-checks.ts`.
const recorded = JSON.parse(
  readFileSync(new URL('testdata/type-checks.json', import.meta.url), 'utf8'),
) as readonly JsonValue[];

test('the status of policies tells of types that do not fit', async () => {
  await using server = await startTestServer();
  expect(await checkedTypes(server)).toEqual(recorded);
}, 60_000);
