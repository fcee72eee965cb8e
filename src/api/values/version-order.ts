/** `v10beta3`: major 10, stage beta, minor 3. */
const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

const stages: { readonly [stage: string]: number } = { alpha: 0, beta: 1, stable: 2 };

/**
 * Orders versions by preference: `v2`, `v1`, `v11beta2`, `v10beta3`, `v3beta1`, `v12alpha1`, then other names
 * alphabetically.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [pattern.exec(a), pattern.exec(b)];
  if (left === null || right === null) {
    if (left !== null || right !== null) return left === null ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const [first, second] = [partsOf(left), partsOf(right)];
  return second.stage - first.stage || second.major - first.major || second.minor - first.minor;
}

function partsOf([, major = '0', stage = 'stable', minor = '0']: RegExpExecArray): {
  readonly stage: number;
  readonly major: number;
  readonly minor: number;
} {
  return { stage: stages[stage] ?? 0, major: Number(major), minor: Number(minor) };
}
