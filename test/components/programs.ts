import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(homedir(), '.cache');
const reference = process.env['BINNACLE_REFERENCE'] ?? join(cache, 'binnacle-reference');
const clients = process.env['BINNACLE_CLIENTS'] ?? join(cache, 'binnacle-clients');

/** What a cluster is made of beside its API server. */
export const programs = {
  'kube-controller-manager': join(reference, 'kube-controller-manager'),
  'kube-scheduler': join(reference, 'kube-scheduler'),
  kwok: join(clients, 'kwok', 'kwok'),
} as const;

export type ProgramName = keyof typeof programs;

/** Whether to skip for want of one of them; where nothing may be skipped that is an error. */
export function skipWithoutPrograms(): boolean {
  const missing = Object.values(programs).filter((path) => !existsSync(path));
  if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`there is no ${missing.join(', ')}`);
  return missing.length > 0;
}
