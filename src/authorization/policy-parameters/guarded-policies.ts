import { forbiddenField } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { Refusals, Strategy, WriteContext } from '../../registry/kinds/strategy.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import {
  type BindingTexts,
  type BoundPolicy,
  kindRefusal,
  referenceRefusal,
  type ResourceOfKind,
} from './param-permission.ts';

const group = 'admissionregistration.k8s.io';

export interface PolicyParametersOptions {
  readonly resourceOfKind: ResourceOfKind;
  readonly stored: () => StoredObjects;
}

type Permissions = Pick<Strategy, 'permitCreate' | 'permitUpdate'>;

/** Undefined if the write needs no permission, or has it. */
type Ask = (
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
  context: WriteContext,
) => Promise<Refusals | undefined> | undefined;

const validatingTexts: BindingTexts = {
  errorPrefix: 'failed to authorize request: ',
  denied: (user, verb) => `user ${user} does not have "${verb}" permission on the object referenced by paramRef`,
};

/** kube-apiserver swaps user and verb. */
const mutatingTexts: BindingTexts = {
  errorPrefix: '',
  denied: (user, verb) => `user ${verb} does not have "${user}" permission on the object referenced by paramRef`,
};

/**
 * Permissions by `group/kind`. Whoever lets an admission policy read parameters must be allowed to read them too:
 * authors of policies all objects of the kind, authors of bindings those that they refer to.
 */
export function guardedPolicies(options: PolicyParametersOptions): ReadonlyMap<string, Permissions> {
  const policies = permissions(policyPermission(options));
  const bindings = (of: BoundPolicies): Permissions => permissions(bindingPermission(of, options));
  return new Map([
    [`${group}/ValidatingAdmissionPolicy`, policies],
    [`${group}/MutatingAdmissionPolicy`, policies],
    [
      `${group}/ValidatingAdmissionPolicyBinding`,
      bindings({ plural: 'validatingadmissionpolicies', texts: validatingTexts }),
    ],
    [
      `${group}/MutatingAdmissionPolicyBinding`,
      bindings({ plural: 'mutatingadmissionpolicies', texts: mutatingTexts }),
    ],
  ]);
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

function policyPermission({ resourceOfKind }: PolicyParametersOptions): Ask {
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

function bindingPermission({ plural, texts }: BoundPolicies, { resourceOfKind, stored }: PolicyParametersOptions): Ask {
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

async function refusalsOf(field: string, asked: Promise<string | undefined>): Promise<Refusals | undefined> {
  const detail = await asked;
  return detail === undefined ? undefined : { ifValid: [forbiddenField(field, detail)] };
}
