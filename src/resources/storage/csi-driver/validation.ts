import { childPath, duplicateField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { type Errors, immutable, isEmpty, oneOf, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

export function* csiDriver({ spec = {} }: storage.CSIDriver): Errors {
  for (const [name, shown] of [
    ['attachRequired', 'attachedRequired'],
    ['podInfoOnMount'],
    ['storageCapacity'],
  ] as const) {
    if (spec[name] === undefined) yield requiredField(`spec.${shown ?? name}`);
  }
  yield* oneOf(['File', 'None', 'ReadWriteOnceWithFSType'])(spec.fsGroupPolicy, 'spec.fsGroupPolicy');
  yield* tokenRequests(spec.tokenRequests ?? []);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    yield* oneOf(['Persistent', 'Ephemeral'])(mode, 'spec.volumeLifecycleModes');
  }
  if (spec.seLinuxMount === undefined) yield requiredField('spec.seLinuxMount');
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10) {
    const detail = 'must be greater than or equal to 10 seconds';
    yield invalidField('spec.nodeAllocatableUpdatePeriodSeconds', period, detail);
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && isEmpty(spec.tokenRequests)) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    yield invalidField('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, detail);
  }
}

function* tokenRequests(requests: readonly storage.TokenRequest[]): Errors {
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    const path = keyPath('spec.tokenRequests', index);
    if (audiences.has(audience)) {
      yield duplicateField(childPath(path, 'audience'), audience);
      continue;
    }
    audiences.add(audience);
    const secondsPath = childPath(path, 'expirationSeconds');
    if (seconds !== undefined && seconds < 600) {
      yield invalidField(secondsPath, seconds, 'may not specify a duration less than 10 minutes');
    }
    if (seconds !== undefined && seconds > 2 ** 32) {
      yield invalidField(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds');
    }
  }
}

export function* csiDriverUpdate(object: storage.CSIDriver, old: storage.CSIDriver): Errors {
  yield* immutable(object.spec?.attachRequired, old.spec?.attachRequired, 'spec.attachedRequired');
  if (!sameValue(object.spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes)) {
    const shown = shownField(object.spec ?? {}, 'volumeLifecycleModes');
    yield invalidField('spec.volumeLifecycleModes', shown, immutableMessage);
  }
}
