import { TextCache } from '../../../api/text/text-cache.ts';
import { parseTime } from '../../../api/time/time.ts';
import type { Container, Pod, PodAffinityTerm } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { qosClassOf } from '../../../schema/kubernetes/qos-class.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../../../schema/kubernetes/resource-names.ts';
import type { AmountList, Amounts } from '../parts/pod-amounts.ts';
import { impliedPrefix } from './device-classes.ts';
import type { Evaluator, Scopes, Usage, UsageContext } from './evaluator.ts';
import { asksAsWhole, chargedLimits, chargedRequests } from './pod-resources.ts';

const computeNames = ['cpu', 'memory', 'ephemeral-storage'];
/** Joined names would be hashed anew with every pod. */
const requestNames: ReadonlyMap<string, string> = new Map(computeNames.map((name) => [name, `requests.${name}`]));
const limitNames: ReadonlyMap<string, string> = new Map(computeNames.map((name) => [name, `limits.${name}`]));
/** A quota of these wants every container to say so much. */
const requirements: ReadonlyMap<string, Requirement> = new Map(
  ['cpu', 'memory'].flatMap((resource): readonly (readonly [string, Requirement])[] => [
    [resource, { list: 'requests', resource }],
    [`requests.${resource}`, { list: 'requests', resource }],
    [`limits.${resource}`, { list: 'limits', resource }],
  ]),
);

interface Requirement {
  readonly list: AmountList;
  readonly resource: string;
}

const countedNames: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...computeNames.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

export const podEvaluator: Evaluator = {
  collection: { group: '', version: 'v1', plural: 'pods' },
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    if (operation !== 'UPDATE') return operation === 'CREATE';
    // Objects are decoded by the schema of their resource.
    return isTerminating(object as Pod) !== isTerminating(oldObject as Pod);
  },
  counts: (name) =>
    countedNames.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-') || isExtendedRequest(name),
  usageOf(object, context) {
    const pod = object as Pod; // decoded by the schema of pods
    const shape = shapeOf(pod, context);
    return shape === undefined ? usageOfPod(pod, context) : usages.remember(shape, () => usageOfPod(pod, context));
  },
  missing(object, names, { isOn }) {
    const pod = object as Pod; // decoded by the schema of pods
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    const isUnsaid = (name: string): boolean =>
      containers.some((one) => !says(one, name)) || initContainers.some((one) => !says(one, name));
    const unsaid = names.filter(isUnsaid).toSorted();
    if (unsaid.length === 0 || (isOn('PodLevelResources') && asksAsWhole(pod))) return undefined;
    const silent = (name: string) =>
      new Set([...containers, ...initContainers].filter((one) => !says(one, name)).map((one) => one.name));
    return `must specify ${unsaid.map((name) => `${name} for: ${[...silent(name)].toSorted().join(',')}`).join('; ')}`;
  },
};

/** Amounts of extended resources cannot be overcommitted, so that quotas speak of requests alone. */
export function isExtendedRequest(name: string): boolean {
  return name.startsWith('requests.') && (!isNativeResource(name) || name.startsWith(`requests.${impliedPrefix}`));
}

/** Whether a container says what a quota of this name demands. */
function says({ resources }: Container, name: string): boolean {
  const requirement = requirements.get(name);
  return requirement === undefined || resources?.[requirement.list]?.[requirement.resource] !== undefined;
}

/** What pods use, by their shape: most are copies of a few. */
const usages = new TextCache<Usage>(200_000);

/** All that the usage of a new pod depends on; undefined for pods that run or are deleted. */
function shapeOf(pod: Pod, { isOn }: Pick<UsageContext, 'isOn'>): string | undefined {
  const { metadata = {}, spec = {}, status = {} } = pod;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.containerStatuses !== undefined || status.initContainerStatuses !== undefined) return undefined;
  const { containers = [], initContainers = [], resources, overhead, priorityClassName } = spec;
  return JSON.stringify([
    isOn('PodLevelResources'),
    isTerminating(pod),
    reachesAcrossNamespaces(pod),
    status.phase,
    status.qosClass,
    priorityClassName,
    resources,
    overhead,
    containers.map((container) => container.resources),
    initContainers.map((container) => [container.resources, container.restartPolicy]),
  ]);
}

function usageOfPod(pod: Pod, context: UsageContext): Usage {
  const isPassing = pod.metadata?.deletionTimestamp !== undefined;
  return { amounts: amountsOfPod(pod, context), scopes: scopesOf(pod), isPassing };
}

/** A pod that has ended is only an object. */
export function amountsOfPod(pod: Pod, { nowMs, isOn }: Pick<UsageContext, 'nowMs' | 'isOn'>): Amounts {
  const usage = new Map([['count/pods', '1']]);
  if (hasEnded(pod, nowMs)) return usage;
  usage.set('pods', '1');
  const takesWhole = isOn('PodLevelResources');
  const [requests, limits] = [chargedRequests(pod, takesWhole), chargedLimits(pod, takesWhole)];
  for (const [resource, amount] of requests) {
    const requestName = requestNames.get(resource);
    if (requestName !== undefined || isHugePages(resource)) {
      usage.set(resource, amount);
      usage.set(requestName ?? `requests.${resource}`, amount);
    } else if (isExtendedResource(resource) || resource.startsWith(impliedPrefix)) {
      usage.set(`requests.${resource}`, amount);
    }
  }
  for (const [resource, name] of limitNames) {
    const amount = limits.get(resource);
    if (amount !== undefined) usage.set(name, amount);
  }
  return usage;
}

/** Whether a pod has ended, or should have been deleted while its node does not answer. */
function hasEnded({ metadata = {}, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  const deletedMs = parseTime(deletionTimestamp).epochMs;
  return nowMs > deletedMs + Number(deletionGracePeriodSeconds) * 1000;
}

function scopesOf(pod: Pod): Scopes {
  const { spec = {}, status } = pod;
  const isBestEffort = (status?.qosClass ?? qosClassOf(spec)) === 'BestEffort';
  const flags = new Set([
    isTerminating(pod) ? 'Terminating' : 'NotTerminating',
    isBestEffort ? 'BestEffort' : 'NotBestEffort',
    ...(reachesAcrossNamespaces(pod) ? ['CrossNamespacePodAffinity'] : []),
  ]);
  const { priorityClassName = '' } = spec;
  return { flags, values: new Map([['PriorityClass', priorityClassName === '' ? [] : [priorityClassName]]]) };
}

function isTerminating({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

function reachesAcrossNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some(
    (affinity) =>
      affinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(isAcross) === true ||
      affinity?.preferredDuringSchedulingIgnoredDuringExecution?.some(
        ({ podAffinityTerm }) => podAffinityTerm !== undefined && isAcross(podAffinityTerm),
      ) === true,
  );
}

function isAcross({ namespaces = [], namespaceSelector }: PodAffinityTerm): boolean {
  return namespaces.length > 0 || namespaceSelector !== undefined;
}
