import { type FieldError, invalidField } from '../../api/field-error.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { badRequest, conflict, invalid, notBuilt, notFound } from '../../api/status-errors.ts';
import { applyPatch, readPatch } from '../../patch/apply-patch.ts';
import { readObject } from '../../registry/read.ts';
import type { ScalePaths } from '../../registry/strategy.ts';
import type { StoredObject } from '../../registry/stored-object.ts';
import { updateObject } from '../../registry/update.ts';
import { selectorText } from '../../registry/scale-selector.ts';
import { decodeBody } from '../decode-body.ts';
import { maxBodyBytes } from '../request-limits.ts';
import { parseGetOptions, parseWriteOptions, type WriteOptions } from '../request-options.ts';
import { nameOf, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { type ServedKind, servedKind } from '../resource-scope.ts';
import { respondObject } from '../respond.ts';
import { patchFormatOf } from './patch.ts';
import { updateAdmission } from './update.ts';

/** GET of a scale. */
export async function getScale(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const { resourceVersion } = parseGetOptions(context.query);
  const stored = await readObject(storeOf(request), {
    namespace: context.info.namespace,
    name: nameOf(request),
    resource: scope.groupResource,
    resourceVersion,
    deadlineMs: context.deadlineMs,
  });
  await respondScale(request, stored);
}

/** PUT of a scale. */
export async function updateScale(request: ResourceRequest): Promise<void> {
  const { object, options } = await decodeBody(request, scaleKind(request), () =>
    parseWriteOptions(request.context.query, 'UpdateOptions'),
  );
  const name = nameOf(request);
  const own = object.metadata.name ?? '';
  if (own === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  await write(request, options, () => object);
}

/** PATCH of a scale. */
export async function patchScale(request: ResourceRequest): Promise<void> {
  const { context, kinds } = request;
  const patchFormat = patchFormatOf(context.exchange.header('content-type'));
  const bytes = await context.exchange.readBody(maxBodyBytes);
  const options = parseWriteOptions(context.query, 'PatchOptions', patchFormat === 'apply');
  if (patchFormat === 'apply') throw notBuilt('server-side apply');
  const source = readPatch(bytes);
  const served = scaleKind(request);
  await write(request, options, (scale) => {
    const { object, warnings } = applyPatch(scale as unknown as JsonObject, {
      format: patchFormat,
      source,
      fieldValidation: options.fieldValidation,
      schema: served.schema,
      kinds: { expected: served, schemaOf: (kind) => kinds.schemaOf(kind) },
    });
    for (const text of warnings) context.warnings.add(text);
    return { metadata: {}, ...object } as unknown as KubernetesObject;
  });
}

async function write(
  request: ResourceRequest,
  options: WriteOptions,
  make: (scale: KubernetesObject) => KubernetesObject,
): Promise<void> {
  const { scope } = request;
  const name = nameOf(request);
  const transform = (old: Readonly<KubernetesObject> | undefined): KubernetesObject => {
    if (old === undefined) throw notFound(scope.groupResource, name);
    return rescaled(request, old, make(scaleOf(request, old)));
  };
  const result = await updateObject(
    storeOf(request),
    {
      name,
      subresource: 'scale',
      preconditions: {},
      ...updateAdmission(request, { name, dryRun: options.dryRun }, transform),
    },
    writeScope(request, options.dryRun),
  );
  await respondScale(request, result.stored);
}

function rescaled(
  request: ResourceRequest,
  old: Readonly<KubernetesObject>,
  scale: KubernetesObject,
): KubernetesObject {
  const { scope } = request;
  const name = nameOf(request);
  const wanted = isJsonObject(scale['spec']) ? scale['spec']['replicas'] : undefined;
  const replicas = typeof wanted === 'number' ? wanted : 0;
  if (replicas < 0) {
    const error: FieldError = invalidField('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
  }
  const given = scale.metadata.resourceVersion ?? '';
  if (given !== '' && given !== old.metadata.resourceVersion) {
    const why = 'the object has been modified; please apply your changes to the latest version and try again';
    throw conflict(scope.groupResource, name, why);
  }
  const { uid = '' } = scale.metadata;
  if (uid !== '' && uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`;
    throw conflict(scope.groupResource, name, why);
  }
  const object = structuredClone(old) as KubernetesObject;
  setPath(object as unknown as JsonObject, paths(request).specReplicas, replicas);
  return object;
}

function paths(request: ResourceRequest): ScalePaths {
  const { scale } = storeOf(request).strategy;
  if (scale === undefined) throw notBuilt(`${request.scope.resource.plural}/scale`);
  return scale;
}

function scaleKind({ scope, subresource }: ResourceRequest): ServedKind {
  const served = servedKind(scope.resource, subresource);
  if (served === undefined) throw new Error('scale is served without a schema');
  return served;
}

async function respondScale(request: ResourceRequest, stored: StoredObject): Promise<void> {
  const object = scaleOf(request, storeOf(request).codec.decode(stored));
  const { context, scope, format } = request;
  await respondObject(context, scope, { code: 200, object, format, served: scaleKind(request) });
}

/** The autoscaling/v1 Scale of an object. */
function scaleOf(request: ResourceRequest, object: Readonly<KubernetesObject>): KubernetesObject {
  const { specReplicas, statusReplicas, selector } = paths(request);
  const { name = '', namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const source = object as unknown as JsonObject;
  const text = selector === undefined ? '' : selectorText(atPath(source, selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { replicas: numberAt(source, specReplicas) },
    status: { replicas: numberAt(source, statusReplicas), ...(text === '' ? {} : { selector: text }) },
  };
}

function numberAt(object: JsonObject, path: string): number {
  const value = atPath(object, path);
  return typeof value === 'number' ? value : 0;
}

function atPath(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const segment of segmentsOf(path)) value = isJsonObject(value) ? getOwn(value, segment) : undefined;
  return value;
}

function setPath(object: JsonObject, path: string, value: JsonValue): void {
  const segments = segmentsOf(path);
  const last = segments.pop() ?? '';
  let at = object;
  for (const segment of segments) {
    const next = at[segment];
    if (isJsonObject(next)) at = next;
    else {
      const made: JsonObject = {};
      at[segment] = made;
      at = made;
    }
  }
  at[last] = value;
}

/** `.spec.replicas` */
function segmentsOf(path: string): string[] {
  return path.split('.').filter((segment) => segment !== '');
}
