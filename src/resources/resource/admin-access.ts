import { type FieldError, forbiddenField } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { type Soon, soon } from '../../api/scheduling/soon.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import type { Refusals, UpdateStrategy } from '../../registry/kinds/strategy.ts';
import type {
  DeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../define-kind.ts';
import type { KindEnvironment } from '../kind-environment.ts';

const label = 'resource.kubernetes.io/admin-access';

type Environment = Pick<KindEnvironment, 'stored'>;
type CreateStrategy<T> = Pick<StrategyOf<T>, 'permitCreate'>;
type PermitStatus = NonNullable<UpdateStrategy<KubernetesObject & ResourceClaim>['permitUpdate']>;

/**
 * Access to devices that others use is granted in namespaces with a label. Specs do not change, so updates of claims
 * are not asked about.
 */
export function claimAdminAccess(environment: Environment): CreateStrategy<ResourceClaim> {
  return createStrategy(({ spec }) => spec?.devices?.requests, environment);
}

/** Templates of claims grant admin access as claims do. */
export function templateAdminAccess(environment: Environment): CreateStrategy<ResourceClaimTemplate> {
  return createStrategy(({ spec }) => spec?.spec?.devices?.requests, environment);
}

/** Admin access that an allocation grants; `permit` is what the update of a status needs besides. */
export function allocatedAdminAccess(environment: Environment, permit: PermitStatus | undefined): PermitStatus {
  return (claim, old, context) => {
    const permission = permit?.(claim, old, context);
    const granted = grantedAt(claim);
    if (granted === undefined || grantedAt(old) !== undefined) return permission;
    const path = `status.allocation.devices.results[${granted}].adminAccess`;
    return joined(refusalsAt(path, context.namespace, environment), permission);
  };
}

function createStrategy<T>(
  requestsOf: (object: T) => readonly DeviceRequest[] | undefined,
  environment: Environment,
): CreateStrategy<T> {
  return {
    permitCreate(object, { namespace }) {
      const index = requestsOf(object)?.findIndex(({ exactly }) => exactly?.adminAccess === true) ?? -1;
      // Paths of templates begin with those of claims.
      const path = `spec.devices.requests[${index}].adminAccess`;
      return index === -1 ? undefined : refusalsAt(path, namespace, environment);
    },
  };
}

/** The first result with admin access. */
function grantedAt({ status }: Readonly<ResourceClaim>): number | undefined {
  const results = status?.allocation?.devices?.results ?? [];
  const index = results.findIndex(({ adminAccess }) => adminAccess === true);
  return index === -1 ? undefined : index;
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

function refusalsAt(path: string, namespace: string, { stored }: Environment): Soon<Refusals | undefined> {
  return soon(stored().get(namespaces, { namespace: '', name: namespace }), (found) => {
    const error = refusalOf(path, namespace, found);
    return error === undefined ? undefined : { first: [error] };
  });
}

function refusalOf(
  path: string,
  namespace: string,
  found: Readonly<KubernetesObject> | undefined,
): FieldError | undefined {
  if (found === undefined) {
    const { message } = notFound({ group: '', resource: 'namespaces' }, namespace);
    const detail = `could not retrieve namespace to verify admin access: ${message}`;
    return { type: 'InternalError', field: path, detail };
  }
  if (found.metadata.labels?.[label] === 'true') return undefined;
  const detail = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
  return forbiddenField(path, detail);
}

/** The refusals of both, in this order. */
async function joined(some: Soon<Refusals | undefined>, more: Soon<Refusals | void>): Promise<Refusals | undefined> {
  const [a, b] = await Promise.all([some, more]);
  if (a === undefined || b === undefined) return a ?? b ?? undefined;
  return { first: [...(a.first ?? []), ...(b.first ?? [])], ifValid: [...(a.ifValid ?? []), ...(b.ifValid ?? [])] };
}
