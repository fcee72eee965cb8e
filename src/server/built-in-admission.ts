import { admissionChain } from '../admission/chain.ts';
import { defaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { priority } from '../admission/priority.ts';
import { storageObjectInUseProtection } from '../admission/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../admission/taint-nodes-by-condition.ts';
import type { Admission } from '../api/admission.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import { storedObject, storedObjects } from './stored-objects.ts';

/** The admission plugins in their order. */
export function builtInAdmission(scopes: ResourceScopes): Admission {
  const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
  const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' };
  return admissionChain([
    namespaceLifecycle((name) => storedObject(scopes, namespaces, name)),
    taintNodesByCondition,
    priority(() => storedObjects(scopes, priorityClasses)),
    defaultTolerationSeconds,
    storageObjectInUseProtection,
  ]);
}
