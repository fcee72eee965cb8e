import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { readFields } from '../recording.ts';
import { type AnnotatedCase, annotationSuites, playAnnotations } from './annotations.ts';

const expected = readFields<{ readonly [suite: string]: readonly AnnotatedCase[] }>('audit', 'annotations');

test.each(Object.entries(annotationSuites))(
  'annotations of the reference: %s',
  { timeout: 120_000 },
  async (name, suite) => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
    const path = join(folder, 'audit.log');
    const audit = {
      ...configDefaults.audit,
      policyFile: join(import.meta.dirname, 'everything.yaml'),
      log: { ...configDefaults.audit.log, path },
    };
    await using server = await startTestServer({}, {}, { config: { ...asAlone, audit, logging: { level: 'silent' } } });
    const played = await playAnnotations(suite, { server, folder, settleMs: 0 }, path);
    for (const [index, each] of played.entries()) expect.soft(each, each.name).toEqual(expected[name]?.[index]);
    expect(played.length).toBe(expected[name]?.length);
    await rm(folder, { recursive: true, force: true });
  },
);
