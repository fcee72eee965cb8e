import { parseQuantity } from '../../../api/values/quantity.ts';
import type { Container, ContainerStatus, Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { isHugePages } from '../../../schema/kubernetes/resource-names.ts';
import {
  type AmountList,
  type Amounts,
  amountsOf,
  containerAmounts,
  largestAmounts,
  sumAmounts,
} from '../parts/pod-amounts.ts';

/** What a pod can ask for as a whole. */
function isOfPods(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePages(resource);
}

type AmountsReader = (container: Container, status: ContainerStatus | undefined) => Amounts | undefined;

/** What a container has been given, as far as the kubelet has reported it. */
const givenRequests: AmountsReader = (_, status) => optional(status?.allocatedResources);
const usedRequests: AmountsReader = (_, status) => optional(status?.resources?.requests ?? status?.allocatedResources);
const usedLimits: AmountsReader = (_, status) => optional(status?.resources?.limits);

/** Whether a pod asks for anything as a whole. */
export function asksAsWhole({ spec }: Pod): boolean {
  const { requests = {}, limits = {} } = spec?.resources ?? {};
  return [...Object.keys(requests), ...Object.keys(limits)].some(isOfPods);
}

/**
 * The requests a pod is charged with. During a resize of a container it is the larger of desired and actual
 * resources; an infeasible resize does not count.
 */
export function chargedRequests(pod: Pod, takesWhole: boolean): Amounts {
  const requested = overContainers(pod, 'requests', [givenRequests, usedRequests]);
  const { resources, overhead } = pod.spec ?? {};
  const amounts = takesWhole ? withWhole(requested, resources?.requests) : requested;
  return sumAmounts(amounts, amountsOf(overhead));
}

export function chargedLimits(pod: Pod, takesWhole: boolean): Amounts {
  const requested = overContainers(pod, 'limits', [usedLimits]);
  const { resources, overhead } = pod.spec ?? {};
  const amounts = takesWhole ? withWhole(requested, resources?.limits) : requested;
  if (overhead === undefined) return amounts;
  const limited = [...amountsOf(overhead)].filter(
    ([resource]) => parseQuantity(amounts.get(resource) ?? '0').unscaled !== 0n,
  );
  return sumAmounts(amounts, new Map(limited));
}

function overContainers(pod: Pod, list: AmountList, readers: readonly AmountsReader[]): Amounts {
  const { spec = {}, status = {} } = pod;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const requested = (container: Container): Amounts => amountsOf(container.resources?.[list]);
  const fromSpec = containerAmounts(spec, requested);
  if (containerStatuses.length === 0 && initContainerStatuses.length === 0) return fromSpec;
  const statuses = [...containerStatuses, ...initContainerStatuses];
  const pending = status.conditions?.find(({ type }) => type === 'PodResizePending');
  const isInfeasible = pending?.reason === 'Infeasible';
  const statusOf = ({ name }: Container) => statuses.find((one) => one.name === name);
  const fromStatus = readers.map((read) =>
    containerAmounts(
      spec,
      (container) =>
        read(container, statusOf(container)) ?? (isInfeasible ? new Map<string, string>() : requested(container)),
    ),
  );
  return largestAmounts(...(isInfeasible ? [] : [fromSpec]), ...fromStatus);
}

/** What the pod asks for as a whole replaces what its containers ask for. */
function withWhole(requested: Amounts, list: { readonly [resource: string]: string } | undefined): Amounts {
  if (list === undefined) return requested;
  return new Map([...requested, ...[...amountsOf(list)].filter(([resource]) => isOfPods(resource))]);
}

function optional(list: { readonly [resource: string]: string } | undefined): Amounts | undefined {
  return list === undefined ? undefined : amountsOf(list);
}
