import type { AdmissionAttributes, ServedVersion } from '../../api/contracts/admission.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { UserInfo } from '../../api/contracts/user.ts';

/** The AdmissionRequest without its objects, as reviews and the variable `request` of expressions have it. */
export function requestOf({ kind: of, resource }: ServedVersion, attributes: AdmissionAttributes): JsonObject {
  const { operation, subresource, name, objectKind, user } = attributes;
  const namespace = namespaceOf(attributes);
  const requestResource = { group: attributes.group, version: attributes.version, resource: attributes.resource };
  return {
    kind: kindObject(of),
    resource: { ...resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindObject(objectKind),
    requestResource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userObject(user),
  };
}

/** The namespace of a request; a request for a namespace itself belongs to that namespace. */
export function namespaceOf({ group: of, resource, namespace, name }: AdmissionAttributes): string {
  return of === '' && resource === 'namespaces' ? name : namespace;
}

function kindObject({ group: of, version, kind: name }: GroupVersionKind): JsonObject {
  return { group: of, version, kind: name };
}

function userObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}
