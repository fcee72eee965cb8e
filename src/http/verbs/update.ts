import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { badRequest } from '../../api/status-errors.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../../registry/metadata.ts';
import { updateObject } from '../../registry/update.ts';
import { decodeBody } from '../decode-body.ts';
import { managerOfRequest, ownedResource, setEntries, trackOwners, withoutOwnersIfTooLarge } from '../field-owners.ts';
import { parseWriteOptions } from '../request-options.ts';
import { admissionAttributes, nameOf, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { respondStored } from '../respond.ts';
import { warnOfDuplicateOwners } from './create.ts';

/** PUT of one object, or of a subresource that speaks the whole object. */
export async function update(request: ResourceRequest): Promise<void> {
  const { context, scope, format, subresource } = request;
  const store = storeOf(request);
  const name = nameOf(request);
  const { object, options } = await decodeBody(request, scope.resource, () =>
    parseWriteOptions(context.query, 'UpdateOptions'),
  );
  ensureNamespaceMatches(object.metadata, expectedNamespace(context.info.namespace, scope.resource.namespaced));
  checkName(object, name);
  warnOfDuplicateOwners(request, object, '');
  scope.applyDefaults(object);
  const { uid } = object.metadata;
  const manager = managerOfRequest(context, options.fieldManager);
  const place = ownedResource(request);
  const make = async (live: Readonly<KubernetesObject> | undefined, tracking: boolean): Promise<KubernetesObject> => {
    const updated = scope.toStored(cloneObject(object));
    if (tracking) await trackOwners(place, { live, updated, manager });
    else setEntries(updated, undefined);
    return updated;
  };
  const result = await withoutOwnersIfTooLarge((tracking) =>
    updateObject(
      store,
      {
        name,
        subresource: subresource?.name ?? '',
        preconditions: uid === undefined || uid === '' ? {} : { uid },
        ...updateAdmission(request, { name, dryRun: options.dryRun }, (live) => make(live, tracking)),
      },
      writeScope(request, options.dryRun),
    ),
  );
  await respondStored(context, scope, { code: result.created ? 201 : 200, stored: result.stored, format });
}

/** An object must have the name of its URL. */
export function checkName(object: Readonly<KubernetesObject>, name: string): void {
  const own = object.metadata.name ?? '';
  if (own === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (own !== name) {
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
}

/** The part of an update that makes the object and asks admission about it. */
export function updateAdmission(
  request: ResourceRequest,
  { name, dryRun }: { readonly name: string; readonly dryRun: boolean },
  make: (old: Readonly<KubernetesObject> | undefined) => KubernetesObject | Promise<KubernetesObject>,
): Pick<Parameters<typeof updateObject>[1], 'transform' | 'admitCreate' | 'admitUpdate'> {
  const { admission } = request;
  const attributes = (object: KubernetesObject, oldObject: Readonly<KubernetesObject> | undefined) =>
    admissionAttributes(request, {
      operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
      name,
      object,
      oldObject,
      dryRun,
    });
  return {
    async transform(old) {
      const object = await make(old);
      await admission.mutate(attributes(object, old));
      warnOfDuplicateOwners(request, object, ' after mutating admission happens');
      return object;
    },
    admitCreate: (object) => admission.validate(attributes(object, undefined)),
    admitUpdate: (object, old) => admission.validate(attributes(object, old)),
  };
}
