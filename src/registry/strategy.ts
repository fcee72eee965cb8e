import type { FieldErrors } from '../api/field-error.ts';
import type { Findings } from '../api/findings.ts';
import type { Int64 } from '../api/int64.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { FieldFilter } from '../fieldmanagement/field-set.ts';
import type { Authorizer } from '../api/authorization.ts';
import type { Soon } from '../api/soon.ts';
import type { UserInfo } from '../api/user.ts';
import type { DeleteOptions } from './delete-options.ts';

/**
 * What a kind does beyond the generic store. Every member is optional: a kind without a row behaves as a custom resource
 * does. It is a part of the kind's `KindDefinition`.
 *
 * Order of a create: `permitCreate`, `prepareForCreate`, generic metadata checks, `validate`. Order of an update: `permitUpdate`, `prepareForUpdate`,
 * generic metadata checks, `validateUpdate`. Only `prepare...` may mutate, and only `object`. Objects are in the version
 * they are stored in, decoded and defaulted.
 */
export interface Strategy<T = KubernetesObject> extends UpdateStrategy<T> {
  /** Rule of `metadata.name`; absent: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** The rule of names that are there already; absent: `nameRule`. */
  readonly knownNameRule?: NameRule;
  /** PUT to an absent name creates (nodes, leases, endpoints ...). */
  readonly allowCreateOnUpdate?: boolean;
  /** An update without resourceVersion is refused (`metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`). */
  readonly requireResourceVersion?: InVersions;
  /** Whether writes of the object in a version leave its status to a subresource; absent: in all versions, if there is such a subresource. */
  setsStatusApart?(version: string): boolean;
  /** Clients may set `status` with the creation (nodes). */
  readonly keepsStatusOnCreate?: boolean;
  /** Kinds that count changes of their specification: 1 on create, raised by updates that change what `spec` covers; with `object` the status counts too. */
  readonly generation?: 'spec' | 'object' | 'none';
  /** Gives an object that has just been read the form in which it is kept (a Secret's `stringData` is `data`): owners are tracked by that form. */
  normalize?(object: T): void;
  /** Fills in what older servers left out of what they stored, beyond defaults; for objects that others wrote. */
  complete?(object: T): void;
  /**
   * Refuses, with a StatusError, what the user may not do with this object although he may write it: grant more than he has, say.
   * Runs before anything else; `context.authorizer` can be asked.
   */
  permitCreate?(object: Readonly<T>, context: WriteContext): Soon<void>;
  /** Sets what the server decides, clears what clients may not set. Runs after `status` has been cleared for kinds that have that subresource. */
  prepareForCreate?(object: T, context: WriteContext): void;
  /** Texts of Warning headers of what preparation has changed: told even when the object is refused. */
  preparationWarnings?(object: T): Findings<string>;
  validate?(object: T, context: WriteContext): FieldErrors;
  /** Texts of Warning headers. */
  warnings?(object: T, context: WriteContext): Findings<string>;
  /** Value of each field that field selectors may name, beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: SelectableFields<T>;
  /** Whether selectors may name one of those in a version; absent: in all. */
  selectsIn?(version: string, field: string): boolean;
  /** Which metadata field selectors may name; absent: name and namespace. */
  readonly selectableMetadata?: 'name' | 'name-and-namespace';
  /** How selectors of other fields are refused; absent: in the words of most kinds. */
  readonly unknownFieldText?: (field: string, version: string) => string;
  /** Updates through a subresource that writes the whole object (`status`, `approval`, `ephemeralcontainers` ...), by its name. */
  readonly subresources?: { readonly [name: string]: UpdateStrategy<T> };
  /**
   * What managers may own through a write of the object (empty name) or of a subresource, where it is not what follows from
   * there being a `status`: nobody owns what the write resets.
   */
  readonly ownableFields?: { readonly [subresource: string]: FieldFilter };
  /** Updates of the status leave labels, annotations, finalizers and owner references as they are, and nobody owns those by them. */
  readonly statusKeepsMetadata?: boolean;
  /** Where the scale subresource of a version reads and writes; undefined where the version has none. */
  scaleIn?(version: string): ScalePaths | undefined;
  /**
   * Reserves what an object needs outside of itself (a Service's addresses), or loads what judging it needs, before it is prepared. The
   * answer is called once at the end of the attempt: `false` gives back what was reserved.
   */
  beginCreate?(object: T, scope: ReservationScope): Finish | undefined | Promise<Finish | undefined>;
  /** The same for updates of the object itself; those through a subresource reserve nothing. */
  beginUpdate?(object: T, old: Readonly<T>, scope: ReservationScope): Finish | undefined | Promise<Finish | undefined>;
  /** The object is gone: gives back what it had reserved. */
  afterDelete?(object: Readonly<T>): Soon<void>;
  /** Texts of Warning headers of a deletion. */
  deleteWarnings?(options: DeleteOptions): readonly string[];
  /** What a deletion without a policy does to dependents; absent: `background`. */
  readonly garbageCollection?: 'background' | 'orphan' | 'unsupported';
  /** Kinds that something beside `metadata.finalizers` keeps from being removed (`spec.finalizers` of namespaces). */
  readonly finalization?: Finalization<T>;
  /** Seconds a graceful deletion takes; absent or 0: at once (only pods answer more). `requested` is the client's gracePeriodSeconds. */
  gracePeriodSeconds?(object: T, requested: Int64 | undefined): Int64;
}

/** In all versions that requests are made in, or in these. */
export type InVersions = boolean | readonly string[];

export function holdsIn(versions: InVersions | undefined, version: string): boolean {
  return typeof versions === 'object' ? versions.includes(version) : versions === true;
}

/** A deletion marks the object; it is removed by the update after which nothing holds it. */
export interface Finalization<T = KubernetesObject> {
  isHeld(object: Readonly<T>): boolean;
  /** What the first deletion changes beside `metadata.deletionTimestamp`. */
  begin(object: T): void;
}

/** Ends a reservation; `succeeded` when the object has been written. Does not throw: what was written stays written. */
export type Finish = (succeeded: boolean) => Soon<void>;

/** What a reservation may know of the request. A dry run reserves nothing that lasts. */
export interface ReservationScope {
  readonly dryRun: boolean;
  readonly context: Pick<WriteContext, 'requestVersion'>;
}

/** What an update of the object or of one subresource does. */
export interface UpdateStrategy<T = KubernetesObject> {
  /** As `permitCreate`; runs when the object that is to be stored has been made. */
  permitUpdate?(object: Readonly<T>, old: Readonly<T>, context: WriteContext): Soon<void>;
  /** Carries over from `old` what this write may not change. */
  prepareForUpdate?(object: T, old: Readonly<T>, context: WriteContext): void;
  validateUpdate?(object: T, old: Readonly<T>, context: WriteContext): FieldErrors;
  /** Texts of Warning headers of an update. */
  updateWarnings?(object: T, old: Readonly<T>, context: WriteContext): Findings<string>;
  /** Of a subresource: its updates may change what `Strategy.generation` counts. */
  readonly raisesGeneration?: boolean;
}

/** What a strategy may know of the request. */
export interface WriteContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Group the request was made in: events are served in two. */
  readonly requestGroup: string;
  /** Version the request was made in; objects are in the stored version all the same. */
  readonly requestVersion: string;
  /** As authorizers call what is done: a patch is none of its updates. */
  readonly verb: string;
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  /** Empty for kinds that live in no namespace. */
  readonly namespace: string;
  /** As the path names the object; empty when it names none. */
  readonly requestName: string;
}

/** Messages of what is wrong with a name; `prefix` when it is a `generateName`. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

export type SelectableFields<T = KubernetesObject> = {
  readonly [field: string]: (object: Readonly<T>) => string;
};

/** Paths of fields, as in `.spec.replicas` of a custom resource's scale subresource. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** Without replicas there is no scale; else there are none. */
  readonly demandsReplicas?: boolean;
  /** A label selector object, or a string in its query form. */
  readonly selector?: string;
}
