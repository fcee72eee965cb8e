import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingProgram, titled } from '../installed-programs.ts';
import { launcher } from '../release-form.ts';

const unit = join(import.meta.dirname, '../../packaging/binnacle.service');
const why = missingProgram('systemd-analyze');

test.skipIf(why !== undefined)(titled('systemd understands every line of the unit', why), () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-systemd-'));
  try {
    const path = join(folder, 'binnacle.service');
    // The command that is installed, which systemd looks for.
    writeFileSync(path, readFileSync(unit, 'utf8').replace('/usr/local/bin/binnacle', launcher));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect({ status, told: stdout + stderr }).toEqual({ status: 0, told: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** In tenths: systemd's grade "OK" ends at 4.9. */
const mostExposure = 15;

test.skipIf(why !== undefined)(titled('the unit is hardened', why), () => {
  const args = ['security', '--offline=yes', '--no-pager', `--threshold=${mostExposure}`, unit];
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect({ status, grade: /exposure level.*/.exec(stdout)?.[0] }).toMatchObject({
    status: 0,
    grade: expect.stringContaining('OK'),
  });
});
