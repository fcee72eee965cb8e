import { uint64Problem } from '../go/go-integer.ts';
import { goQuote } from '../go/go-quote.ts';

/** A semantic version (semver.org): its numbers, and the identifiers after the hyphen and the plus sign. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** Thrown for invalid versions; clients see the message, which is that of the reference's library. */
export class SemanticVersionError extends Error {
  override readonly name = 'SemanticVersionError';
  readonly code = 'SEMANTIC_VERSION';
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [], build: [] };

/** Parses a whole semantic version. Throws a SemanticVersionError. */
export function parseSemanticVersion(text: string): SemanticVersion {
  if (text === '') throw new SemanticVersionError('Version string empty');
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0) {
    throw new SemanticVersionError('No Major.Minor.Patch elements found');
  }
  const numbers = [number(major, 'major'), number(minor, 'minor')];
  const [, patch = '', prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+([\s\S]*))?$/.exec(rest.join('.')) ?? [];
  numbers.push(number(patch, 'patch'));
  return {
    numbers,
    preRelease: prerelease?.split('.').map(preReleasePart) ?? [],
    build: build?.split('.').map(buildPart) ?? [],
  };
}

function number(text: string, name: 'major' | 'minor' | 'patch'): bigint {
  if (!/^[0-9]*$/.test(text))
    throw new SemanticVersionError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (/^0./.test(text)) {
    const shown = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    throw new SemanticVersionError(`${shown} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return uint64(text);
}

function uint64(text: string): bigint {
  const problem = uint64Problem(text);
  if (problem !== undefined) throw new SemanticVersionError(`strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  return BigInt(text);
}

function preReleasePart(text: string): bigint | string {
  if (text === '') throw new SemanticVersionError('Prerelease is empty');
  if (/^[0-9]+$/.test(text)) {
    if (/^0./.test(text)) {
      throw new SemanticVersionError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    }
    return uint64(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new SemanticVersionError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  return text;
}

function buildPart(text: string): string {
  if (text === '') throw new SemanticVersionError('Build meta data is empty');
  if (!/^[0-9A-Za-z-]+$/.test(text)) {
    throw new SemanticVersionError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
  }
  return text;
}

/** Undefined for invalid versions. */
export function semanticVersionOf(text: string): SemanticVersion | undefined {
  try {
    return parseSemanticVersion(text);
  } catch (error) {
    if (error instanceof SemanticVersionError) return undefined;
    throw error;
  }
}

/** By precedence (semver.org, 11): -1 if `a` comes first, 1 if `b` does. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const order = orderOf(number, b.numbers[index] ?? 0n);
    if (order !== 0) return order;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return Math.sign(b.preRelease.length - a.preRelease.length);
  }
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    const order = other === undefined ? 1 : compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return a.preRelease.length < b.preRelease.length ? -1 : 0;
}

/** Numbers come before words (semver.org, 11.4). */
function compareIdentifiers(a: bigint | string, b: bigint | string): number {
  return typeof a === typeof b ? orderOf(a, b) : typeof a === 'bigint' ? -1 : 1;
}

function orderOf(a: bigint | string, b: bigint | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
