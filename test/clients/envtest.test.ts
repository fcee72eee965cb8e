import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { etcdPath } from '../etcd-process.ts';
import { referenceProgram } from '../reference-server.ts';
import { missingGo } from './client-go.ts';
import { runSteps } from './program.ts';

const here = import.meta.dirname;
const launcher = join(here, '..', '..', 'dist', 'binnacle.js');
const missing = missingGo() ?? (etcdPath === undefined ? 'there is no etcd' : undefined);

/** envtest starts each with its own flags, and these. */
const servers = [
  { name: 'Binnacle', path: launcher, flags: (folder: string) => ['controllers=', `data-dir=${folder}`], missing },
  { name: 'kube-apiserver', path: referenceProgram, flags: () => [], missing: missing ?? missingReference() },
];

function missingReference(): string | undefined {
  return existsSync(referenceProgram) ? undefined : `there is no ${referenceProgram}`;
}

function denied(user: string): string {
  const what = 'cannot list resource "configmaps" in API group "" in the namespace "default"';
  return `Forbidden: configmaps is forbidden: User "${user}" ${what}`;
}

/** Mostly Go's compiler. */
const timeout = 300_000;

describe.each(servers)("controller-runtime's envtest with $name", ({ path, flags, missing: reason }) => {
  if (reason !== undefined && process.env['CI'] === 'true') throw new Error(reason);

  const title = 'starts it, installs definitions, adds users and stops it';
  const titled = reason === undefined ? title : `${title} (skipped: ${reason})`;
  test.skipIf(reason !== undefined)(titled, { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-envtest-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const definitions = join(here, 'testdata', 'envtest');
    const program = ['-C', join(here, 'go'), 'run', './envtest'];
    // The launcher finds the Node that runs the tests.
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const results = await runSteps('go', [...program, path, etcdPath ?? '', definitions, ...flags(folder)], { PATH });
    expect(results).toEqual({
      maps: 1,
      ship: { crew: 3, speed: 12 },
      'by account': denied('system:serviceaccount:default:one'),
      'by user': denied('ann'),
    });
  });
});
