import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';
import { limits, playMetrics } from './play.ts';
import recorded from './testdata/recorded.json' with { type: 'json' };

test('metrics of admission, certificates and health, and their limits, are those of the reference', async () => {
  const metrics = {
    ...configDefaults.metrics,
    disabled: limits.disabled,
    allowedLabels: new Map(Object.entries(limits.allowed)),
  };
  await using server = await startTestServer({}, {}, { config: { ...asAlone, metrics } });
  expect(await playMetrics(server)).toEqual(recorded);
});
