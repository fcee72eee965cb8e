import { type FieldError, invalidField } from '../api/errors/field-error.ts';
import { formatApiVersion, parseApiVersion } from '../api/meta/group-version.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { badRequest, conflict, internalError, invalid, notBuilt, notFound } from '../api/errors/status-errors.ts';
import { fieldElement } from '../fieldmanagement/path-element.ts';
import { entriesAfterScale, entriesOfScale, type ScaledObject } from '../fieldmanagement/scale-owners.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../registry/write/metadata.ts';
import type { Preconditions } from '../registry/kinds/delete-options.ts';
import { selectorText } from '../registry/kinds/scale-selector.ts';
import type { StoredObject } from '../registry/stored/stored-object.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { ScalePaths } from '../registry/kinds/strategy.ts';
import { updateObject } from '../registry/write/update.ts';
import { wireForm } from '../schema/wire-form.ts';
import { applied, type AppliedConfiguration, type ApplyOptions } from './apply.ts';
import { changeTime, entriesAfter, managedPart, ownedView, setEntries } from './field-owners.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { mutate } from './mutate.ts';
import { unclassified } from '../patch/patch-errors.ts';
import { type Operation, storeOfOperation, type WriteOptions, writeScope } from './operation.ts';
import { type Patch, patchedObject } from './patch.ts';
import { decodeServed, type ResourceScope, type ServedKind, servedKind } from './resource-scope.ts';
import { checkName } from './update.ts';

// The scale of an object is a view of it: a write of the scale writes the object's replicas.

/** The scale of a stored object. */
export async function scaleOfStored(operation: Operation, stored: StoredObject): Promise<KubernetesObject> {
  const object = await servedObject(operation, stored);
  const scale = scaleOf(operation, object);
  const { requiresReplicas, specReplicas } = paths(operation);
  if (requiresReplicas === true && atPath(object, specReplicas) === undefined) {
    throw internalError(`the spec replicas field ${goQuote(specReplicas)} does not exist`);
  }
  return scale;
}

/** An object of the store as the version of the request has it; not to be changed. */
function servedForm(
  { conversion }: ResourceScope,
  object: Readonly<KubernetesObject>,
): Soon<Readonly<KubernetesObject>> {
  return conversion.serves(object) ? object : conversion.fromStored(cloneObject(object));
}

function servedObject(operation: Operation, stored: StoredObject): Soon<KubernetesObject> {
  return decodeServed(operation.scope, storeOfOperation(operation, 'get'), stored);
}

/**
 * Puts a scale in the place of the one of the object called `name`; answers the new one, as all of these. Throws
 * StatusErrors.
 */
export function updateScaleOf(
  operation: Operation,
  name: string,
  scale: KubernetesObject,
  options: WriteOptions,
): Promise<KubernetesObject> {
  ensureNamespaceMatches(scale.metadata, namespaceOf(operation));
  checkName(scale, name);
  const { dryRun, manager } = options;
  const { uid = '' } = scale.metadata;
  const preconditions = uid === '' ? {} : { uid };
  return write(operation, name, { dryRun, preconditions }, (live) =>
    tracked(operation, live, { scale: cloneObject(scale), manager }),
  );
}

function namespaceOf({ scope, namespace }: Operation): string {
  return expectedNamespace(namespace, scope.resource.namespaced);
}

/** Patches the scale of the object called `name`. */
export function patchScaleOf(
  operation: Operation,
  name: string,
  { format, source, fieldValidation }: Patch,
  options: WriteOptions,
): Promise<KubernetesObject> {
  const served = scaleKind(operation);
  const { manager } = options;
  return write(operation, name, options, async (live) => {
    // As clients see it: the encoder omits zero replicas.
    const shown = wireForm(served.schema, live);
    const { object, warnings } = await patchedObject(operation, shown, {
      name,
      format,
      source,
      fieldValidation,
      schema: served.schema,
      expected: served,
      // The reference's server of custom resources converts scales to no internal type.
      ...(operation.scope.isUnstructured ? { goType: 'v1.Scale' } : {}),
      warn: (text) => operation.warn(text),
    });
    for (const text of warnings) operation.warn(text);
    return tracked(operation, live, { scale: { metadata: {}, ...object } as KubernetesObject, manager });
  });
}

/** Applies a configuration of the scale of the object called `name`. */
export function applyScale(
  operation: Operation,
  name: string,
  configuration: AppliedConfiguration,
  options: ApplyOptions,
): Promise<KubernetesObject> {
  const served = scaleKind(operation);
  return write(operation, name, options, async (live) => {
    const { object } = await applied(operation, {
      managed: managedPart(served, 'scale'),
      live: ownedView(served.schema, live),
      served,
      configuration,
      options,
      unchanged: () => live,
    });
    return object;
  });
}

/** Makes the new scale from the live one, with managedFields. */
type ScaleMaker = (live: KubernetesObject) => Promise<KubernetesObject>;

/** `scale` with its managedFields after a write by `manager`. */
async function tracked(
  operation: Operation,
  live: Readonly<KubernetesObject>,
  { scale, manager }: { readonly scale: KubernetesObject; readonly manager: string },
): Promise<KubernetesObject> {
  const served = scaleKind(operation);
  const [before, updated] = [ownedView(served.schema, live), ownedView(served.schema, scale)];
  const views = { live: before, updated, manager, now: changeTime(operation) };
  setEntries(scale, await entriesAfter(managedPart(served, 'scale'), views));
  return scale;
}

/** The scaled object, for tracking the ownership of its replicas. */
function scaledObject(operation: Operation): ScaledObject {
  const { kinds, scope } = operation;
  const { group, version, kind } = scope.resource;
  const { strategy } = storeOfOperation(operation, 'get');
  return {
    apiVersion: formatApiVersion(group, version),
    replicasIn(apiVersion) {
      const owned = parseApiVersion(apiVersion);
      if (owned?.group !== group) return undefined;
      if (scope.isUnstructured && kinds.scopeOfKind({ ...owned, kind }) === undefined) return undefined;
      const scale = strategy.scaleIn?.(owned.version);
      if (scale !== undefined) return segmentsOf(scale.specReplicas).map(fieldElement);
      return scope.isUnstructured ? null : undefined;
    },
  };
}

async function write(
  operation: Operation,
  name: string,
  { dryRun, preconditions = {} }: Pick<WriteOptions, 'dryRun'> & { readonly preconditions?: Preconditions },
  make: ScaleMaker,
): Promise<KubernetesObject> {
  const { scope, admission } = operation;
  const attributes = (object: KubernetesObject, oldObject: KubernetesObject) =>
    admissionAttributes(operation, { operation: 'UPDATE', name, kind: 'Scale', object, oldObject, dryRun });
  const transform = async (old: Readonly<KubernetesObject> | undefined): Promise<KubernetesObject> => {
    if (old === undefined) throw notFound(scope.groupResource, name);
    const scaled = scaledObject(operation);
    const { managedFields } = old.metadata;
    const { conversion } = scope;
    const served = await servedForm(scope, old);
    const live = scaleOf(operation, served, unsetReplicas);
    setEntries(live, entriesOfScale(managedFields, scaled));
    const scale = await make(live);
    ensureNamespaceMatches(scale.metadata, namespaceOf(operation));
    checkName(scale, name);
    const oldScale = scaleOf(operation, served);
    setEntries(oldScale, entriesOfScale(managedFields, scaled));
    await mutate(admission, attributes(scale, oldScale));
    const object = await conversion.toStored(rescaled(operation, served, scale));
    setEntries(object, entriesAfterScale(managedFields, scale.metadata.managedFields, scaled));
    return object;
  };
  const { stored } = await updateObject(
    storeOfOperation(operation, 'update'),
    {
      name,
      subresource: 'scale',
      preconditions,
      transform,
      admitCreate: () => undefined, // there is no scale of what is not there
      admitUpdate: async (object, old) => {
        const [after, before] = [await servedForm(scope, object), await servedForm(scope, old)];
        await admission.validate(attributes(scaleOf(operation, after), scaleOf(operation, before)));
      },
    },
    writeScope(operation, dryRun),
  );
  return scaleOf(operation, await servedObject(operation, stored));
}

/** Stands for unset replicas in the view to be patched: no valid number of replicas. */
const unsetReplicas = -2_147_483_648;

function rescaled(operation: Operation, old: Readonly<KubernetesObject>, scale: KubernetesObject): KubernetesObject {
  const { scope } = operation;
  const { name = '' } = old.metadata;
  const wanted = isJsonObject(scale['spec']) ? scale['spec']['replicas'] : undefined;
  const replicas = typeof wanted === 'number' ? wanted : 0;
  const { requiresReplicas, specReplicas } = paths(operation);
  if (requiresReplicas === true && replicas === unsetReplicas) {
    throw badRequest(`the spec replicas field ${goQuote(specReplicas)} cannot be empty`);
  }
  if (replicas < 0 && requiresReplicas !== true) {
    const error: FieldError = invalidField('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
  }
  const { uid = '' } = scale.metadata;
  if (uid !== '' && uid !== old.metadata.uid && requiresReplicas !== true) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`;
    const { group, resource } = scope.groupResource;
    throw conflict({ group, resource: `${resource}/scale` }, name, why);
  }
  const object = cloneObject(old) as KubernetesObject;
  setPath(object, specReplicas, replicas);
  const given = scale.metadata.resourceVersion ?? '';
  if (given !== '') object.metadata.resourceVersion = given;
  return object;
}

function paths(operation: Operation): ScalePaths {
  const { plural, version } = operation.scope.resource;
  const scale = storeOfOperation(operation, 'get').strategy.scaleIn?.(version);
  if (scale === undefined) throw notBuilt(`${plural}/scale`);
  return scale;
}

/** The Scale kind of this resource. */
export function scaleKind({ scope, subresource }: Operation): ServedKind {
  const served = servedKind(scope.resource, subresource);
  if (served === undefined) throw new Error('scale is served without a schema');
  return served;
}

/** The autoscaling/v1 Scale of an object. */
function scaleOf(operation: Operation, object: Readonly<KubernetesObject>, unset = 0): KubernetesObject {
  const { specReplicas, statusReplicas, selector, requiresReplicas, problemIn } = paths(operation);
  const { name = '', namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const problem = problemIn?.(object);
  if (problem !== undefined) throw unclassified(problem);
  const text = selector === undefined ? '' : selectorText(atPath(object, selector));
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
    spec: { replicas: numberAt(object, specReplicas) ?? (requiresReplicas === true ? unset : 0) },
    status: { replicas: numberAt(object, statusReplicas) ?? 0, ...(text === '' ? {} : { selector: text }) },
  };
}

function numberAt(object: JsonObject, path: string): number | undefined {
  const value = atPath(object, path);
  return typeof value === 'number' ? value : undefined;
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
