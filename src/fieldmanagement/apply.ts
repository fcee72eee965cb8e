import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { badRequest, plainError } from '../api/errors/status-errors.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { decodePlain } from '../schema/decode.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import { applyConflict } from './conflict-error.ts';
import {
  apiVersionOf,
  type Entries,
  type ManagedKind,
  type ManagedObject,
  managerIdOf,
  trackUpdate,
} from './field-manager.ts';
import { lastAppliedManager, stillAsApplied, withLastApplied } from './last-applied.ts';
import { decodeManaged, encodeManaged, type Managed, ManagedFieldsError } from './managed-entries.ts';
import { OwnershipConflictError } from './managers.ts';
import type { TypedValue } from './merge-type.ts';
import { FieldPathError } from './path-element.ts';
import { stripMetadata } from './strip-metadata.ts';
import { applyConfiguration } from './updater.ts';
import { typedValue } from './validate.ts';
import { TypedValueError } from './value-errors.ts';

export interface ApplyRequest {
  readonly live: ManagedObject;
  /** An empty object of the kind. */
  readonly empty: Readonly<JsonObject>;
  /** The applied configuration. */
  readonly patch: Readonly<JsonObject>;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

export interface ApplyResult {
  /** In the version of the kind; undefined when the object does not change. */
  readonly object: JsonObject | undefined;
  readonly entries: Entries;
}

/**
 * Merges an applied configuration into an object. Throws StatusErrors: 409 for conflicts, 400 for configurations that
 * cannot be applied.
 */
export async function applyWithOwners(kind: ManagedKind, given: ApplyRequest): Promise<ApplyResult> {
  const managed = decodeLive(given.live.entries);
  checkKind(kind, given.patch);
  const patch = plainlyNamed(kind, given.patch);
  const request = patch === given.patch ? given : { ...given, patch };
  const { object, managed: owned } = await applyWithTakeover(kind, request, managed);
  // A version written otherwise is a change of its own.
  if (patch !== given.patch) owned.times.set(managerIdOf(kind, request.manager, 'Apply'), request.now);
  const result = object === undefined ? request.live.object : object;
  // The last-applied annotation may change even when nothing else does.
  const annotated = request.manager === lastAppliedManager ? withLastApplied(result, request.patch) : result;
  return {
    object: object === undefined && annotated === result ? undefined : copyJson(keepNotes(result, { ...annotated })),
    entries: encodeManaged(owned),
  };
}

interface Merged {
  readonly object: JsonObject | undefined;
  readonly managed: Managed;
}

/** Conflicts with fields that kubectl itself applied client-side are ignored. */
async function applyWithTakeover(kind: ManagedKind, request: ApplyRequest, managed: Managed): Promise<Merged> {
  try {
    return await applyTracked(kind, request, managed);
  } catch (error) {
    if (error instanceof TypedValueError) throw plainError(error.message);
    if (!(error instanceof OwnershipConflictError)) throw error;
    let { conflicts } = error;
    const allowed = request.manager === lastAppliedManager ? stillAsApplied(kind, request.live.object) : undefined;
    if (allowed !== undefined) {
      conflicts = conflicts.filter(({ path }) => !allowed.has(path));
      if (conflicts.length === 0) return await applyTracked(kind, { ...request, force: true }, managed);
    }
    throw applyConflict(conflicts);
  }
}

const beforeFirstApply = 'before-first-apply';

async function applyTracked(kind: ManagedKind, request: ApplyRequest, managed: Managed): Promise<Merged> {
  const owned = managed.owners.size > 0 ? managed : await ownersSoFar(kind, request, managed);
  return await applyOwned(kind, request, owned);
}

/** Fields of an untracked object are assigned to one manager (`before-first-apply`). */
async function ownersSoFar(kind: ManagedKind, { live, empty, now }: ApplyRequest, managed: Managed): Promise<Managed> {
  try {
    return await trackUpdate(kind, { live: empty, updated: live.object, managed, manager: beforeFirstApply, now });
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    const what = `failed to convert new object (${objectText(kind.kind, live.object)}) to smd typed`;
    throw plainError(`failed to create manager for existing fields: ${what}: ${error.message}`);
  }
}

async function applyOwned(
  kind: ManagedKind,
  { live, patch, manager, force, now }: ApplyRequest,
  managed: Managed,
): Promise<Merged> {
  const id = managerIdOf(kind, manager, 'Apply');
  checkManagedFields(patch);
  const configuration = typedOr(kind, patch, { allowDuplicates: false, what: 'create typed patch object' });
  const liveTyped = typedOr(kind, live.object, { allowDuplicates: true, what: 'create typed live object' });
  const write = { live: liveTyped, apiVersion: apiVersionOf(kind), managers: managed.owners, manager: id };
  const { object, managers } = await applyConfiguration(kind, write, { configuration, force });
  stripMetadata(managers, id);
  const times = new Map(managed.times);
  if (object !== undefined) times.set(id, now);
  const value = object?.value;
  return { object: isJsonObject(value) ? value : undefined, managed: { owners: managers, times } };
}

function decodeLive(entries: readonly JsonObject[] | undefined): Managed {
  try {
    return decodeManaged(entries);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError) && !(error instanceof FieldPathError)) throw error;
    throw plainError(`failed to decode managed fields: ${error.message}`);
  }
}

function checkKind({ kind }: ManagedKind, patch: Readonly<JsonObject>): void {
  const { apiVersion, kind: given } = patch;
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const claimed = parseApiVersion(version);
  if (given === kind.kind && claimed?.group === kind.group && claimed.version === kind.version) return;
  throw badRequest(
    `invalid object type: ${claimed !== undefined ? kindText(version, typeof given === 'string' ? given : '') : kindText('', '')}`,
  );
}

/** The version may be written as `/v1` in the core group. */
function plainlyNamed(kind: ManagedKind, patch: Readonly<JsonObject>): Readonly<JsonObject> {
  const apiVersion = apiVersionOf(kind);
  return patch['apiVersion'] === apiVersion ? patch : keepNotes(patch, { ...patch, apiVersion });
}

function kindText(apiVersion: string, kind: string): string {
  const slash = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${slash}, Kind=${kind}`;
}

function checkManagedFields({ metadata }: Readonly<JsonObject>): void {
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  if (Array.isArray(entries) && entries.every(isEntry)) throw badRequest('metadata.managedFields must be nil');
}

/** Entries that do not decode are ignored here; type validation reports them. */
function isEntry(entry: JsonValue): boolean {
  const schema = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry');
  if (schema === undefined || !isJsonObject(entry)) return false;
  try {
    decodePlain(schema, entry);
    return true;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return false;
  }
}

function typedOr(
  kind: ManagedKind,
  object: Readonly<JsonObject>,
  { allowDuplicates, what }: { readonly allowDuplicates: boolean; readonly what: string },
): TypedValue {
  try {
    return typedValue(kind.type, object, { allowDuplicates });
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw plainError(`failed to ${what} (${objectText(kind.kind, object)}): ${error.message}`);
  }
}

/** `default/web; apps/v1, Kind=Deployment` */
export function objectText(kind: GroupVersionKind, { metadata }: Readonly<JsonObject>): string {
  const meta = isJsonObject(metadata) ? metadata : {};
  const text = (field: string): string => (typeof meta[field] === 'string' ? meta[field] : '');
  return `${text('namespace')}/${text('name')}; ${kindText(formatApiVersion(kind.group, kind.version), kind.kind)}`;
}
