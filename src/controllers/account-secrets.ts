import type { KubernetesObject } from '../api/meta/object.ts';
import type { Secret, ServiceAccount } from '../schema/kubernetes/generated/types/core-v1.ts';

/** The type of service account token secrets; these annotations name the account. */
export const accountSecretType = 'kubernetes.io/service-account-token';
export const accountNameAnnotation = 'kubernetes.io/service-account.name';
export const accountUidAnnotation = 'kubernetes.io/service-account.uid';

export type StoredSecret = KubernetesObject & Secret;
export type StoredAccount = KubernetesObject & ServiceAccount;
