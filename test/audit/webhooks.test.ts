import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';
import recorded from './testdata/webhooks.json' with { type: 'json' };
import { playWebhookAnnotations } from './webhook-annotations.ts';

test('webhooks leave the annotations that they leave on the reference', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  const path = join(folder, 'audit.log');
  const audit = {
    ...configDefaults.audit,
    policyFile: join(import.meta.dirname, 'everything.yaml'),
    log: { ...configDefaults.audit.log, path },
  };
  await using server = await startTestServer({}, {}, { config: { ...asAlone, audit, logging: { level: 'silent' } } });
  expect(await playWebhookAnnotations({ server, folder, settleMs: 0 }, path)).toEqual(recorded);
  await rm(folder, { recursive: true, force: true });
});
