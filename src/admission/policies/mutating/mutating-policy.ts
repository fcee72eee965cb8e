import type { KubernetesObject } from '../../../api/object.ts';
import { prepareExpressions } from '../../../cel/environments/kubernetes.ts';
import { jsonPatchType, mutationEnvironment, objectType } from '../../../cel/environments/mutation.ts';
import { listType } from '../../../cel/types/cel-type.ts';
import type {
  MutatingAdmissionPolicySpec,
  Mutation,
} from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type Compiled, compilingAny } from '../../expressions/variables.ts';
import { type CompiledPolicy, compilingPolicy } from '../compiled-policy.ts';

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

/** Compiles a MutatingAdmissionPolicy, in turns with other work. */
export async function compileMutatingPolicy(policy: KubernetesObject): Promise<CompiledMutatingPolicy> {
  const { spec = {} } = policy as KubernetesObject & { readonly spec?: MutatingAdmissionPolicySpec }; // by its schema
  await prepareExpressions();
  return compiling(spec);
}

const results = { ApplyConfiguration: [objectType], JSONPatch: [listType(jsonPatchType)] } as const;

function compiling(spec: MutatingAdmissionPolicySpec): CompiledMutatingPolicy {
  const { environments, ...policy } = compilingPolicy(spec);
  const environment = mutationEnvironment(environments.whole);
  const mutations: CompiledMutation[] = [];
  for (const mutation of spec.mutations ?? []) {
    const patchType = mutation.patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const expression = compilingAny(environment, textOf(mutation), results[patchType]);
    mutations.push({ patchType, expression });
  }
  return { ...policy, mutations, reinvokes: spec.reinvocationPolicy === 'IfNeeded' };
}

function textOf({ applyConfiguration, jsonPatch }: Mutation): string {
  return (applyConfiguration ?? jsonPatch)?.expression ?? '';
}
