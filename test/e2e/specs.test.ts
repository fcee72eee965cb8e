import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isolation } from './isolation.ts';
import { bridge } from './kubelet/pod-network.ts';
import { neededPrograms } from './programs.ts';

// Kubernetes' end-to-end specs whose webhooks and API servers run in pods; docs/upstream-tests.md tells about the rest.

const specsTimeoutMs = 900_000;
const focus = [
  'AdmissionWebhook',
  'Aggregator',
  'CustomResourceConversionWebhook',
  'CustomResourceFieldSelectors',
  'MutatingAdmissionPolicy',
  'OpenAPIV3',
  'ValidatingAdmissionPolicy',
  'health handlers',
].join('|');

/** Why they cannot be run; undefined if they can. */
function obstacle(): string | undefined {
  const missing = neededPrograms.filter((path) => !existsSync(path));
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  const [command, ...args] = isolation;
  const makesBridge = ['ip', 'link', 'add', bridge, 'type', 'bridge'];
  return spawnSync(command, [...args, ...makesBridge]).status === 0 ? undefined : 'networks cannot be isolated';
}

const why = obstacle();
const title = why === undefined ? 'end-to-end specs' : `end-to-end specs (skipped: ${why})`;

describe.skipIf(why !== undefined)(title, () => {
  test('of webhooks, policies, aggregation and health', { timeout: specsTimeoutMs }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-e2e-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const args = [join(import.meta.dirname, 'run.ts'), folder, '--focus', `sig-api-machinery.*(${focus})`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [results] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const lines = results.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('PASSED '))).toEqual([
      expect.stringMatching(/^\d+ passed, 0 failed$/),
    ]);
    for (const name of focus.split('|'))
      expect(
        lines.some((line) => line.includes(name)),
        name,
      ).toBe(true);
  });
});
