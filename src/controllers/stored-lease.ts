import type { KubernetesObject } from '../api/meta/object.ts';
import { parseMicroTime } from '../api/time/time.ts';
import type { Lease } from '../schema/kubernetes/generated/types/coordination-v1.ts';

export type StoredLease = KubernetesObject & Lease;

/** When it expires unless it is renewed, in milliseconds; in the past if it does not say. */
export function expiryOf({ spec = {} }: Pick<Lease, 'spec'>): number {
  const { renewTime, leaseDurationSeconds } = spec;
  if (renewTime === undefined || leaseDurationSeconds === undefined) return Number.NEGATIVE_INFINITY;
  return parseMicroTime(renewTime).epochMs + leaseDurationSeconds * 1000;
}

export function isExpired(lease: Pick<Lease, 'spec'>, nowMs: number): boolean {
  return expiryOf(lease) < nowMs;
}
