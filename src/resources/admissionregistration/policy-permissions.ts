import { forbiddenField } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Refusals, Strategy, WriteContext } from '../../registry/kinds/strategy.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { KindEnvironment } from '../kind-environment.ts';
import { type BindingTexts, type BoundPolicy, kindRefusal, referenceRefusal } from './param-permission.ts';

const group = 'admissionregistration.k8s.io';

type Permissions = Pick<Strategy, 'permitCreate' | 'permitUpdate'>;

/** Undefined if the write needs no permission, or has it. */
type Ask = (
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
  context: WriteContext,
) => Promise<Refusals | undefined> | undefined;

/** The words of refusals to authors of bindings of validating policies. */
export const validatingTexts: BindingTexts = {
  errorPrefix: 'failed to authorize request: ',
  denied: (user, verb) => `user ${user} does not have "${verb}" permission on the object referenced by paramRef`,
};

/** The words of refusals to authors of bindings of mutating policies: kube-apiserver swaps user and verb. */
export const mutatingTexts: BindingTexts = {
  errorPrefix: '',
  denied: (user, verb) => `user ${verb} does not have "${user}" permission on the object referenced by paramRef`,
};

/** Authors of policies with parameters must be allowed to read all objects of the kind of these. */
export function policyPermissions(environment: Pick<KindEnvironment, 'resourceOfKind'>): Permissions {
  return permissions(policyPermission(environment));
}

/** Authors of bindings must be allowed to read the parameters that they refer to. */
export function bindingPermissions(
  policies: BoundPolicies,
  environment: Pick<KindEnvironment, 'resourceOfKind' | 'stored'>,
): Permissions {
  return permissions(bindingPermission(policies, environment));
}

function permissions(ask: Ask): Permissions {
  // The server itself acts as a member of this group.
  const permit: Ask = (object, old, context) =>
    context.user.groups.includes('system:masters') ? undefined : ask(object, old, context);
  return {
    permitCreate: (object, context) => permit(object, undefined, context),
    permitUpdate: permit,
  };
}

function policyPermission({ resourceOfKind }: Pick<KindEnvironment, 'resourceOfKind'>): Ask {
  return (object, old, context) => {
    // Policies of both kinds are alike in this, and decoded by their schemas.
    const [paramKind, before] = [object, old].map(
      (each) => (each as ValidatingAdmissionPolicy | undefined)?.spec?.paramKind,
    );
    if (paramKind === undefined) return undefined;
    if (before?.apiVersion === paramKind.apiVersion && before?.kind === paramKind.kind) return undefined;
    return refusalsOf('spec.paramKind', kindRefusal(paramKind, context, resourceOfKind));
  };
}

interface BoundPolicies {
  /** The resource of the policies that bindings of a kind name. */
  readonly plural: string;
  readonly texts: BindingTexts;
}

function bindingPermission(
  { plural, texts }: BoundPolicies,
  { resourceOfKind, stored }: Pick<KindEnvironment, 'resourceOfKind' | 'stored'>,
): Ask {
  return (object, _, context) => {
    const { paramRef, policyName = '' } = (object as ValidatingAdmissionPolicyBinding).spec ?? {}; // as above
    // kube-apiserver asks at every update, even if `paramRef` stays the same.
    if (paramRef === undefined) return undefined;
    const refusal = async (): Promise<string | undefined> => {
      const policies = { group, version: context.requestVersion, plural };
      const found = await stored().get(policies, { namespace: '', name: policyName });
      const policy: BoundPolicy = { name: policyName, found: found && paramKindIn(found) };
      return referenceRefusal(paramRef, policy, { context, resourceOfKind, texts });
    };
    return refusalsOf('spec.paramRef', refusal());
  };
}

function paramKindIn(policy: Readonly<KubernetesObject>): BoundPolicy['found'] {
  return { paramKind: (policy as ValidatingAdmissionPolicy).spec?.paramKind }; // as above
}

async function refusalsOf(field: string, pending: Promise<string | undefined>): Promise<Refusals | undefined> {
  const detail = await pending;
  return detail === undefined ? undefined : { ifValid: [forbiddenField(field, detail)] };
}
