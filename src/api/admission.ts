import type { GroupVersionKind } from './group-version.ts';
import type { JsonObject } from './json.ts';
import type { KubernetesObject } from './object.ts';
import type { Soon } from './soon.ts';
import type { UserInfo } from './user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write on its way into the store, as admission sees it. Objects are in the stored version. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** As the request names it. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly namespaced: boolean;
  /** Undefined for deletions. Mutating plugins change it in place; nobody else may. */
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  /** What the request asked for beside the object: a CreateOptions, UpdateOptions or DeleteOptions of meta.k8s.io/v1. */
  readonly options: JsonObject;
  readonly user: UserInfo;
  /** Copies of the objects in another version of their kind; undefined when that version is not served. */
  inVersion(target: GroupVersionKind): Soon<VersionedObjects | undefined>;
  /** Puts an object, of any served version of its kind, in the place of `object`, with defaults. For mutating plugins. */
  replaceObject(object: KubernetesObject): Promise<void>;
  warn(text: string): void;
}

export interface VersionedObjects {
  readonly object: KubernetesObject | undefined;
  readonly oldObject: KubernetesObject | undefined;
}

/** One run of all mutating plugins. */
export interface Invocation {
  /** All have run before, and one of them has asked for this. The attributes are the same, with the object as it is now. */
  readonly isAgain: boolean;
  /** Has all plugins run once more when they have run: somebody from outside has changed the object. There is no third time. */
  runAgain(): void;
}

/** One built-in admission plugin. To refuse a request it throws a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  mutate?(attributes: AdmissionAttributes, invocation: Invocation): Soon<void>;
  validate?(attributes: AdmissionAttributes): Soon<void>;
}

/** All plugins in their order. */
export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}
