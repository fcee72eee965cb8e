import type { JsonSource } from '../../api/json-tree.ts';
import { type FieldError, invalidField } from '../../api/field-error.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { inTurns } from '../../api/turns.ts';
import { conflict, invalid, notBuilt, notFound } from '../../api/status-errors.ts';
import { formatApiVersion, parseApiVersion } from '../../api/group-version.ts';
import type { ManagedKind } from '../../fieldmanagement/field-manager.ts';
import { fieldElement } from '../../fieldmanagement/path-element.ts';
import { entriesAfterScale, entriesOfScale, type ScaledObject } from '../../fieldmanagement/scale-owners.ts';
import { mergeTypeOf } from '../../fieldmanagement/schema-type.ts';
import { applyPatch, type PatchFormat, readPatch } from '../../patch/apply-patch.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../../registry/metadata.ts';
import { readObject } from '../../registry/read.ts';
import type { ScalePaths } from '../../registry/strategy.ts';
import type { StoredObject } from '../../registry/stored-object.ts';
import { updateObject } from '../../registry/update.ts';
import { selectorText } from '../../registry/scale-selector.ts';
import { decodeBody } from '../decode-body.ts';
import { entriesAfter, managerOfRequest, ownedView, setEntries } from '../field-owners.ts';
import { readInTurns } from '../read-in-turns.ts';
import { receiveBody } from '../receive-body.ts';
import { parseGetOptions, parseWriteOptions, type WriteOptions } from '../request-options.ts';
import { nameOf, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { type ServedKind, servedKind } from '../resource-scope.ts';
import { respondObject } from '../respond.ts';
import { patchFormatOf } from './patch.ts';
import { checkName, updateAdmission } from './update.ts';

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
  checkName(object, nameOf(request));
  const manager = managerOfRequest(request.context, options.fieldManager);
  await write(request, options, (live) => tracked(request, live, { scale: cloneObject(object), manager }));
}

/** PATCH of a scale. */
export async function patchScale(request: ResourceRequest): Promise<void> {
  const { context } = request;
  const patchFormat = patchFormatOf(context);
  const bytes = await receiveBody(context);
  const options = parseWriteOptions(context.query, 'PatchOptions', patchFormat === 'apply');
  const make =
    patchFormat === 'apply'
      ? await applying(request, bytes, options)
      : patching(request, await readInTurns(readPatch(bytes)), { patchFormat, options });
  await write(request, options, make);
}

/** Makes a scale, with its managedFields, of what is there. */
type ScaleMaker = (live: KubernetesObject) => Promise<KubernetesObject>;

async function applying(request: ResourceRequest, bytes: Uint8Array, options: WriteOptions): Promise<ScaleMaker> {
  const { applied, readConfiguration } = await import('./apply.ts');
  const configuration = await readConfiguration(request.context, bytes);
  const served = scaleKind(request);
  return (live) =>
    applied(request.context, {
      managed: managedScale(served),
      live: ownedView(served.schema, live),
      served,
      configuration,
      options,
      unchanged: () => live,
    });
}

function patching(
  request: ResourceRequest,
  source: JsonSource,
  { patchFormat, options }: { readonly patchFormat: PatchFormat; readonly options: WriteOptions },
): ScaleMaker {
  const { context, kinds } = request;
  const served = scaleKind(request);
  const manager = managerOfRequest(context, options.fieldManager);
  return async (live) => {
    const patch = applyPatch(live as unknown as JsonObject, {
      format: patchFormat,
      source,
      fieldValidation: options.fieldValidation,
      schema: served.schema,
      kinds: { expected: served, schemaOf: (kind) => kinds.schemaOf(kind) },
    });
    const { object, warnings } = await inTurns(patch);
    for (const text of warnings) context.warnings.add(text);
    return tracked(request, live, { scale: { metadata: {}, ...object } as unknown as KubernetesObject, manager });
  };
}

/** `scale` with the managedFields that it has after `manager` has written it. */
async function tracked(
  request: ResourceRequest,
  live: Readonly<KubernetesObject>,
  { scale, manager }: { readonly scale: KubernetesObject; readonly manager: string },
): Promise<KubernetesObject> {
  const served = scaleKind(request);
  const views = { live: ownedView(served.schema, live), updated: ownedView(served.schema, scale), manager };
  setEntries(scale, await inTurns(entriesAfter(managedScale(served), views)));
  return scale;
}

/** Scales have one version. */
function managedScale({ group, version, kind, schema }: ServedKind): ManagedKind {
  const apiVersion = formatApiVersion(group, version);
  return {
    kind: { group, version, kind },
    subresource: 'scale',
    type: mergeTypeOf(schema),
    filterOf: () => undefined,
    convert: (object, target) => (target === apiVersion ? object : undefined),
  };
}

/** The object behind the scale, as owners of its replicas see it. */
function scaledObject(request: ResourceRequest): ScaledObject {
  const { group, version } = request.scope.resource;
  const path = segmentsOf(paths(request).specReplicas).map(fieldElement);
  return {
    apiVersion: formatApiVersion(group, version),
    replicasIn: (apiVersion) => (parseApiVersion(apiVersion)?.group === group ? path : undefined),
  };
}

async function write(request: ResourceRequest, options: WriteOptions, make: ScaleMaker): Promise<void> {
  const { scope } = request;
  const name = nameOf(request);
  const transform = async (old: Readonly<KubernetesObject> | undefined): Promise<KubernetesObject> => {
    if (old === undefined) throw notFound(scope.groupResource, name);
    const scaled = scaledObject(request);
    const { managedFields } = old.metadata;
    const live = scaleOf(request, old);
    setEntries(live, entriesOfScale(managedFields, scaled));
    const scale = await make(live);
    ensureNamespaceMatches(
      scale.metadata,
      expectedNamespace(request.context.info.namespace, scope.resource.namespaced),
    );
    checkName(scale, name);
    const object = rescaled(request, old, scale);
    setEntries(object, entriesAfterScale(managedFields, scale.metadata.managedFields, scaled));
    return object;
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
  const object = cloneObject(old) as KubernetesObject;
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
