import { goQuote } from '../../api/go-quote.ts';
import { uint64Problem } from '../../api/go-integer.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import { CelError, LibraryValue, narrowed, type Value } from '../values/value.ts';
import { binary, declare, global, type Library, member, unary } from './define.ts';

const { bool, int, string } = types;
export const semverType = structType('kubernetes.Semver');

/** Thrown for invalid versions; clients see the message. */
class VersionError extends Error {}

type Prerelease = bigint | string;

export class SemverValue extends LibraryValue {
  readonly numbers: readonly bigint[];
  readonly #prerelease: readonly Prerelease[];
  readonly #build: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly Prerelease[], build: readonly string[]) {
    super();
    this.numbers = numbers;
    this.#prerelease = prerelease;
    this.#build = build;
  }

  get type(): CelType {
    return semverType;
  }

  get text(): string {
    const prerelease = this.#prerelease.length === 0 ? '' : `-${this.#prerelease.join('.')}`;
    return `${this.numbers.join('.')}${prerelease}${this.#build.length === 0 ? '' : `+${this.#build.join('.')}`}`;
  }

  get goType(): string {
    return 'cel.Semver';
  }

  override get syntax(): string {
    const hex = (number: bigint): string => `0x${number.toString(16)}`;
    const [major = 0n, minor = 0n, patch = 0n] = this.numbers;
    const pre = this.#prerelease.map((part) => {
      const [text, number] = typeof part === 'bigint' ? ['', part] : [part, 0n];
      return `semver.PRVersion{VersionStr:${goQuote(text)}, VersionNum:${hex(number)}, IsNum:${typeof part === 'bigint'}}`;
    });
    const lists = `Pre:${goSlice('semver.PRVersion', pre)}, Build:${goSlice('string', this.#build.map(goQuote))}`;
    return `semver.Version{Major:${hex(major)}, Minor:${hex(minor)}, Patch:${hex(patch)}, ${lists}}`;
  }

  override get isHashable(): boolean {
    return false;
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof SemverValue ? this.compare(other) === 0 : undefined;
  }

  compare(other: SemverValue): number {
    for (const [index, number] of this.numbers.entries()) {
      const order = orderOf(number, other.numbers[index] ?? 0n);
      if (order !== 0) return order;
    }
    const [a, b] = [this.#prerelease, other.#prerelease];
    if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
    for (const [index, part] of a.entries()) {
      const otherPart = b[index];
      const order = otherPart === undefined ? 1 : comparePrerelease(part, otherPart);
      if (order !== 0) return order;
    }
    return a.length < b.length ? -1 : 0;
  }
}

/** `%#v` of a slice; empty ones are nil. */
function goSlice(type: string, items: readonly string[]): string {
  return items.length === 0 ? `[]${type}(nil)` : `[]${type}{${items.join(', ')}}`;
}

function orderOf<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numeric identifiers sort before alphanumeric ones. */
function comparePrerelease(a: Prerelease, b: Prerelease): number {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? orderOf(a, b) : -1;
  return typeof b === 'bigint' ? 1 : orderOf(a, b);
}

function parseVersion(text: string): SemverValue {
  if (text === '') throw new VersionError('Version string empty');
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0) {
    throw new VersionError('No Major.Minor.Patch elements found');
  }
  const numbers = [number(major, 'major'), number(minor, 'minor')];
  const [, patch = '', prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+([\s\S]*))?$/.exec(rest.join('.')) ?? [];
  numbers.push(number(patch, 'patch'));
  const prereleases = prerelease === undefined ? [] : prerelease.split('.').map(prereleasePart);
  return new SemverValue(numbers, prereleases, build === undefined ? [] : build.split('.').map(buildPart));
}

function number(text: string, name: 'major' | 'minor' | 'patch'): bigint {
  if (!/^[0-9]*$/.test(text)) throw new VersionError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (/^0./.test(text)) {
    const shown = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    throw new VersionError(`${shown} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return uint64(text);
}

function uint64(text: string): bigint {
  const problem = uint64Problem(text);
  if (problem !== undefined) throw new VersionError(`strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  return BigInt(text);
}

function prereleasePart(text: string): Prerelease {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (/^[0-9]+$/.test(text)) {
    if (/^0./.test(text)) {
      throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    }
    return uint64(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  return text;
}

function buildPart(text: string): string {
  if (text === '') throw new VersionError('Build meta data is empty');
  if (!/^[0-9A-Za-z-]+$/.test(text)) {
    throw new VersionError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
  }
  return text;
}

/** Strips a leading `v` and leading zeros, and fills in missing parts with zeros. */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  const plain = parts.map((part) => {
    if (Buffer.byteLength(part) <= 1) return part;
    const stripped = part.replace(/^0+/, '');
    return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (plain.length < 3 && /[+-]/.test(plain.at(-1) ?? '')) {
    throw new VersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (plain.length < 3) plain.push('0');
  return plain.join('.');
}

function read(text: Value, normalize: Value = false): SemverValue | CelError {
  try {
    return parseVersion(normalize === true ? normalized(text as string) : (text as string));
  } catch (error) {
    if (error instanceof VersionError) return new CelError(error.message);
    throw error;
  }
}

function isRead(text: Value, normalize?: Value): boolean {
  return !(read(text, normalize) instanceof CelError);
}

const comparisons = [
  ['isGreaterThan', 'semver_is_greater_than', bool, (order: number) => order === 1],
  ['isLessThan', 'semver_is_less_than', bool, (order: number) => order === -1],
  ['compareTo', 'semver_compare_to', int, (order: number) => order],
] as const;

export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare(
      'semver',
      global(
        'string_to_semver',
        [[string], semverType],
        unary((text) => read(text)),
      ),
      global('string_bool_to_semver', [[string, bool], semverType], binary(read)),
    ),
    declare(
      'isSemver',
      global(
        'is_semver_string',
        [[string], bool],
        unary((text) => isRead(text)),
      ),
      global('is_semver_string_bool', [[string, bool], bool], binary(isRead)),
    ),
    ...comparisons.map(([name, id, result, of]) =>
      declare(
        name,
        member(
          id,
          [[semverType, semverType], result],
          binary((a, b) => of((a as SemverValue).compare(b as SemverValue))),
        ),
      ),
    ),
    ...(['major', 'minor', 'patch'] as const).map((name, index) =>
      declare(
        name,
        member(
          `semver_${name}`,
          [[semverType], int],
          unary((value) => narrowed(BigInt.asIntN(64, (value as SemverValue).numbers[index] ?? 0n))),
        ),
      ),
    ),
  ],
};
