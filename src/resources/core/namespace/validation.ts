import { invalidField, keyPath } from '../../../api/errors/field-error.ts';
import { qualifiedNameErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';

function* finalizer(name: string, path: string): Errors {
  yield* formErrors(path, name, qualifiedNameErrors(name));
  if (name.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(name)) return;
  yield invalidField(path, name, 'name is neither a standard finalizer name nor is it fully qualified');
}

export function* namespace({ spec }: core.Namespace): Errors {
  for (const name of spec?.finalizers ?? []) {
    yield* finalizer(name, 'spec.finalizers');
  }
}

export function* namespaceFinalize({ spec }: core.Namespace): Errors {
  for (const [index, name] of (spec?.finalizers ?? []).entries()) {
    yield* finalizer(name, keyPath('spec.finalizers', index));
  }
}

export function* namespaceStatus({ metadata, status }: core.Namespace): Errors {
  const deleted = metadata?.deletionTimestamp !== undefined;
  const expected = deleted ? 'Terminating' : 'Active';
  const phase = status?.phase ?? '';
  if (phase === expected) return;
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${deleted ? 'not ' : ''}empty`;
  yield invalidField('status.Phase', phase, detail);
}
