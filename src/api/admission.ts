import type { KubernetesObject } from './object.ts';
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
  readonly user: UserInfo;
  warn(text: string): void;
}

/** One built-in admission plugin. To refuse a request it throws a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  mutate?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** All plugins in their order. */
export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}
