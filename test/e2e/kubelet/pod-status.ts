import type { JsonObject } from '../../../src/api/json/json.ts';
import type { ExitState } from './container.ts';
import type { Condition, ContainerSpec, Pod } from './pod.ts';

/** How a container is. */
export interface ContainerState {
  readonly spec: ContainerSpec;
  readonly isInit: boolean;
  readonly phase: 'waiting' | 'running' | 'terminated';
  /** Why a container waits. */
  readonly reason?: string;
  readonly message?: string;
  readonly isReady: boolean;
  readonly startedAtMs: number;
  readonly restarts: number;
  /** How it ended, or ended last. */
  readonly exit?: ExitState;
}

export interface Addresses {
  readonly pod: string;
  readonly node: string;
}

/** The status of a pod, for a strategic merge patch. */
export function statusOf(pod: Pod, states: readonly ContainerState[], addresses: Addresses, startedAt: string): object {
  const phase = phaseOf(pod, states);
  const main = states.filter(({ isInit }) => !isInit);
  const initialized = states.every((state) => !state.isInit || isInitialized(state));
  const containersReady = phase === 'Running' && initialized && main.every(({ isReady }) => isReady);
  const ready = containersReady && gatesAreOpen(pod);
  const flags = {
    PodReadyToStartContainers: addresses.pod !== '' && phase !== 'Succeeded' && phase !== 'Failed',
    Initialized: initialized,
    ContainersReady: containersReady,
    Ready: ready,
  };
  const unready = main.filter(({ isReady }) => !isReady).map(({ spec }) => spec.name);
  const why =
    phase === 'Succeeded'
      ? { reason: 'PodCompleted' }
      : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  return {
    phase,
    startTime: startedAt,
    hostIP: addresses.node,
    hostIPs: [{ ip: addresses.node }],
    ...(addresses.pod === '' ? {} : { podIP: addresses.pod, podIPs: [{ ip: addresses.pod }] }),
    conditions: Object.entries(flags).map(([type, value]) => ({
      type,
      status: value ? 'True' : 'False',
      ...(value ? { reason: null, message: null } : why),
      lastTransitionTime: transitionOf(pod, type, value),
    })),
    initContainerStatuses: states.filter(({ isInit }) => isInit).map(containerStatusOf),
    containerStatuses: main.map(containerStatusOf),
  };
}

function transitionOf({ status }: Pod, type: string, value: boolean): string {
  const before = status.conditions?.find((condition) => condition.type === type) as
    | (Condition & { readonly lastTransitionTime?: string })
    | undefined;
  const same = before?.status === (value ? 'True' : 'False');
  return same && before.lastTransitionTime !== undefined ? before.lastTransitionTime : timeOf(Date.now());
}

function isInitialized({ spec, phase, exit }: ContainerState): boolean {
  return spec.restartPolicy === 'Always' ? phase === 'running' : phase === 'terminated' && exit?.exitCode === 0;
}

function gatesAreOpen({ spec, status }: Pod): boolean {
  return (spec.readinessGates ?? []).every(({ conditionType }) =>
    status.conditions?.some((condition) => condition.type === conditionType && condition.status === 'True'),
  );
}

function phaseOf({ spec }: Pod, states: readonly ContainerState[]): string {
  const { restartPolicy = 'Always' } = spec;
  const main = states.filter(({ isInit }) => !isInit);
  const failed = (state: ContainerState): boolean => state.phase === 'terminated' && state.exit?.exitCode !== 0;
  if (restartPolicy === 'Never' && states.some((state) => state.isInit && failed(state))) return 'Failed';
  if (restartPolicy !== 'Always' && main.every(({ phase }) => phase === 'terminated')) {
    if (!main.some(failed)) return 'Succeeded';
    if (restartPolicy === 'Never') return 'Failed';
  }
  return main.every(({ phase, restarts }) => phase === 'waiting' && restarts === 0) ? 'Pending' : 'Running';
}

function containerStatusOf(state: ContainerState): JsonObject {
  const { spec, phase, isReady, restarts, exit } = state;
  const id = `process://${spec.name}-${restarts}`;
  const terminated = exit === undefined ? {} : { terminated: terminatedOf(exit, id) };
  return {
    name: spec.name,
    image: spec.image,
    imageID: spec.image,
    ...(phase === 'waiting' && restarts === 0 ? {} : { containerID: id }),
    ready: isReady,
    started: phase === 'running',
    restartCount: restarts,
    state: stateOf(state, terminated),
    lastState: phase === 'terminated' ? {} : terminated,
  };
}

function stateOf(
  { phase, reason = 'ContainerCreating', message, startedAtMs }: ContainerState,
  terminated: JsonObject,
) {
  if (phase === 'terminated') return terminated;
  if (phase === 'running') return { running: { startedAt: timeOf(startedAtMs) } };
  return { waiting: message === undefined ? { reason } : { reason, message } };
}

function terminatedOf({ exitCode, startedAtMs, finishedAtMs }: ExitState, containerID: string): JsonObject {
  return {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: timeOf(startedAtMs),
    finishedAt: timeOf(finishedAtMs),
    containerID,
  };
}

export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
