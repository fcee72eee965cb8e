import type { ContainerStatus, Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { findCondition } from '../../parts/tables/cell-text.ts';

/** What `kubectl get pods` shows of a pod's containers. */
export interface PodSummary {
  readonly status: string;
  readonly readyContainers: number;
  readonly totalContainers: number;
  readonly restarts: Restarts;
}

export interface Restarts {
  readonly count: number;
  /** When a container last terminated; undefined if none did. */
  readonly lastAt: string | undefined;
}

/**
 * The status of a pod is the first of these that holds:
 *
 * | state | status |
 * |---|---|
 * | being deleted, node lost | `Unknown` |
 * | being deleted, not finished | `Terminating` |
 * | an init container is not done | `Init:...`: why it waits or terminated, or `Init:1/3` |
 * | a container waits or has terminated | the reason of the first such container; `Completed` yields to others that are running |
 * | otherwise | `SchedulingGated`, the pod's reason, or its phase |
 */
export function summarizePod(pod: Readonly<Pod>): PodSummary {
  const sidecars = sidecarNames(pod);
  const totalContainers = (pod.spec?.containers?.length ?? 0) + sidecars.size;
  const init = initProgress(pod, sidecars);
  const status = init.blockedBecause ?? ownReason(pod);
  if (init.blockedBecause !== undefined && findCondition(pod.status?.conditions, 'Initialized')?.status !== 'True') {
    const { readyContainers, restarts } = init;
    return { status: deletionStatus(pod) ?? status, readyContainers, totalContainers, restarts };
  }
  const main = mainProgress(pod, status);
  return {
    status: deletionStatus(pod) ?? main.status,
    readyContainers: init.readyContainers + main.readyContainers,
    totalContainers,
    restarts: countRestarts([...init.sidecarStatuses, ...(pod.status?.containerStatuses ?? [])]),
  };
}

function ownReason({ status = {} }: Readonly<Pod>): string {
  const gated = status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return gated ? 'SchedulingGated' : status.reason || (status.phase ?? '');
}

function deletionStatus({ metadata, status = {} }: Readonly<Pod>): string | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Failed' || status.phase === 'Succeeded' ? undefined : 'Terminating';
}

/** Restartable init containers, which keep running beside the containers. */
function sidecarNames({ spec }: Readonly<Pod>): ReadonlySet<string> {
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  return new Set(sidecars.map(({ name }) => name ?? ''));
}

interface InitProgress {
  /** Undefined when every init container is done. */
  readonly blockedBecause: string | undefined;
  readonly readyContainers: number;
  readonly restarts: Restarts;
  /** Statuses of the sidecars up to the blocking init container. */
  readonly sidecarStatuses: readonly ContainerStatus[];
}

function initProgress({ spec, status }: Readonly<Pod>, sidecars: ReadonlySet<string>): InitProgress {
  const statuses = status?.initContainerStatuses ?? [];
  const isSidecar = ({ name = '' }: ContainerStatus): boolean => sidecars.has(name);
  const isDone = ({ state }: ContainerStatus): boolean =>
    state?.terminated !== undefined && (state.terminated.exitCode ?? 0) === 0;
  const isRunningSidecar = (container: ContainerStatus): boolean =>
    !isDone(container) && isSidecar(container) && container.started === true;
  const blockedAt = statuses.findIndex((container) => !isDone(container) && !isRunningSidecar(container));
  const blocking = statuses[blockedAt];
  const seen = blocking === undefined ? statuses : statuses.slice(0, blockedAt + 1);
  return {
    blockedBecause: blocking && initReason(blocking, `${blockedAt}/${spec?.initContainers?.length ?? 0}`),
    readyContainers: seen.filter((container) => isRunningSidecar(container) && container.ready).length,
    restarts: countRestarts(seen),
    sidecarStatuses: seen.filter(isSidecar),
  };
}

function initReason({ state = {} }: ContainerStatus, position: string): string {
  if (state.terminated !== undefined) return `Init:${terminationReason(state.terminated)}`;
  const waiting = state.waiting?.reason ?? '';
  return waiting === '' || waiting === 'PodInitializing' ? `Init:${position}` : `Init:${waiting}`;
}

interface MainProgress {
  readonly status: string;
  readonly readyContainers: number;
}

function mainProgress({ status = {} }: Readonly<Pod>, initialStatus: string): MainProgress {
  const containers = status.containerStatuses ?? [];
  const stopped = containers.map(stoppedReason);
  const readyContainers = containers.filter(
    ({ ready, state }, index) => stopped[index] === undefined && ready && state?.running !== undefined,
  ).length;
  const reason = stopped.find((why) => why !== undefined)?.reason ?? initialStatus;
  if (reason !== 'Completed') return { status: reason, readyContainers };
  const isReady = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  if (readyContainers > 0 && isReady) return { status: 'Running', readyContainers };
  const failure = stopped.find((why) => why?.failed)?.reason;
  return { status: failure ?? (readyContainers > 0 ? 'NotReady' : reason), readyContainers };
}

interface StoppedReason {
  readonly reason: string;
  /** Terminated with a non-zero exit code. */
  readonly failed: boolean;
}

function stoppedReason({ state = {} }: ContainerStatus): StoppedReason | undefined {
  if (state.waiting?.reason) return { reason: state.waiting.reason, failed: false };
  if (state.terminated === undefined) return undefined;
  return { reason: terminationReason(state.terminated), failed: (state.terminated.exitCode ?? 0) !== 0 };
}

function terminationReason({
  reason,
  signal,
  exitCode,
}: {
  reason?: string;
  signal?: number;
  exitCode?: number;
}): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);
}

function countRestarts(statuses: readonly ContainerStatus[]): Restarts {
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  return {
    count: statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    // Timestamps in UTC and whole seconds sort as text.
    lastAt: ends.toSorted().at(-1),
  };
}
