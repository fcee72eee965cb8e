import { invalidField, notSupportedField, requiredField } from '../../../api/field-error.ts';
import { qualifiedNameErrors } from '../../../api/names.ts';
import type { LeaseCandidate } from '../../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { type Errors, formErrors, immutable } from '../../parts/rules/rules.ts';

const strategies: readonly string[] = ['OldestEmulationVersion'];

/** A semantic version for comparison: its numbers, and the pre-release after the hyphen. */
interface Version {
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly string[];
}

const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const form = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

function parseVersion(text: string): Version | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(BigInt), preRelease: (match[4] ?? '').split('.').filter(Boolean) };
}

function isLess(a: Version, b: Version): boolean {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return a.preRelease.length > b.preRelease.length;
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    if (other === undefined) return false;
    if (part !== other) return comesBefore(part, other);
  }
  return a.preRelease.length < b.preRelease.length;
}

/** Numbers come before words (semver.org, 11.4). */
function comesBefore(a: string, b: string): boolean {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return BigInt(a) < BigInt(b);
  return isNumber === isOtherNumber ? a < b : isNumber;
}

export function* leaseCandidate({ spec = {} }: LeaseCandidate): Errors {
  const { leaseName = '', emulationVersion = '', binaryVersion = '', strategy = '' } = spec;
  if (leaseName === '') yield requiredField('spec.leaseName');
  const emulated = parseVersion(emulationVersion);
  const binary = parseVersion(binaryVersion);
  const notVersion = 'must be a valid semantic version';
  if (emulationVersion !== '' && emulated === undefined) {
    yield invalidField('spec.emulationVersion', emulationVersion, notVersion);
  }
  if (binaryVersion === '') yield requiredField('spec.binaryVersion');
  else if (binary === undefined) yield invalidField('spec.binaryVersion', binaryVersion, notVersion);
  // Malformed versions count as 0.0.0.
  const zero: Version = { numbers: [0n, 0n, 0n], preRelease: [] };
  if (binaryVersion !== '' && emulationVersion !== '' && isLess(binary ?? zero, emulated ?? zero)) {
    yield invalidField('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`');
  }
  const path = 'spec.strategy';
  if (strategy === '') return yield requiredField(path);
  const isZero =
    (emulated ?? zero).numbers.every((number) => number === 0n) && (emulated ?? zero).preRelease.length === 0;
  if (strategy === 'OldestEmulationVersion' && isZero) {
    const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
    yield requiredField('spec.emulationVersion', detail);
  }
  // The reference repeats the field name.
  const named = `${path}.strategy`;
  if (strategy.includes('/')) yield* formErrors(named, strategy, qualifiedNameErrors(strategy));
  else if (!strategies.includes(strategy)) yield notSupportedField(named, strategy, strategies);
}

export function* leaseCandidateUpdate(candidate: LeaseCandidate, old: LeaseCandidate): Errors {
  yield* leaseCandidate(candidate);
  yield* immutable(candidate.spec?.leaseName ?? '', old.spec?.leaseName ?? '', 'spec.leaseName');
}
