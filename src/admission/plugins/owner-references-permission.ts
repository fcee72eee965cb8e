import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { parseApiVersion } from '../../api/meta/group-version.ts';
import type { KubernetesObject, OwnerReference } from '../../api/meta/object.ts';
import type { PluginContext } from '../plugin-context.ts';
import { refusal } from '../refusal.ts';

const anything = { group: '*', version: '*', resource: '*', subresource: 'finalizers', namespace: '', name: '*' };

type Question = typeof anything;

/**
 * Changing owner references requires the right to delete the object; setting `blockOwnerDeletion` requires the right
 * to update the owner's finalizers.
 */
export function ownerReferencesPermission({
  authorizer,
  resourceOfKind,
}: Pick<PluginContext, 'authorizer' | 'resourceOfKind'>): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: new Set(['CREATE', 'UPDATE']),
    async validate(attributes) {
      const { group, version, resource, subresource, namespace, name, object, oldObject } = attributes;
      // The status of pods keeps the owners as they are.
      if (object === undefined || (group === '' && resource === 'pods' && subresource === 'status')) return;
      if (isDeepStrictEqual(ownersOf(object), ownersOf(oldObject))) return;
      const ask = (verb: string, question: Question) => permissionOf(attributes, authorizer, { verb, question });
      if (attributes.operation !== 'CREATE') {
        const denial = await ask('delete', { group, version, resource, subresource, namespace, name });
        if (denial !== undefined) {
          throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${denial}`);
        }
      }
      const blocking = newlyBlocking(object, oldObject);
      if (blocking.length === 0 || (await ask('update', anything)) === undefined) return;
      for (const owner of blocking) {
        const denial = await ask('update', finalizersOf(attributes, owner, resourceOfKind));
        if (denial === undefined) continue;
        const why = `an ownerReference refers to a resource you can't set finalizers on: ${denial}`;
        throw refusal(attributes, `cannot set blockOwnerDeletion if ${why}`);
      }
    },
  };
}

/** Why the user may not do it; undefined when he may. */
async function permissionOf(
  { user }: AdmissionAttributes,
  authorizer: Authorizer,
  { verb, question }: { readonly verb: string; readonly question: Question },
): Promise<string | undefined> {
  const requested = { user, verb, isResourceRequest: true, path: '', ...question };
  const { decision, reason, error } = await authorizer.authorize(requested);
  return decision === 'allow' ? undefined : `${reason}, ${error ?? '<nil>'}`;
}

function finalizersOf(
  attributes: AdmissionAttributes,
  { apiVersion, kind, name }: OwnerReference,
  resourceOfKind: PluginContext['resourceOfKind'],
): Question {
  const parsed = parseApiVersion(apiVersion);
  const found = parsed === undefined ? undefined : resourceOfKind({ ...parsed, kind });
  if (parsed === undefined || found === undefined) {
    const why =
      parsed === undefined
        ? `unexpected GroupVersion string: ${apiVersion}`
        : `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
    const what = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
    throw refusal(attributes, `cannot set blockOwnerDeletion in this case because ${what}: ${why}`);
  }
  const { group, version, plural, namespaced } = found;
  const namespace = namespaced ? attributes.namespace : '';
  return { group, version, resource: plural, subresource: 'finalizers', namespace, name };
}

function newlyBlocking(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
): readonly OwnerReference[] {
  const before = new Map(ownersOf(old).map((owner) => [owner.uid, owner]));
  return ownersOf(object).filter(
    ({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && before.get(uid)?.blockOwnerDeletion !== true,
  );
}

function ownersOf(object: Readonly<KubernetesObject> | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}
