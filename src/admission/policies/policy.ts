import { type GroupVersionKind, parseApiVersion } from '../../api/meta/group-version.ts';
import { type LabelSelector } from '../../api/selectors/label-selector.ts';
import { selectorOfObject } from '../../api/selectors/label-selector-object.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { onceSoon, type Soon } from '../../api/scheduling/soon.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type MatchCriteria, matchCriteria } from '../matching/match-criteria.ts';

/** A policy as far as all kinds of policies are alike, read when it changes. */
export interface Policy<Compiled> {
  readonly name: string;
  readonly criteria: MatchCriteria;
  readonly paramKind: GroupVersionKind | undefined;
  readonly failsOpen: boolean;
  /** Its expressions, compiled once. */
  readonly compiled: () => Soon<Compiled>;
}

export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: everything that the policy matches. */
  readonly criteria: MatchCriteria | undefined;
  readonly params: ParamReference | undefined;
  /** The actions of validating policies. */
  readonly actions: readonly string[];
}

/** Which objects are parameters. */
export interface ParamReference {
  /** Empty for a selector. */
  readonly name: string;
  /** Empty for that of the request. */
  readonly namespace: string;
  readonly selector: LabelSelector | undefined;
  readonly deniesWhenMissing: boolean;
}

type PolicySpec = Pick<
  admission.ValidatingAdmissionPolicySpec,
  'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
>;

/** `compile` is called at most once. */
export function policyOf<Compiled>(
  object: KubernetesObject,
  compile: (object: KubernetesObject) => Promise<Compiled>,
): Policy<Compiled> {
  const { metadata, spec = {} } = object as KubernetesObject & { readonly spec?: PolicySpec }; // decoded by its schema
  return {
    name: metadata.name ?? '',
    criteria: matchCriteria(spec.matchConstraints ?? {}),
    paramKind: spec.paramKind === undefined ? undefined : kindOf(spec.paramKind),
    failsOpen: spec.failurePolicy === 'Ignore',
    compiled: onceSoon(() => compile(object)),
  };
}

function kindOf({ apiVersion = '', kind = '' }: admission.ParamKind): GroupVersionKind {
  return { ...(parseApiVersion(apiVersion) ?? { group: '', version: apiVersion }), kind };
}

export function bindingOf(object: KubernetesObject): PolicyBinding {
  // Decoded by its schema.
  const { metadata, spec = {} } = object as KubernetesObject & {
    readonly spec?: admission.ValidatingAdmissionPolicyBindingSpec;
  };
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    criteria: spec.matchResources === undefined ? undefined : matchCriteria(spec.matchResources),
    params: spec.paramRef === undefined ? undefined : paramsOf(spec.paramRef),
    actions: spec.validationActions ?? [],
  };
}

function paramsOf({
  name = '',
  namespace = '',
  selector,
  parameterNotFoundAction,
}: admission.ParamRef): ParamReference {
  return {
    name,
    namespace,
    selector: selectorOfObject(selector as object | undefined),
    deniesWhenMissing: parameterNotFoundAction === 'Deny',
  };
}
