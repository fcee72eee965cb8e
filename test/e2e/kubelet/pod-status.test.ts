import { expect, test } from 'vitest';
import type { Pod } from './pod.ts';
import { type ContainerState, statusOf } from './pod-status.ts';

type Policy = 'Always' | 'OnFailure' | 'Never';

const waits = { phase: 'waiting' } as const;
const runs = { phase: 'running' } as const;
const ready = { phase: 'running', isReady: true } as const;
const endsWith = (exitCode: number) =>
  ({ phase: 'terminated', exit: { exitCode, startedAtMs: 0, finishedAtMs: 1000 } }) as const;
const inits = { isInit: true } as const;

function shown(restartPolicy: Policy, states: readonly Partial<ContainerState>[], gates: readonly string[] = []) {
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: {
      nodeName: 'node',
      restartPolicy,
      containers: [],
      readinessGates: gates.map((conditionType) => ({ conditionType })),
    },
    status: { conditions: [{ type: 'open', status: 'True' }] },
  };
  const usual = { isInit: false, phase: 'waiting', isReady: false, startedAtMs: 0, restarts: 0 } as const;
  const all = states.map((state, index) => ({ ...usual, spec: { name: `c${index}`, image: 'i' }, ...state }));
  const { phase, conditions } = statusOf(pod, all, { pod: '10.0.0.1', node: '10.0.0.2' }, '') as {
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
  return [phase, conditions.filter(({ status }) => status === 'True').map(({ type }) => type)] as const;
}

const started = 'PodReadyToStartContainers';

test.for<[Policy, readonly Partial<ContainerState>[], string, readonly string[]]>([
  ['Always', [waits], 'Pending', [started, 'Initialized']],
  ['Always', [{ ...inits, ...runs }, waits], 'Pending', [started]],
  ['Always', [runs, ready], 'Running', [started, 'Initialized']],
  ['Always', [ready, ready], 'Running', [started, 'Initialized', 'ContainersReady', 'Ready']],
  ['Always', [{ ...inits, ...endsWith(0) }, ready], 'Running', [started, 'Initialized', 'ContainersReady', 'Ready']],
  ['Always', [endsWith(1)], 'Running', [started, 'Initialized']],
  ['OnFailure', [endsWith(1)], 'Running', [started, 'Initialized']],
  ['OnFailure', [endsWith(0), runs], 'Running', [started, 'Initialized']],
  ['OnFailure', [endsWith(0)], 'Succeeded', ['Initialized']],
  ['Never', [endsWith(0), endsWith(2)], 'Failed', ['Initialized']],
  ['Never', [{ ...inits, ...endsWith(1) }, waits], 'Failed', []],
])('%s %j is %s with %j', ([restartPolicy, states, phase, conditions]) => {
  expect(shown(restartPolicy, states)).toEqual([phase, conditions]);
});

test('a pod is ready once its gates are open', () => {
  expect(shown('Always', [ready], ['open'])[1]).toContain('Ready');
  expect(shown('Always', [ready], ['open', 'closed'])[1]).not.toContain('Ready');
});
