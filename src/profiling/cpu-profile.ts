import { systemClock } from '../api/time/clock.ts';
import { type CallFrame, callsOf } from './call-frame.ts';
import type { Profile, Sample } from './profile.ts';
import { type InspectedThread, InspectedThreads } from './threads.ts';

/** A CPU profile of the inspector's protocol. */
interface CpuProfile {
  readonly nodes: readonly CpuNode[];
  /** The node of each sample. */
  readonly samples?: readonly number[];
  /** Since the sample before, in microseconds. */
  readonly timeDeltas?: readonly number[];
}

interface CpuNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

const shortestIntervalUs = 1000;
/** Long profiles are sampled less often, so that their size is bounded. */
const maxSamples = 100_000;
/** The time in which a thread has nothing to do. */
const idle = '(idle)';

/** What all threads compute until `until` resolves, which is about so many seconds from now. */
export async function profileCpu(until: Promise<void>, seconds: number): Promise<Profile> {
  using threads = await InspectedThreads.open();
  const intervalUs = Math.max(shortestIntervalUs, Math.ceil((seconds * 1e6) / maxSamples));
  const beganMs = systemClock.now();
  await Promise.all(threads.all.map((thread) => start(thread, intervalUs)));
  await until;
  const samples = await Promise.all(threads.all.map((thread) => samplesOf(thread)));
  return {
    types: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    samples: samples.flat(),
    beganMs,
    durationMs: systemClock.now() - beganMs,
    period: { type: 'cpu', unit: 'nanoseconds', value: intervalUs * 1000 },
  };
}

async function start(thread: InspectedThread, interval: number): Promise<void> {
  await thread.post('Profiler.enable');
  await thread.post('Profiler.setSamplingInterval', { interval });
  await thread.post('Profiler.start');
}

async function samplesOf({ name: thread, post }: InspectedThread): Promise<readonly Sample[]> {
  // The answer that the protocol specifies.
  const { profile } = (await post('Profiler.stop')) as { profile: CpuProfile };
  const { nodes } = profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = timesOf(profile);
  const [root] = nodes;
  if (root === undefined) return [];
  const childrenOf = ({ children = [] }: CpuNode): readonly CpuNode[] =>
    children.map((id) => byId.get(id)).filter((node) => node !== undefined);
  return [...callsOf(root, childrenOf)].flatMap(({ node, frames }) => {
    const taken = times.get(node.id);
    if (taken === undefined || node.callFrame.functionName === idle) return [];
    return [{ frames, thread, values: [taken.count, taken.microseconds * 1000] }];
  });
}

interface Taken {
  count: number;
  microseconds: number;
}

/** A sample stands for the time until the next one; that of the last is as long as the one before. */
function timesOf({ samples = [], timeDeltas = [] }: CpuProfile): ReadonlyMap<number, Taken> {
  const byNode = new Map<number, Taken>();
  for (const [index, node] of samples.entries()) {
    const taken = byNode.get(node) ?? { count: 0, microseconds: 0 };
    taken.count += 1;
    taken.microseconds += Math.max(0, timeDeltas[index + 1] ?? timeDeltas[index] ?? 0);
    byNode.set(node, taken);
  }
  return byNode;
}
