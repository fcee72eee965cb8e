import type { FieldError, FieldErrors } from '../../api/errors/field-error.ts';
import type { Findings } from '../../api/errors/findings.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Int64 } from '../../api/values/int64.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { FieldFilter } from '../../fieldmanagement/field-set.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { DeleteOptions } from './delete-options.ts';

/**
 * What a kind does beyond the generic store. All members are optional: a kind without a row behaves like a custom
 * resource. Part of the kind's `KindBehaviour`; `completeStrategy` fills in what it leaves open.
 *
 * Order of a create: `permitCreate`, `prepareForCreate`, generic metadata checks, `validate`, `canonicalize`. Order of
 * an update: `permitUpdate`, `prepareForUpdate`, generic metadata checks, `validateUpdate`, `canonicalize`. Only
 * `prepare...` and `canonicalize` may mutate, and only `object`; `canonicalize` no values within its fields, which may
 * be those of the old object. Objects are in the storage version, or in the version
 * of the request if the kind `seesVersions`; decoded and defaulted.
 */
export interface Strategy<T = KubernetesObject>
  extends
    MetadataStrategy<T>,
    StatusStrategy,
    FormStrategy<T>,
    CreateStrategy<T>,
    SelectionStrategy<T>,
    DeletionStrategy<T>,
    UpdateStrategy<T> {
  /** PUT to an absent name creates (nodes, leases, endpoints ...). */
  readonly allowCreateOnUpdate?: boolean;
  /**
   * An update without resourceVersion is refused (`metadata.resourceVersion: Invalid value: 0x0: must be specified for
   * an update`).
   */
  readonly requireResourceVersion?: InVersions;
  /** Reserves what an update of the object itself needs; updates through subresources reserve nothing. */
  beginUpdate?(object: T, old: Readonly<T>, scope: ReservationScope): Finish | undefined | Promise<Finish | undefined>;
  /**
   * Updates through subresources that write the whole object (`status`, `approval`, `ephemeralcontainers` ...), by
   * name.
   */
  readonly subresources?: { readonly [name: string]: UpdateStrategy<T> };
  /** Where the scale subresource of a version reads and writes; undefined where the version has none. */
  scaleIn?(version: string): ScalePaths | undefined;
  /** Runs before the latest state is read, to flush delayed writes of this server. */
  beforeRead?(): Soon<void>;
}

/** Names and other metadata, which all kinds have. */
export interface MetadataStrategy<T = KubernetesObject> {
  /** Rule of `metadata.name`; absent: a DNS subdomain. */
  readonly nameRule?: NameRule<T>;
  /** The rule for names of existing objects; absent: `nameRule`. */
  readonly knownNameRule?: NameRule<T>;
  /** False if the name is `generateName` as it is. */
  readonly generatesNames?: false;
  /**
   * Through which updates, by subresource, the reference checks `generateName` by the name rule as well; through all
   * others only as a part of a path.
   */
  readonly validatesPrefixes?: ReadonlySet<string>;
  /**
   * Whether the reference validates the metadata of an update once more, or as those of a new object besides: all that
   * it finds is reported.
   */
  readonly revalidatesMetadata?: 'once' | 'and-anew';
  /**
   * Whether the metadata of new objects are left to `validate`; the common rules then apply to objects in which it
   * finds no error.
   */
  readonly validatesMetadata?: boolean;
  /**
   * How metadata.generation is maintained: 1 on create, incremented by updates that change the `spec`; with `object` by
   * changes of the status too.
   */
  readonly generation?: 'spec' | 'object' | 'none';
}

/** The status, and who owns fields. */
export interface StatusStrategy {
  /**
   * Whether writes of the object in a version ignore the status; absent: in all versions, if there is a status
   * subresource.
   */
  setsStatusApart?(version: string): boolean;
  /** Clients may set `status` on create (nodes). */
  readonly keepsStatusOnCreate?: boolean;
  /**
   * Status updates leave labels, annotations, finalizers and owner references unchanged, and do not own them; with
   * `all` any other metadata too.
   */
  readonly statusKeepsMetadata?: true | 'all';
  /**
   * Fields that managers may own through a write of the object (empty name) or of a subresource, if this does not
   * follow from the status subresource: fields that the write resets are not owned.
   */
  readonly ownableFields?: { readonly [subresource: string]: FieldFilter };
}

/** The form in which objects are stored. */
export interface FormStrategy<T = KubernetesObject> {
  /** Why a decoded object cannot be brought into the form below, though it fits the schema; undefined if it can. */
  unconvertible?(object: Readonly<T>): string | undefined;
  /**
   * Brings a decoded object into the form to be stored (a Secret's `stringData` becomes `data`): ownership is tracked
   * in that form.
   */
  normalize?(object: T): void;
  /** Adds what follows from a valid object, in any write. */
  canonicalize?(object: T): void;
  /** Fills in what older servers left out, beyond defaults; for objects written by others. */
  complete?(object: T): void;
}

/** The behaviour of creates. */
export interface CreateStrategy<T = KubernetesObject> {
  /**
   * Refuses, with a StatusError, what the user may not do with this object despite the right to write it, such as
   * granting rights that the user lacks. Runs first; may query `context.authorizer`. What it returns is reported with
   * the errors of the object.
   */
  permitCreate?(object: Readonly<T>, context: WriteContext): Soon<Refusals | void>;
  /**
   * Runs before preparation: reserves external resources of an object (a Service's addresses), or loads what validation
   * needs. The returned function is called once at the end of the attempt; `false` releases the reservation.
   */
  beginCreate?(object: T, scope: ReservationScope): Finish | undefined | Promise<Finish | undefined>;
  /**
   * Sets fields that the server decides and clears those that clients may not set. For kinds with a status subresource
   * `status` is already cleared.
   */
  prepareForCreate?(object: T, context: WriteContext): void;
  /** Warnings about changes made by the preparation; sent even if the object is rejected. */
  preparationWarnings?(object: T): Findings<string>;
  /** `metadataErrors`: those of the metadata, which are reported already. */
  validate?(object: T, context: WriteContext, metadataErrors?: readonly FieldError[]): FieldErrors;
  /** Whether an error that is found twice is reported twice. */
  readonly tellsRepetitions?: boolean;
  /** Texts of Warning headers. */
  warnings?(object: T, context: WriteContext): Findings<string>;
}

/** What field selectors may name. */
export interface SelectionStrategy<T = KubernetesObject> {
  /** Values of the fields that field selectors support, beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: SelectableFields<T>;
  /**
   * The members of an object, or of its members, that those look at (`spec.nodeName`), for them to be found without
   * parsing the object. Absent: it is parsed.
   */
  readonly selectedMembers?: readonly string[];
  /**
   * The one of those that has this name in a version; undefined if none has. Absent: their names are the same in all.
   */
  selectableField?(name: string, version: Pick<GroupVersionKind, 'group' | 'version'>): string | undefined;
  /** Which metadata field selectors may name; absent: name and namespace. */
  readonly selectableMetadata?: 'name' | 'name-and-namespace';
  /** The error for selectors on other fields; absent: the common one. */
  readonly unknownFieldText?: (field: string, version: string) => string;
}

/** The behaviour of deletions. */
export interface DeletionStrategy<T = KubernetesObject> {
  /** Why an object of this name must not be deleted. Not asked when a collection is deleted, as in the reference. */
  refuseDeletion?(name: string): string | undefined;
  /** Warnings of a deletion. */
  deleteWarnings?(options: DeleteOptions): readonly string[];
  /** The default propagation policy; absent: `background`. */
  readonly garbageCollection?: 'background' | 'orphan' | 'unsupported';
  /** For kinds held by more than `metadata.finalizers` (`spec.finalizers` of namespaces). */
  readonly finalization?: Finalization<T>;
  /**
   * Seconds that a graceful deletion takes; absent or 0: none (only pods return more). `requested` is the client's
   * gracePeriodSeconds.
   */
  gracePeriodSeconds?(object: T, requested: Int64 | undefined): Int64;
  /** Called after removal: releases the object's reservations. */
  afterDelete?(object: Readonly<T>): Soon<void>;
}

/** Errors of fields that the user may not set like this; the object is then invalid. */
export interface Refusals {
  /** Before all errors of the object. */
  readonly first?: readonly FieldError[];
  /** If the object is valid. */
  readonly ifValid?: readonly FieldError[];
}

/** In all request versions, or in these. */
export type InVersions = boolean | readonly string[];

export function holdsIn(versions: InVersions | undefined, version: string): boolean {
  return typeof versions === 'object' ? versions.includes(version) : versions === true;
}

/** A deletion marks the object; it is removed by the update after which it is no longer held. */
export interface Finalization<T = KubernetesObject> {
  isHeld(object: Readonly<T>): boolean;
  /** Changes made by the first deletion besides `metadata.deletionTimestamp`. */
  begin(object: T): void;
  /** How the reference begins the message of a precondition that does not hold, for these kinds alone. */
  readonly failedPrecondition: string;
}

/** Ends a reservation; `succeeded` if the object was written. Must not throw: the write cannot be undone. */
export type Finish = (succeeded: boolean) => Soon<void>;

/** The request context of a reservation. A dry run reserves nothing permanently. */
export interface ReservationScope {
  readonly dryRun: boolean;
  readonly context: Pick<WriteContext, 'requestVersion'>;
}

/** The behaviour of updates of the object or of one subresource. */
export interface UpdateStrategy<T = KubernetesObject> {
  /** Like `permitCreate`; runs once the object to be stored is complete. */
  permitUpdate?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): Soon<Refusals | void>;
  /** Awaited before an object is validated (`old`: in an update), for what may take long. */
  prepareValidation?(object: Readonly<T>, old: Readonly<T> | undefined): Soon<void>;
  /** Restores from `old` what this write may not change. */
  prepareForUpdate?(object: T, old: Readonly<T>, context: WriteContext): void;
  validateUpdate?(
    object: T,
    old: Readonly<T>,
    context: WriteContext,
    metadataErrors?: readonly FieldError[],
  ): FieldErrors;
  /** Warnings of an update. */
  updateWarnings?(object: T, old: Readonly<T>, context: WriteContext): Findings<string>;
  /** Called once an update is stored, for those who count; not in a dry run. Must not throw. */
  afterUpdate?(object: Readonly<T>, old: Readonly<T>): void;
  /** For a subresource: its updates may increment metadata.generation. */
  readonly raisesGeneration?: boolean;
}

/** The request context for a strategy. */
export interface WriteContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The uid of an object that is created; absent: any. */
  objectUid?(): string;
  /** The group of the request: events are served in two. */
  readonly requestGroup: string;
  /** The version of the request; objects are in the storage version regardless. */
  readonly requestVersion: string;
  /** As authorizers call what is done: a patch is none of its updates. */
  readonly verb: string;
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The object name in the path; empty if it has none. */
  readonly requestName: string;
}

/** Errors of a name of an object; with `prefix` it is a `generateName`. */
export type NameRule<T = KubernetesObject> = (name: string, prefix: boolean, object: Readonly<T>) => readonly string[];

export type SelectableFields<T = KubernetesObject> = {
  readonly [field: string]: (object: Readonly<T>) => string;
};

/** Field paths, as in the scale subresource of a custom resource: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** Without replicas the scale is an error, not zero. */
  readonly requiresReplicas?: boolean;
  /** A label selector object, or a string in its query form. */
  readonly selector?: string;
  /** Why the values of an object at these paths are no scale; absent: they always are one. */
  readonly problemIn?: (object: JsonObject) => string | undefined;
}
