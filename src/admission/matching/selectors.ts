import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { type LabelSelector, matchesLabels } from '../../api/selectors/label-selector.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import { internalError, notFound } from '../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { namespaceOf } from './request.ts';
import { liveNameProblem } from '../plugins/parts/live-name.ts';

export interface Selectors {
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces' } as const;

/** Whether selectors select a write. Throws a StatusError when its namespace is not there. */
export function isSelectedBy(
  { namespaceSelector, objectSelector }: Selectors,
  attributes: AdmissionAttributes,
  stored: StoredObjects,
): Soon<boolean> {
  if (namespaceSelector.length === 0 && objectSelector.length === 0) return true;
  const labels = namespaceSelector.length === 0 ? undefined : namespaceLabels(attributes, stored);
  return soon(labels, (known) => {
    if (known !== undefined && !matchesLabels(namespaceSelector, known)) return false;
    return objectSelector.length === 0 || selectsObject(objectSelector, attributes);
  });
}

function selectsObject(selector: LabelSelector, { object, oldObject }: AdmissionAttributes): boolean {
  const isMatch = (each: Readonly<KubernetesObject> | undefined): boolean =>
    each !== undefined && matchesLabels(selector, each.metadata.labels ?? {});
  return isMatch(object) || isMatch(oldObject);
}

/** Labels of the namespace that the write is in or about; undefined for other cluster-scoped resources, which match. */
function namespaceLabels(
  attributes: AdmissionAttributes,
  stored: StoredObjects,
): Soon<{ readonly [key: string]: string } | undefined> {
  const { operation, resource, subresource, object } = attributes;
  const name = namespaceOf(attributes);
  if (name === '' && resource !== 'namespaces') return undefined;
  // Stored objects are older than written ones.
  const isWritten =
    resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  if (isWritten) return object?.metadata.labels ?? {};
  return soon(storedNamespace(stored, name), ({ metadata }) => metadata.labels ?? {});
}

/** Throws a StatusError when it is not there. */
export function storedNamespace(stored: StoredObjects, name: string): Soon<Readonly<KubernetesObject>> {
  return soon(stored.get(namespaces, { namespace: '', name }), (namespace) => {
    if (namespace !== undefined) return namespace;
    const problem = name === '' ? undefined : liveNameProblem(name);
    throw problem === undefined ? notFound({ group: '', resource: 'namespaces' }, name) : internalError(problem);
  });
}
