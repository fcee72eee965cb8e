import { type FieldError, forbiddenField } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { type Soon, soon } from '../../api/scheduling/soon.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import type { Refusals, Strategy, UpdateStrategy } from '../../registry/kinds/strategy.ts';
import type {
  DeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../schema/kubernetes/generated/types/resource-v1.ts';

/** A stored namespace; undefined if there is none. */
export type NamespaceOf = (name: string) => Soon<Readonly<KubernetesObject> | undefined>;

const label = 'resource.kubernetes.io/admin-access';

/**
 * The strategy of claims: access to devices that others use is granted in namespaces with a label. Specs do not change,
 * so updates of claims are not asked about.
 */
export function withAdminAccess(strategy: Strategy, namespaceOf: NamespaceOf): Strategy {
  const { status = {} } = strategy.subresources ?? {};
  const guarded: UpdateStrategy = {
    ...status,
    permitUpdate(object, old, context) {
      const permission = status.permitUpdate?.(object, old, context);
      const granted = grantedAt(object);
      if (granted === undefined || grantedAt(old) !== undefined) return permission;
      const path = `status.allocation.devices.results[${granted}].adminAccess`;
      return joined(refusalsAt(path, context.namespace, namespaceOf), permission);
    },
  };
  return {
    ...strategy,
    ...createStrategy(requestsOfClaim, namespaceOf),
    subresources: { ...strategy.subresources, status: guarded },
  };
}

/** Guards admin access in templates of claims. */
export function withAdminAccessOfClaims(strategy: Strategy, namespaceOf: NamespaceOf): Strategy {
  return { ...strategy, ...createStrategy(requestsOfTemplate, namespaceOf) };
}

type RequestsOf = (object: Readonly<KubernetesObject>) => readonly DeviceRequest[] | undefined;

// Objects are decoded by the schemas of their kinds.
const requestsOfClaim: RequestsOf = (claim) => (claim as ResourceClaim).spec?.devices?.requests;
const requestsOfTemplate: RequestsOf = (template) => (template as ResourceClaimTemplate).spec?.spec?.devices?.requests;

function createStrategy(requestsOf: RequestsOf, namespaceOf: NamespaceOf): Pick<Strategy, 'permitCreate'> {
  return {
    permitCreate(object, { namespace }) {
      const index = requestsOf(object)?.findIndex(({ exactly }) => exactly?.adminAccess === true) ?? -1;
      // Paths of templates begin with those of claims.
      const path = `spec.devices.requests[${index}].adminAccess`;
      return index === -1 ? undefined : refusalsAt(path, namespace, namespaceOf);
    },
  };
}

/** The first result with admin access. */
function grantedAt(object: Readonly<KubernetesObject>): number | undefined {
  const results = (object as ResourceClaim).status?.allocation?.devices?.results ?? []; // as above
  const index = results.findIndex(({ adminAccess }) => adminAccess === true);
  return index === -1 ? undefined : index;
}

function refusalsAt(path: string, namespace: string, namespaceOf: NamespaceOf): Soon<Refusals | undefined> {
  return soon(namespaceOf(namespace), (found) => {
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
