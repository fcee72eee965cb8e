import type { KubernetesObject } from '../../../api/meta/object.ts';
import { type Compiled, compileEach } from '../../../cel/compile-all.ts';
import { prepareExpressions } from '../../../cel/environments/kubernetes.ts';
import { jsonPatchType, mutationEnvironment, objectType } from '../../../cel/environments/mutation.ts';
import { listType } from '../../../cel/types/cel-type.ts';
import type {
  MutatingAdmissionPolicySpec,
  Mutation,
} from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type CompiledPolicy, compilePolicy } from '../compiled-policy.ts';

/** One change that a policy makes: its expression is the patch. */
export interface CompiledMutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: Compiled;
}

export interface CompiledMutatingPolicy extends CompiledPolicy {
  readonly mutations: readonly CompiledMutation[];
  /** To be applied again if the object has changed since. */
  readonly reinvokes: boolean;
}

/** Compiles a MutatingAdmissionPolicy; others run in between. */
export async function compileMutatingPolicy(policy: KubernetesObject): Promise<CompiledMutatingPolicy> {
  const { spec = {} } = policy as KubernetesObject & { readonly spec?: MutatingAdmissionPolicySpec }; // by its schema
  await prepareExpressions();
  const { environments, ...compiled } = await compilePolicy(spec);
  const environment = mutationEnvironment(environments.whole);
  const sources = (spec.mutations ?? []).map((mutation) => {
    const patchType = mutation.patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    return { environment, patchType, text: expressionText(mutation), expected: results[patchType] } as const;
  });
  const mutations: CompiledMutation[] = [];
  await compileEach(sources, (expression, { patchType }) => mutations.push({ patchType, expression }));
  return { ...compiled, mutations, reinvokes: spec.reinvocationPolicy === 'IfNeeded' };
}

const results = { ApplyConfiguration: [objectType], JSONPatch: [listType(jsonPatchType)] } as const;

function expressionText({ applyConfiguration, jsonPatch }: Mutation): string {
  return (applyConfiguration ?? jsonPatch)?.expression ?? '';
}
