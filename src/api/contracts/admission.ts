import type { AuditAnnotations } from './audit.ts';
import type { GroupVersionKind, GroupVersionResource } from '../meta/group-version.ts';
import type { JsonObject } from '../json/json.ts';
import type { JsonSource } from '../json/json-tree.ts';
import type { KubernetesObject } from '../meta/object.ts';
import type { RequestPassing } from './request-passing.ts';
import type { RequestStep } from './request-step.ts';
import type { Soon } from '../scheduling/soon.ts';
import type { UserInfo } from './user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write as admission sees it. Objects are in the stored version. */
export interface AdmissionAttributes extends AuditAnnotations {
  readonly operation: AdmissionOperation;
  /** As in the request. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly kind: string;
  /** The kind of the objects, which subresources may take from another group: `autoscaling/v1 Scale`. */
  readonly objectKind: GroupVersionKind;
  readonly namespace: string;
  readonly name: string;
  readonly namespaced: boolean;
  /** Undefined for deletions. Mutating plugins change it in place; nothing else may. */
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  /** When the request times out, in milliseconds of the monotonic clock. */
  readonly deadlineMs: number;
  /** The CreateOptions, UpdateOptions or DeleteOptions (meta.k8s.io/v1) of the request; null for connections. */
  readonly options: JsonObject | null;
  readonly user: UserInfo;
  /** Stands for operation, resource and subresource in one state of the catalogue: what they decide is cached by it. */
  readonly place: object;
  /** The resource in all its served versions, with the kinds of its objects there. */
  versions(): readonly ServedVersion[];
  /** Copies of the objects in one version of their kind; undefined when that version is not served. */
  inVersion(target: GroupVersionKind): Promise<VersionedObjects | undefined>;
  /** The objects as clients of one version read them, to be looked at only; undefined when it is not served. */
  valuesIn(target: GroupVersionKind): Promise<VersionedValues | undefined>;
  /** Replaces `object` by one of any served version, and defaults it. For mutating plugins. */
  replaceObject(object: KubernetesObject): Promise<void>;
  warn(text: string): void;
  /** Notes a time for which the write has waited for webhooks. */
  waited(durationMs: number): void;
  /** Notes a call to another server; absent: nobody wants to know. */
  called?(step: RequestStep): void;
  /** How another thread takes the request; undefined: it stays here. */
  readonly passing?: RequestPassing | undefined;
}

export interface ServedVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The objects of a write in one version of their kind. */
export interface VersionedObjects {
  readonly object: Readonly<KubernetesObject> | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  /** Whether the kind has a Go type in the reference: custom resources have none. */
  readonly isTyped: boolean;
  /** The JSON of an object as a client of that version reads it. */
  encode(object: Readonly<KubernetesObject>): Buffer;
  /** An object of that version out of free JSON, without what its schema does not know. Throws a StatusError. */
  decode(source: JsonSource): KubernetesObject;
}

/** The objects of a write as JSON values: null when absent. */
export interface VersionedValues {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
}

/** One pass of all mutating plugins. */
export interface Invocation {
  /**
   * True in the second pass, after a plugin has called `reinvoke`. The attributes are the same, with the object as it
   * is now.
   */
  readonly isAgain: boolean;
  /** Requests a second pass of all plugins, as a webhook has changed the object. There is no third. */
  runAgain(): void;
}

/** One built-in admission plugin. It denies a request by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  mutate?(attributes: AdmissionAttributes, invocation: Invocation): Soon<void>;
  validate?(attributes: AdmissionAttributes): Soon<void>;
}

/** All plugins in execution order. */
export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}
