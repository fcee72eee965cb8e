import { timingSafeEqual } from 'node:crypto';

/** Constant-time comparison of strings of equal length. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
