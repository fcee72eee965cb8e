import { formatApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { StatusError } from '../api/errors/status.ts';
import { badRequest, conflict } from '../api/errors/status-errors.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import { type FieldValidation, strictWarnings } from '../codec/decode-body.ts';
import { applyWithOwners, objectText } from '../fieldmanagement/apply.ts';
import type { ManagedKind, ManagedObject } from '../fieldmanagement/field-manager.ts';
import { unclassified } from '../patch/patch-errors.ts';
import { decodeWithNulls } from '../schema/decode.ts';
import type { UpdateResult } from '../registry/write/update.ts';
import { brokenMetadata, liveMetadata, type MendedObject, withoutUnreadableMetadata } from './applied-metadata.ts';
import { convertedObject } from './converted-object.ts';
import { changeTime, emptyView, managedKindOf, setEntries, storedView } from './field-owners.ts';
import type { Operation, WriteOptions } from './operation.ts';
import { updateByPatch } from './patch.ts';
import { defaultedForStore, type ResourceScope, type ServedKind, unconvertibleIn } from './resource-scope.ts';

/** An applied configuration (specification, "Field management model"). */
export interface AppliedConfiguration {
  readonly patch: JsonObject;
  /** Errors of strict field validation. */
  readonly strictErrors: readonly string[];
  /** Why the configuration could not be decoded; thrown once there is an object to apply it to. */
  readonly error?: StatusError;
}

export interface ApplyOptions extends WriteOptions {
  readonly force: boolean;
  readonly fieldValidation: FieldValidation;
}

/** Applies a configuration to the object called `name`, creating it if absent. Throws StatusErrors. */
export function apply(
  operation: Operation,
  name: string,
  configuration: AppliedConfiguration,
  options: ApplyOptions,
): Promise<UpdateResult> {
  const { scope } = operation;
  const managed = managedKindOf(operation, 'apply');
  // Unlike updates, an apply is never retried without managedFields.
  return updateByPatch(operation, { name, dryRun: options.dryRun, forceCreate: true }, async (old) => {
    const { object, isChanged } = await applied(operation, {
      managed,
      live: await storedView(operation, old),
      served: scope.resource,
      configuration,
      options,
      unconvertible: unconvertibleIn(scope, scope.resource.schema),
      unchanged: () => (old === undefined ? emptyObject(scope) : scope.conversion.fromStored(cloneObject(old))),
    });
    if (old === undefined && (object.metadata.uid ?? '') !== '') {
      const why = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
      throw conflict(scope.groupResource, name, why);
    }
    // An object that a definition has given defaults since it was stored gets them with the next change.
    return isChanged ? defaultedForStore(scope, cloneObject(object)) : scope.conversion.toStored(object);
  });
}

function emptyObject({ resource: { group, version, kind } }: ResourceScope): KubernetesObject {
  return { apiVersion: formatApiVersion(group, version), kind, metadata: {} };
}

/** The result of an apply, in the version of the request. */
export interface AppliedObject {
  /** Not defaulted. */
  readonly object: KubernetesObject;
  /** Whether anything but its owners may be another. */
  readonly isChanged: boolean;
}

/** Applies a configuration to the live object. */
export async function applied(
  operation: Pick<Operation, 'warn' | 'receivedMs'>,
  {
    managed,
    live,
    served,
    configuration,
    options,
    unchanged,
    unconvertible,
  }: {
    readonly managed: ManagedKind;
    readonly live: ManagedObject;
    readonly served: ServedKind;
    readonly configuration: AppliedConfiguration;
    readonly options: ApplyOptions;
    /** The live object, for an apply without changes. */
    readonly unchanged: () => Soon<KubernetesObject>;
    /** Why the result cannot be converted to the form that is stored. */
    readonly unconvertible?: ((object: Readonly<JsonObject>) => string | undefined) | undefined;
  },
): Promise<AppliedObject> {
  if (configuration.error !== undefined) throw configuration.error;
  const { object, entries } = await applyWithOwners(managed, {
    live,
    empty: emptyView(served).object,
    patch: configuration.patch,
    manager: options.manager,
    force: options.force,
    now: changeTime(operation),
  });
  const { result, broken } =
    object === undefined
      ? { result: await unchanged(), broken: undefined }
      : decoded(served, object, configuration.patch);
  if (object !== undefined && broken !== undefined && 'uid' in liveMetadata(live)) {
    throw await brokenMetadata(served, { object, broken }, { live, entries });
  }
  const why = object === undefined ? undefined : unconvertible?.(result);
  if (why !== undefined) {
    throw unclassified(`failed to convert to unversioned (${objectText(served, configuration.patch)}): ${why}`);
  }
  setEntries(result, entries);
  checkStrictness(operation, configuration, options);
  return { object: result, isChanged: object !== undefined };
}

interface DecodedObject {
  readonly result: KubernetesObject;
  /** Metadata that may not be given to an object that exists. */
  readonly broken: MendedObject['broken'];
}

function decoded(served: ServedKind, object: JsonObject, patch: JsonObject): DecodedObject {
  // Validation sees the nulls, and the stored version may know what the one of the request does not.
  const kept =
    served.schema.definition === undefined ? undefined : decodeWithNulls(served.schema, object, { keepsUnknown: true });
  // Decoded by the schema of a kind.
  if (isJsonObject(kept)) {
    return { result: keepNotes(kept, { metadata: {}, ...kept }) as KubernetesObject, broken: undefined };
  }
  const what = `failed to convert new object (${objectText(served, patch)}) to proper version`;
  try {
    return { result: convertedObject(served, object, what), broken: undefined };
  } catch (error) {
    const mended = error instanceof StatusError ? withoutUnreadableMetadata(served, object) : undefined;
    if (mended === undefined) throw error;
    return { result: convertedObject(served, mended.object, what), broken: mended.broken };
  }
}

function checkStrictness(
  operation: Pick<Operation, 'warn'>,
  { strictErrors }: AppliedConfiguration,
  { fieldValidation }: ApplyOptions,
): void {
  if (strictErrors.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding patch: error converting YAML to JSON: ${strictErrors.join('; ')}`);
  }
  for (const text of strictErrors.flatMap(strictWarnings)) operation.warn(text);
}
