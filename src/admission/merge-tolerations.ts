import { isDeepStrictEqual } from 'node:util';
import type { Toleration } from '../schema/kubernetes/generated/types/core-v1.ts';

/** Both lists without those that another one covers; of equals the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).filter((other) => !isDeepStrictEqual(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether `wide` tolerates whatever `narrow` does. */
function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isDeepStrictEqual(wide, narrow)) return true;
  const { key = '', operator = '', effect = '', value = '', tolerationSeconds } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > tolerationSeconds) return false;
  }
  if (operator === 'Exists') return true;
  return (operator === 'Equal' || operator === '') && narrow.operator === 'Equal' && (narrow.value ?? '') === value;
}
