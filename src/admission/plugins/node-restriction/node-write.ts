import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { Authorizer } from '../../../api/contracts/authorization.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { notFound } from '../../../api/errors/status-errors.ts';
import type { StoredCollection, StoredObjects } from '../../../api/contracts/stored-objects.ts';

/** A write by a kubelet. */
export interface NodeWrite {
  readonly attributes: AdmissionAttributes;
  /** Name of the kubelet's node. */
  readonly node: string;
}

/** What the checks need besides the write itself. */
export interface NodeWriteContext {
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  readonly isOn: (gate: string) => boolean;
}

/** Throws a StatusError when the write is forbidden to nodes. */
export type AdmitNodeWrite = (write: NodeWrite, context: NodeWriteContext) => void | Promise<void>;

export const mirrorAnnotation = 'kubernetes.io/config.mirror';

export function core(plural: string): StoredCollection {
  return { group: '', version: 'v1', plural };
}

/** An object of the core group that must exist; the error names it in the singular, as the reference's listers do. */
export async function storedObject(
  stored: StoredObjects,
  plural: string,
  at: { readonly namespace: string; readonly name: string },
): Promise<Readonly<KubernetesObject>> {
  const found = await stored.get(core(plural), at);
  if (found === undefined) throw notFound({ group: '', resource: plural.replace(/s$/, '') }, at.name);
  return found;
}

/** Asks the authorizer whether the node may do something. */
export async function mayDo(
  { attributes: { user, group, version, namespace } }: NodeWrite,
  authorizer: Authorizer,
  target: { readonly verb: string; readonly resource: string; readonly name: string },
): Promise<{ readonly isAllowed: boolean; readonly error: string | undefined }> {
  const question = { user, isResourceRequest: true, path: '', group, version, subresource: '', namespace };
  const { decision, error } = await authorizer.authorize({ ...question, ...target });
  return { isAllowed: decision === 'allow', error };
}
