/** A semantic version for comparison (semver.org): its numbers, and the pre-release after the hyphen. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly string[];
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };

const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const form = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

/** Undefined unless the text is a whole semantic version. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(BigInt), preRelease: (match[4] ?? '').split('.').filter(Boolean) };
}

/** By precedence (semver.org, 11): negative if `a` comes first. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return b.preRelease.length - a.preRelease.length;
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    if (other === undefined) return 1;
    if (part !== other) return comesBefore(part, other) ? -1 : 1;
  }
  return a.preRelease.length - b.preRelease.length;
}

/** Numbers come before words (semver.org, 11.4). */
function comesBefore(a: string, b: string): boolean {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return BigInt(a) < BigInt(b);
  return isNumber === isOtherNumber ? a < b : isNumber;
}
