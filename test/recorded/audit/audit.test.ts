import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { readResponses } from '../recording.ts';
import { playAudit } from './play.ts';

const recorded = readResponses<unknown>('audit', 'events');

test('events are those of the reference', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  const path = join(folder, 'audit.log');
  const audit = {
    ...configDefaults.audit,
    policyFile: join(import.meta.dirname, 'policy.yaml'),
    log: { ...configDefaults.audit.log, path },
  };
  await using server = await startTestServer(
    {},
    {},
    { config: { ...asAlone, audit, authorization: { ...configDefaults.authorization, modes: ['Node', 'RBAC'] } } },
  );
  const events = await playAudit(server, { file: path, definitionMs: 500 });
  for (const [name, expected] of recorded) expect.soft(events[name], name).toEqual(expected);
  await rm(folder, { recursive: true, force: true });
});
