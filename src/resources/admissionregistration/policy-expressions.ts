import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { StrategyOf } from '../define-kind.ts';
import type { Errors } from '../parts/rules/rules.ts';
import type { KindEnvironment } from '../kind-environment.ts';
import { compiledAs, expressionChecks } from './expressions.ts';
import { policyPermissions } from './policy-permissions.ts';

type Policy = admission.MutatingAdmissionPolicy | admission.ValidatingAdmissionPolicy;
type Spec = admission.MutatingAdmissionPolicySpec & admission.ValidatingAdmissionPolicySpec;

/** The strategy of policies of both kinds. */
export function policyStrategy(environment: KindEnvironment): StrategyOf<Policy & object> {
  return {
    generation: 'spec',
    requireResourceVersion: true,
    ...policyPermissions(environment),
    ...compiledAs(environment.release, ({ spec = {} }: { readonly spec?: Spec }) =>
      [spec.matchConditions, spec.variables, spec.validations, spec.auditAnnotations, spec.mutations].some(
        (expressions) => (expressions ?? []).length > 0,
      ),
    ),
  };
}

/** Errors of the expressions of one policy; variables must be checked first, in order. */
export class PolicyExpressions {
  readonly #policy: Policy;
  /** Expressions that are stored already. */
  readonly #known: KnownExpressions;
  readonly #hasParams: boolean;
  /** Undefined: the policy has no variables. */
  readonly #named: NamedTypes | undefined;

  constructor(policy: Policy, old: Policy | undefined) {
    const { paramKind, variables = [] } = policy.spec ?? {};
    this.#policy = policy;
    this.#known = knownIn(old?.spec ?? {});
    this.#hasParams = paramKind !== undefined;
    this.#named = variables.length === 0 ? undefined : new Map();
  }

  /** Conditions do not see variables. */
  condition(text: string, path: string): Errors {
    const variables = { params: this.#hasParams };
    return this.#checks.condition(path, text, { variables, isStored: this.#known.conditions.has(text) });
  }

  variable({ name = '', expression = '' }: admission.Variable, path: string): Errors {
    const use = { variables: { params: this.#hasParams }, named: this.#named ?? new Map() };
    const isStored = this.#known.validations.has(expression);
    return this.#checks.variable(path, { name, expression }, { ...use, isStored });
  }

  validation(text: string, path: string): Errors {
    return this.#checks.condition(path, text, {
      variables: { params: this.#hasParams },
      named: this.#named,
      isStored: this.#known.validations.has(text),
    });
  }

  message(text: string, path: string): Errors {
    return this.#checks.message(path, text, {
      variables: {
        params: this.#hasParams,
        authorizer: false,
      },
      named: this.#named,
      isStored: this.#known.messages.has(text),
    });
  }

  /** `text` is the expression without white space at its ends. */
  annotation(text: string, path: string, shown: string): Errors {
    return this.#checks.annotation(path, text, {
      variables: { params: this.#hasParams },
      named: this.#named,
      shown,
      isStored: this.#known.annotations.has(shown),
    });
  }

  /** Mutations see `variables` even where there are none. */
  mutation(text: string, path: string, { patchType, written }: MutationSource): Errors {
    return this.#checks.mutation(path, text, {
      patchType,
      variables: { params: this.#hasParams },
      named: this.#named ?? new Map(),
      isStored: this.#known.mutations.has(written),
    });
  }

  get #checks(): ReturnType<typeof expressionChecks> {
    return expressionChecks(this.#policy);
  }
}

type NamedTypes = Parameters<ReturnType<typeof expressionChecks>['variable']>[2]['named'];

interface MutationSource {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  /** The expression with white space at its ends. */
  readonly written: string;
}

interface KnownExpressions {
  readonly conditions: ReadonlySet<string>;
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  readonly mutations: ReadonlySet<string>;
}

function knownIn({
  matchConditions = [],
  validations = [],
  auditAnnotations = [],
  mutations = [],
}: Spec): KnownExpressions {
  return {
    conditions: new Set(matchConditions.map(({ expression = '' }) => expression)),
    validations: new Set(validations.map(({ expression = '' }) => expression)),
    messages: new Set(validations.map(({ messageExpression = '' }) => messageExpression)),
    annotations: new Set(auditAnnotations.map(({ valueExpression = '' }) => valueExpression)),
    mutations: new Set(
      mutations.map(({ applyConfiguration, jsonPatch }) => (applyConfiguration ?? jsonPatch)?.expression ?? ''),
    ),
  };
}
