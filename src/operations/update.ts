import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { badRequest, internalError } from '../api/errors/status-errors.ts';
import { forbiddenError } from '../api/contracts/forbidden-request.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../registry/write/metadata.ts';
import { updateObject, type UpdateRequest, type UpdateResult } from '../registry/write/update.ts';
import { warnOfDuplicateOwners } from './duplicate-owners.ts';
import { setEntries, trackOwners, withoutOwnersIfTooLarge } from './field-owners.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { mutate } from './mutate.ts';
import { type Operation, storeOfOperation, type WriteOptions, writeScope } from './operation.ts';
import type { ResourceScope } from './resource-scope.ts';

/** Replaces the object called `name` by `object`, given in the served version. Throws StatusErrors. */
export async function update(
  operation: Operation,
  name: string,
  object: KubernetesObject,
  { dryRun, manager }: WriteOptions,
): Promise<UpdateResult> {
  const { scope, subresource, namespace } = operation;
  const store = storeOfOperation(operation, 'update');
  ensureNamespaceMatches(object.metadata, expectedNamespace(namespace, scope.resource.namespaced));
  checkName(object, name);
  warnOfDuplicateOwners(operation, object, '');
  scope.applyDefaults(object);
  const { uid } = object.metadata;
  const make = async (live: Readonly<KubernetesObject> | undefined, tracking: boolean): Promise<KubernetesObject> => {
    const updated = await copiedForStore(scope, object);
    if (tracking) await trackOwners(operation, { live, updated, manager });
    else setEntries(updated, undefined);
    return updated;
  };
  return withoutOwnersIfTooLarge((tracking) =>
    updateObject(
      store,
      {
        name,
        subresource: subresource?.name ?? '',
        preconditions: uid === undefined || uid === '' ? {} : { uid },
        ...admitted(operation, { name, dryRun }, (live) => make(live, tracking)),
      },
      writeScope(operation, dryRun),
    ),
  );
}

async function copiedForStore(scope: ResourceScope, object: KubernetesObject): Promise<KubernetesObject> {
  const copy = cloneObject(object);
  return await scope.conversion.toStored(copy);
}

/** The name in the object must match the request. */
export function checkName(object: Readonly<KubernetesObject>, name: string): void {
  const own = object.metadata.name ?? '';
  if (own === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (own !== name) {
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
}

/** The part of an update that makes the new object and runs admission. */
export function admitted(
  operation: Operation,
  { name, dryRun }: { readonly name: string; readonly dryRun: boolean },
  make: (old: Readonly<KubernetesObject> | undefined) => KubernetesObject | Promise<KubernetesObject>,
): Pick<UpdateRequest, 'transform' | 'admitCreate' | 'admitUpdate'> {
  const { admission } = operation;
  const attributes = (object: KubernetesObject, oldObject: Readonly<KubernetesObject> | undefined) =>
    admissionAttributes(operation, {
      operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
      name,
      object,
      oldObject,
      dryRun,
    });
  return {
    async transform(old) {
      const object = await make(old);
      await mutate(admission, attributes(object, old));
      warnOfDuplicateOwners(operation, object, ' after mutating admission happens');
      return object;
    },
    async admitCreate(object) {
      await requireCreation(operation, name);
      await admission.validate(attributes(object, undefined));
    },
    admitUpdate: (object, old) => admission.validate(attributes(object, old)),
  };
}

/** An update of an absent object creates it, which needs the right to create. */
async function requireCreation({ scope, subresource, namespace, user, authorizer }: Operation, name: string) {
  const { group, version, plural: resource } = scope.resource;
  const question = {
    user,
    verb: 'create',
    isResourceRequest: true,
    path: '',
    group,
    version,
    resource,
    namespace,
    name,
    subresource: subresource?.name ?? '',
  };
  const { decision, reason, error } = await authorizer.authorize(question);
  if (decision === 'allow') return;
  throw error === undefined ? forbiddenError(question, reason) : internalError(error);
}
