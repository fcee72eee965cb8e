import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;
let pool = Buffer.alloc(0);

/**
 * Random bytes that nobody else gets, for what is stored beside encrypted values. Taken from a pool: asking the system
 * each time costs more than encrypting.
 */
export function randomBytes(count: number): Buffer {
  if (pool.length < count) pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(poolBytes, count)));
  const bytes = pool.subarray(0, count);
  pool = pool.subarray(count);
  return bytes;
}
