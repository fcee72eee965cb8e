import type { KubernetesObject } from '../api/object.ts';
import type { Secret, ServiceAccount } from '../schema/kubernetes/generated/types/core-v1.ts';

/** The type of secrets that hold a token of a service account, which these annotations name. */
export const accountSecretType = 'kubernetes.io/service-account-token';
export const accountNameAnnotation = 'kubernetes.io/service-account.name';
export const accountUidAnnotation = 'kubernetes.io/service-account.uid';

export type StoredSecret = KubernetesObject & Secret;
export type StoredAccount = KubernetesObject & ServiceAccount;
