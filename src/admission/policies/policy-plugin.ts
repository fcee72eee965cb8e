import type { AdmissionAttributes, AdmissionPlugin, Invocation } from '../../api/contracts/admission.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import { FollowedIndex } from '../../api/client/followed-index.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { onceSoon, soon, type Soon } from '../../api/scheduling/soon.ts';
import { ConditionMetrics } from '../matching/condition-metrics.ts';
import type { PluginContext } from '../plugin-context.ts';
import type { ResolvingContext } from './invocations.ts';
import { ParamSource } from './params.ts';
import { type Candidate, PolicyTable } from './policy-table.ts';
import { staticPolicies } from './static-policies.ts';
import { WireValues } from './wire-values.ts';

const group = 'admissionregistration.k8s.io';

/** Policies must not prevent changes of policies. */
const policyResources: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

export interface PolicyDispatchContext extends ResolvingContext {
  readonly values: WireValues;
  readonly authorizer: Authorizer;
  readonly conditionMetrics: ConditionMetrics;
}

/** How the policies that may match a write are applied to it. */
export interface PolicyDispatch<Compiled> {
  run(candidates: readonly Candidate<Compiled>[], attributes: AdmissionAttributes, invocation: Invocation): Soon<void>;
}

/** The parts of one kind of policy; loaded for the first policy with a binding. */
export interface PolicyKind<Compiled> {
  readonly compile: (policy: KubernetesObject) => Promise<Compiled>;
  readonly dispatch: PolicyDispatch<Compiled>;
}

export interface PolicyPluginOptions<Compiled> {
  readonly name: string;
  readonly step: 'mutate' | 'validate';
  /** The resource of policies, in `admissionregistration.k8s.io/v1`, as is that of bindings. */
  readonly policies: string;
  readonly bindings: string;
  readonly load: (context: PolicyDispatchContext) => Promise<PolicyKind<Compiled>>;
}

const once: Invocation = { isAgain: false, runAgain: () => undefined };

/** A plugin that applies policies, read on the first write and followed from then on. */
export async function policyPlugin<Compiled>(
  context: PluginContext,
  options: PolicyPluginOptions<Compiled>,
): Promise<AdmissionPlugin> {
  const { stored, authorizer, onError, reader } = context;
  const values = new WireValues(context);
  const conditionMetrics = new ConditionMetrics({ kind: 'policy', type: 'validate' }, context);
  const load = onceSoon(() =>
    options.load({
      stored,
      values,
      params: new ParamSource(context, values),
      authorizer,
      conditionMetrics,
    }),
  );
  const compile = async (policy: KubernetesObject): Promise<Compiled> => (await load()).compile(policy);
  const ofFiles = await staticPolicies(context, options.name, compile);
  const index = new FollowedIndex<PolicyTable<Compiled>>({
    client: reader,
    onError,
    make: () => new PolicyTable(compile),
    readers: [
      {
        resource: { group, version: 'v1', resource: options.policies },
        set: (table, policy) => table.setPolicy(policy),
        remove: (table, { name }) => table.removePolicy(name),
      },
      {
        resource: { group, version: 'v1', resource: options.bindings },
        set: (table, binding) => table.setBinding(binding),
        remove: (table, { name }) => table.removeBinding(name),
      },
    ],
  });
  context.onStop(() => index[Symbol.dispose]());
  const applyIn = (table: PolicyTable<Compiled>, attributes: AdmissionAttributes, pass: Invocation): Soon<void> => {
    if (table.isEmpty && ofFiles === undefined) return undefined;
    const candidates = candidatesIn({ stored: table, ofFiles: ofFiles?.table }, attributes);
    if (candidates.length === 0) return undefined;
    return soon(load(), ({ dispatch }) => dispatch.run(candidates, attributes, pass));
  };
  const apply = (attributes: AdmissionAttributes, pass: Invocation): Soon<void> =>
    index.index === undefined
      ? index.ready().then((table) => applyIn(table, attributes, pass))
      : applyIn(index.index, attributes, pass);
  return {
    name: options.name,
    // Deleted objects cannot be changed.
    operations: new Set([...(options.step === 'mutate' ? [] : (['DELETE'] as const)), 'CREATE', 'UPDATE', 'CONNECT']),
    ...(options.step === 'mutate' ? { mutate: apply } : { validate: (attributes) => apply(attributes, once) }),
  };
}

interface Tables<Compiled> {
  readonly stored: PolicyTable<Compiled>;
  /** Policies from files, which are evaluated first and may apply to policies too. */
  readonly ofFiles: PolicyTable<Compiled> | undefined;
}

function candidatesIn<Compiled>(
  { stored, ofFiles }: Tables<Compiled>,
  attributes: AdmissionAttributes,
): readonly Candidate<Compiled>[] {
  const { group: of, resource } = attributes;
  const isOfPolicies = of === group && policyResources.has(resource);
  const found = stored.isEmpty || isOfPolicies ? [] : stored.candidatesFor(attributes);
  return ofFiles === undefined ? found : [...ofFiles.candidatesFor(attributes), ...found];
}
