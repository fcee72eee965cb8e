import type { AdmissionAttributes, AdmissionPlugin } from '../api/admission.ts';
import type { Pod, PodSpec } from '../schema/kubernetes/generated/types/core-v1.ts';
import type { PriorityClass } from '../schema/kubernetes/generated/types/scheduling-v1.ts';
import type { PluginContext } from './plugin-context.ts';
import { refusal } from './refusal.ts';

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' };
const neverNamed: PriorityClass = { value: 0 };

/** Resolves priority classes to priorities, and keeps the default class unique. */
export function priority({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  // Objects are decoded by the schema of their resource.
  const classes = async () => (await stored.list(priorityClasses)) as readonly PriorityClass[];
  return {
    name: 'Priority',
    operations: new Set(['CREATE', 'UPDATE']),
    async mutate(attributes) {
      const { group, resource, subresource, operation, object, oldObject } = attributes;
      if (group !== '' || resource !== 'pods' || subresource !== '' || object === undefined) return;
      const pod = object as Pod;
      pod.spec ??= {};
      if (operation === 'CREATE') admitPod(attributes, pod.spec, await classes());
      else keepPriority(pod.spec, (oldObject as Pod | undefined)?.spec ?? {});
    },
    async validate(attributes) {
      const { group, resource, subresource, operation, object } = attributes;
      if (group !== 'scheduling.k8s.io' || resource !== 'priorityclasses' || subresource !== '') return;
      if ((object as PriorityClass | undefined)?.globalDefault !== true) return;
      const other = defaultClass(await classes())?.metadata?.name;
      if (other === undefined || (operation === 'UPDATE' && other === object?.metadata.name)) return;
      throw refusal(attributes, `PriorityClass ${other} is already marked as default. Only one default can exist`);
    },
  };
}

function admitPod(attributes: AdmissionAttributes, spec: PodSpec, classes: readonly PriorityClass[]): void {
  const refuse = (why: string) => refusal(attributes, why);
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority' } = classOf(spec, classes, refuse);
  if (spec.priority !== undefined && spec.priority !== value) {
    throw refuse(`the integer value of priority (${spec.priority}) ${mustNot} ${value} ${fromName}`);
  }
  spec.priority = value;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${mustNot} ${preemptionPolicy} ${fromName}`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}

const mustNot = 'must not be provided in pod spec; priority admission controller computed';
const fromName = 'from the given PriorityClass name';

function classOf(spec: PodSpec, classes: readonly PriorityClass[], refuse: (why: string) => Error): PriorityClass {
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

/** Of several defaults the lowest wins. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  return classes
    .filter(({ globalDefault }) => globalDefault === true)
    .reduce<PriorityClass | undefined>((lowest, one) => {
      return lowest === undefined || (one.value ?? 0) < (lowest.value ?? 0) ? one : lowest;
    }, undefined);
}

/** An update that omits what admission set keeps it. */
function keepPriority(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}
