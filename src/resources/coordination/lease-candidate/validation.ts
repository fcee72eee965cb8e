import { invalidField, requiredField } from '../../../api/errors/field-error.ts';
import {
  compareSemanticVersions,
  type SemanticVersion,
  semanticVersionOf,
  zeroVersion,
} from '../../../api/values/semantic-version.ts';
import type { LeaseCandidate } from '../../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { type Errors, immutable } from '../../parts/rules/rules.ts';
import { electionStrategy } from '../election-strategy.ts';

export function* leaseCandidate({ spec = {} }: LeaseCandidate): Errors {
  const { leaseName = '', emulationVersion = '', binaryVersion = '', strategy = '' } = spec;
  if (leaseName === '') yield requiredField('spec.leaseName');
  const emulated = semanticVersionOf(emulationVersion);
  const binary = semanticVersionOf(binaryVersion);
  const notVersion = 'must be a valid semantic version';
  if (emulationVersion !== '' && emulated === undefined) {
    yield invalidField('spec.emulationVersion', emulationVersion, notVersion);
  }
  if (binaryVersion === '') yield requiredField('spec.binaryVersion');
  else if (binary === undefined) yield invalidField('spec.binaryVersion', binaryVersion, notVersion);
  // Malformed versions count as 0.0.0.
  const counted = (version: SemanticVersion | undefined): SemanticVersion => version ?? zeroVersion;
  if (
    binaryVersion !== '' &&
    emulationVersion !== '' &&
    compareSemanticVersions(counted(binary), counted(emulated)) < 0
  ) {
    yield invalidField('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`');
  }
  const path = 'spec.strategy';
  if (strategy === '') return yield requiredField(path);
  const isZero = compareSemanticVersions(counted(emulated), zeroVersion) === 0;
  if (strategy === 'OldestEmulationVersion' && isZero) {
    const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
    yield requiredField('spec.emulationVersion', detail);
  }
  yield* electionStrategy(strategy, path);
}

export function* leaseCandidateUpdate(candidate: LeaseCandidate, old: LeaseCandidate): Errors {
  yield* leaseCandidate(candidate);
  yield* immutable(candidate.spec?.leaseName ?? '', old.spec?.leaseName ?? '', 'spec.leaseName');
}
