import { goQuote } from '../../api/go/go-quote.ts';
import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
  SemanticVersionError,
} from '../../api/values/semantic-version.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import { CelError, LibraryValue, narrowed, type Value } from '../values/value.ts';
import { binary, declare, global, type Library, member, unary } from './define.ts';

const { bool, int, string } = types;
export const semverType = structType('kubernetes.Semver');

export class SemverValue extends LibraryValue {
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  get type(): CelType {
    return semverType;
  }

  get text(): string {
    const { numbers, preRelease, build } = this.version;
    const suffix = (mark: string, parts: readonly unknown[]): string =>
      parts.length === 0 ? '' : `${mark}${parts.join('.')}`;
    return `${numbers.join('.')}${suffix('-', preRelease)}${suffix('+', build)}`;
  }

  get goType(): string {
    return 'cel.Semver';
  }

  override get syntax(): string {
    const hex = (number: bigint): string => `0x${number.toString(16)}`;
    const { numbers, preRelease, build } = this.version;
    const [major = 0n, minor = 0n, patch = 0n] = numbers;
    const pre = preRelease.map((part) => {
      const [text, number] = typeof part === 'bigint' ? ['', part] : [part, 0n];
      return `semver.PRVersion{VersionStr:${goQuote(text)}, VersionNum:${hex(number)}, IsNum:${typeof part === 'bigint'}}`;
    });
    const lists = `Pre:${goSlice('semver.PRVersion', pre)}, Build:${goSlice('string', build.map(goQuote))}`;
    return `semver.Version{Major:${hex(major)}, Minor:${hex(minor)}, Patch:${hex(patch)}, ${lists}}`;
  }

  override get isHashable(): boolean {
    return false;
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof SemverValue ? compareSemanticVersions(this.version, other.version) === 0 : undefined;
  }
}

/** `%#v` of a slice; empty ones are nil. */
function goSlice(type: string, items: readonly string[]): string {
  return items.length === 0 ? `[]${type}(nil)` : `[]${type}{${items.join(', ')}}`;
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
    throw new SemanticVersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (plain.length < 3) plain.push('0');
  return plain.join('.');
}

function read(text: Value, normalize: Value = false): SemverValue | CelError {
  try {
    return new SemverValue(parseSemanticVersion(normalize === true ? normalized(text as string) : (text as string)));
  } catch (error) {
    if (error instanceof SemanticVersionError) return new CelError(error.message);
    throw error;
  }
}

function isRead(text: Value, normalize?: Value): boolean {
  return !(read(text, normalize) instanceof CelError);
}

function versionOf(value: Value): SemanticVersion {
  // guaranteed by the signature
  return (value as SemverValue).version;
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
          binary((a, b) => of(compareSemanticVersions(versionOf(a), versionOf(b)))),
        ),
      ),
    ),
    ...(['major', 'minor', 'patch'] as const).map((name, index) =>
      declare(
        name,
        member(
          `semver_${name}`,
          [[semverType], int],
          unary((value) => narrowed(BigInt.asIntN(64, versionOf(value).numbers[index] ?? 0n))),
        ),
      ),
    ),
  ],
};
