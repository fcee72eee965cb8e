import { childPath, duplicateField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { qualifiedNameErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  type Errors,
  formErrors,
  isEmpty,
  oneOf,
  qualifiedName,
  required,
  sealedField,
} from '../../parts/rules/rules.ts';
import { parameters } from '../parameters.ts';

export function* provisioner(value: string | undefined, path: string): Errors {
  if (isEmpty(value)) return;
  yield* formErrors(path, (value ?? '').toLowerCase(), qualifiedNameErrors((value ?? '').toLowerCase()));
}

export function* storageClass(object: storage.StorageClass): Errors {
  yield* rulesOfClass(object);
  // Declarative validation comes last.
  yield* required()(object.provisioner, 'provisioner');
}

function* rulesOfClass(object: storage.StorageClass): Errors {
  yield* provisioner(object.provisioner, 'provisioner');
  yield* parameters(object.parameters ?? {}, 'parameters');
  if (!isEmpty(object.reclaimPolicy)) yield* oneOf(['Delete', 'Retain'])(object.reclaimPolicy, 'reclaimPolicy');
  const mode = object.volumeBindingMode;
  if (mode === undefined) yield requiredField('volumeBindingMode');
  else yield* oneOf(['Immediate', 'WaitForFirstConsumer'])(mode, 'volumeBindingMode');
  yield* topologies(object.allowedTopologies ?? [], 'allowedTopologies');
}

/** Terms must be unique; as in the reference a term without expressions counts as a duplicate. */
function* topologies(terms: readonly core.TopologySelectorTerm[], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, term] of terms.entries()) {
    const expressionsPath = childPath(keyPath(path, index), 'matchLabelExpressions');
    yield* topologyTerm(term, expressionsPath);
    const values = new Map(
      (term.matchLabelExpressions ?? []).map(({ key = '', values = [] }) => [key, [...new Set(values)].sort()]),
    );
    // Keys, and the values of a key, are unordered.
    const identity = JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (isRepeated(identity) || values.size === 0) yield duplicateField(expressionsPath, '');
  }
}

function* topologyTerm({ matchLabelExpressions = [] }: core.TopologySelectorTerm, path: string): Errors {
  const keys = new Set<string>();
  for (const [index, { key = '', values = [] }] of matchLabelExpressions.entries()) {
    const itemPath = keyPath(path, index);
    yield* required()(values, childPath(itemPath, 'values'));
    const isRepeated = repetitions();
    for (const [number, value] of values.entries()) {
      if (isRepeated(value)) yield duplicateField(keyPath(childPath(itemPath, 'values'), number), value);
    }
    yield* qualifiedName(key, childPath(itemPath, 'key'));
    if (keys.has(key)) yield duplicateField(childPath(itemPath, 'key'), key);
    keys.add(key);
  }
}

export function* storageClassUpdate(object: storage.StorageClass, old: storage.StorageClass): Errors {
  yield* rulesOfClass(object);
  if (!isEmpty(old.provisioner)) yield* required()(object.provisioner, 'provisioner');
  for (const name of ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const) {
    yield* sealedField(object[name], old[name], name);
  }
}
