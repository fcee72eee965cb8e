import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { getOwn } from '../../api/json/json.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import type { Pod, PodSpec } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { PriorityClass } from '../../schema/kubernetes/generated/types/scheduling-v1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { refusal } from '../refusal.ts';

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' };
const neverNamed: PriorityClass = { value: 0 };

/** Objects with a priority. */
interface Prioritized {
  readonly noun: string;
  /** Their priority is resolved while this gate is on; absent: always. */
  readonly gate?: string;
  /** Without this gate they have no preemption policy; absent: always. */
  readonly preemptionGate?: string;
  readonly wrongPriority: (given: number, computed: number) => string;
}

const preemptionGate = 'PodGroupPreemptionPolicy';
const wrongOf = (noun: string) => (given: number, computed: number) =>
  `priority set in the ${noun} (${given}) must match the priority computed (${computed}) based on the priority class set in the spec`;

/** By group and resource. */
const prioritized: { readonly [resource: string]: Prioritized } = {
  '/pods': {
    noun: 'pod',
    wrongPriority: (given, computed) =>
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
  },
  'scheduling.k8s.io/podgroups': {
    noun: 'pod group',
    gate: 'GenericWorkload',
    preemptionGate,
    wrongPriority: wrongOf('pod group'),
  },
  'scheduling.k8s.io/compositepodgroups': {
    noun: 'composite pod group',
    gate: 'CompositePodGroup',
    preemptionGate,
    wrongPriority: wrongOf('composite pod group'),
  },
};

/** The fields of a spec that a priority class determines. */
type PrioritySpec = Pick<PodSpec, 'priority' | 'priorityClassName' | 'preemptionPolicy'>;

/** Resolves priority classes to priorities, and keeps the default class unique. */
export function priority({ stored, featureGates }: Pick<PluginContext, 'stored' | 'featureGates'>): AdmissionPlugin {
  const isOn = (gate: string | undefined): boolean => gate === undefined || featureGates.get(gate) === true;
  // Objects are decoded by the schema of their resource.
  const classes = () => stored.list(priorityClasses) as Soon<readonly PriorityClass[]>;
  return {
    name: 'Priority',
    operations: new Set(['CREATE', 'UPDATE', 'DELETE']),
    mutate(attributes) {
      const { group, resource, subresource, operation, object, oldObject } = attributes;
      const row = subresource === '' ? getOwn(prioritized, `${group}/${resource}`) : undefined;
      if (row === undefined || object === undefined || !isOn(row.gate)) return;
      const holder = object as { spec?: PrioritySpec };
      if (operation === 'CREATE') {
        holder.spec ??= {};
        const refuse = (why: string) => refusal(attributes, why);
        const { spec } = holder;
        const resolution = { row, hasPolicy: isOn(row.preemptionGate), refuse };
        return soon(classes(), (known) => resolvePriority(spec, known, resolution));
      }
      if (row.noun === 'pod') {
        holder.spec ??= {};
        keepPriority(holder.spec, (oldObject as Pod | undefined)?.spec ?? {});
      }
    },
    validate(attributes) {
      const { group, resource, subresource, operation, object } = attributes;
      if (group !== 'scheduling.k8s.io' || resource !== 'priorityclasses' || subresource !== '') return;
      if ((object as PriorityClass | undefined)?.globalDefault !== true) return;
      return soon(classes(), (known) => {
        const other = defaultClass(known)?.metadata?.name;
        if (other === undefined || (operation === 'UPDATE' && other === object?.metadata.name)) return;
        throw refusal(attributes, `PriorityClass ${other} is already marked as default. Only one default can exist`);
      });
    },
  };
}

interface Resolution {
  readonly row: Prioritized;
  readonly hasPolicy: boolean;
  readonly refuse: (why: string) => Error;
}

function resolvePriority(
  spec: PrioritySpec,
  classes: readonly PriorityClass[],
  { row: { noun, wrongPriority }, hasPolicy, refuse }: Resolution,
): void {
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority' } = classOf(spec, classes, refuse);
  if (spec.priority !== undefined && spec.priority !== value) throw refuse(wrongPriority(spec.priority, value));
  spec.priority = value;
  if (!hasPolicy) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ${noun} spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}

function classOf(spec: PrioritySpec, classes: readonly PriorityClass[], refuse: (why: string) => Error): PriorityClass {
  const { priorityClassName: name = '' } = spec;
  if (name !== '') {
    const found = classes.find(({ metadata }) => metadata?.name === name);
    if (found === undefined) throw refuse(`no PriorityClass with name ${name} was found`);
    return found;
  }
  const fallback = defaultClass(classes);
  if (fallback?.metadata?.name !== undefined) spec.priorityClassName = fallback.metadata.name;
  return fallback ?? neverNamed;
}

/** The default class; the lowest if there are several. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  return classes
    .filter(({ globalDefault }) => globalDefault === true)
    .reduce<PriorityClass | undefined>((lowest, one) => {
      return lowest === undefined || (one.value ?? 0) < (lowest.value ?? 0) ? one : lowest;
    }, undefined);
}

/** An update that omits what admission set keeps it. */
function keepPriority(spec: PrioritySpec, old: PrioritySpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}
