import { cloneData } from '../../../api/json/json.ts';
import { nameRules } from '../../../api/meta/names.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { allBut } from '../../parts/ownable-fields.ts';

type Namespace = KubernetesObject & core.Namespace;

/** Removed by the namespace controller once the namespace is empty. */
const contentFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';

/**
 * Namespaces are emptied before removal: a deletion marks them, and the update that removes the last of
 * `spec.finalizers` deletes them.
 */
export const namespaceStrategy: StrategyOf<core.Namespace> = {
  ownableFields: { finalize: allBut('status') },
  nameRule: nameRules.dnsLabel,
  prepareForCreate(namespace) {
    const finalizers = namespace.spec?.finalizers ?? [];
    if (!finalizers.includes(contentFinalizer)) {
      namespace.spec = { ...namespace.spec, finalizers: [...finalizers, contentFinalizer] };
    }
    namespace.status = { phase: 'Active' };
  },
  prepareForUpdate(namespace, old) {
    namespace.spec = { ...namespace.spec };
    if (old.spec?.finalizers === undefined) delete namespace.spec.finalizers;
    else namespace.spec.finalizers = [...old.spec.finalizers];
  },
  subresources: {
    finalize: {
      prepareForUpdate(namespace, old) {
        if (old.status === undefined) delete namespace.status;
        else namespace.status = cloneData(old.status);
      },
    },
  },
  canonicalize: labelWithName,
  finalization: {
    isHeld: ({ spec }) => (spec?.finalizers ?? []).length > 0,
    begin(namespace) {
      namespace.status = { ...namespace.status, phase: 'Terminating' };
    },
    failedPrecondition: 'Precondition failed',
  },
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  selectableMetadata: 'name',
};

function labelWithName({ metadata }: Namespace): void {
  metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name ?? '' };
}
