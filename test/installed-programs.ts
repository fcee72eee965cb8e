import { spawnSync } from 'node:child_process';

/** Why a test is skipped: the first program that this machine does not have; undefined if it has all. */
export function missingProgram(...programs: readonly string[]): string | undefined {
  const absent = programs.find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  return absent === undefined ? undefined : `there is no ${absent}`;
}

/** The title of a test that is skipped for a reason, if there is one. */
export function titled(title: string, why: string | undefined): string {
  return why === undefined ? title : `${title} (skipped: ${why})`;
}
