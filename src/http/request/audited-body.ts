import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/meta/object.ts';
import { jsonOf } from '../../codec/document.ts';
import { defaultedForStore, type ServedKind, servedNow } from '../../operations/resource-scope.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Adds the object of a body to the audit event, with its defaults. */
export async function auditBody(
  { context, scope }: Pick<ResourceRequest, 'context' | 'scope'>,
  object: KubernetesObject,
  served: ServedKind,
): Promise<void> {
  const { audit } = context;
  if (audit === undefined) return;
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = object.metadata;
  audit.addMeta({ name, namespace, uid, resourceVersion });
  if (!audit.logs('Request')) return;
  const isOwn = served.kind === scope.resource.kind && served.group === scope.resource.group;
  const shown = isOwn ? await defaulted(scope, cloneObject(object)) : object;
  // Objects are JSON-shaped.
  const document = { object: shown, schema: served.schema };
  audit.addRequestObject(jsonOf(document));
}

async function defaulted(scope: ResourceRequest['scope'], object: KubernetesObject): Promise<KubernetesObject> {
  if (!scope.conversion.waits && scope.store !== undefined) {
    return servedNow(scope, await defaultedForStore(scope, object));
  }
  scope.applyDefaults(object);
  return object;
}

/** Adds a patch to the audit event. */
export function auditPatch({ audit }: RequestContext, patch: JsonValue): void {
  if (audit?.logs('Request') === true) audit.addRequestData(patch);
}

/** Adds the options in the body of a deletion to the audit event, in the reference's version. */
export function auditDeleteOptions({ audit }: RequestContext, options: JsonObject): void {
  if (audit?.logs('Request') !== true) return;
  const { kind: _kind, apiVersion: _apiVersion, ...given } = options;
  audit.addRequestData({ kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal', ...given });
}
