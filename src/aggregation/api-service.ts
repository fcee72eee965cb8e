import type { KubernetesObject } from '../api/meta/object.ts';
import type * as registration from '../schema/kubernetes/generated/types/apiregistration-v1.ts';

/** A stored, validated APIService: its spec is always set, unlike in the generated type. */
export type ApiService = KubernetesObject & {
  readonly spec: registration.APIServiceSpec;
  readonly status?: registration.APIServiceStatus;
};

export type ServiceReference = registration.ServiceReference;

export const apiServices = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' } as const;

/** APIServices are decoded by their schema. */
export function apiServiceOf(object: Readonly<KubernetesObject>): ApiService {
  return object as ApiService;
}

export function nameOf(group: string, version: string): string {
  return `${version}.${group}`;
}

/** The group in the name of an APIService: versions have no dots. */
export function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Whether the server of an APIService is available, and why not. */
export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const localAvailability: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export function isAvailable({ status }: Pick<ApiService, 'status'>): boolean {
  return conditionOf(status)?.status === 'True';
}

/**
 * The APIService with this condition; undefined if it has it already. lastTransitionTime changes only with the status.
 */
export function withAvailability(service: ApiService, availability: Availability, now: string): ApiService | undefined {
  const { conditions = [] } = service.status ?? {};
  const before = conditionOf(service.status);
  if (before !== undefined && isSame(before, availability)) return undefined;
  const since = before?.status === availability.status ? before.lastTransitionTime : undefined;
  const after = { type: 'Available', ...availability, lastTransitionTime: since ?? now };
  const changed =
    before === undefined ? [...conditions, after] : conditions.map((each) => (each === before ? after : each));
  return { ...service, status: { ...service.status, conditions: changed } };
}

function conditionOf(status: ApiService['status']): registration.APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Available');
}

function isSame(condition: registration.APIServiceCondition, { status, reason, message }: Availability): boolean {
  return condition.status === status && condition.reason === reason && condition.message === message;
}
