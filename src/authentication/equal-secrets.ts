import { timingSafeEqual } from 'node:crypto';

/** Takes the same time wherever two texts of one length differ. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
