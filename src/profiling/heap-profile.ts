import { systemClock } from '../api/time/clock.ts';
import { type CallFrame, callsOf } from './call-frame.ts';
import type { Profile, Sample } from './profile.ts';
import { type InspectedThread, InspectedThreads } from './threads.ts';

/** A heap profile of the inspector's protocol. */
interface HeapProfile {
  readonly head: HeapNode;
  readonly samples: readonly { readonly size: number; readonly nodeId: number }[];
}

interface HeapNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  /** The estimated size of what the function itself has allocated. */
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

export interface HeapProfileOptions {
  /** All allocations, instead of those that are still in use. */
  readonly ofAll: boolean;
  /** Collects garbage before it looks at what is in use. */
  readonly collectsGarbage: boolean;
}

/** Bytes between samples on average, as in V8's own tools. */
const samplingInterval = 32_768;

/**
 * What all threads allocate until `until` resolves. V8 knows no stacks of what has been allocated before: in use, that
 * is one sample.
 */
export async function profileHeap(until: Promise<void>, options: HeapProfileOptions): Promise<Profile> {
  using threads = await InspectedThreads.open();
  const beganMs = systemClock.now();
  await Promise.all(threads.all.map((thread) => start(thread, options)));
  await until;
  const samples = await Promise.all(threads.all.map((thread) => samplesOf(thread, options)));
  const kind = options.ofAll ? 'alloc' : 'inuse';
  return {
    types: [
      { type: `${kind}_objects`, unit: 'count' },
      { type: `${kind}_space`, unit: 'bytes' },
    ],
    samples: samples.flat(),
    beganMs,
    durationMs: systemClock.now() - beganMs,
    period: { type: 'space', unit: 'bytes', value: samplingInterval },
  };
}

async function start({ post }: InspectedThread, { ofAll }: HeapProfileOptions): Promise<void> {
  await post('HeapProfiler.enable');
  await post('HeapProfiler.startSampling', {
    samplingInterval,
    includeObjectsCollectedByMajorGC: ofAll,
    includeObjectsCollectedByMinorGC: ofAll,
  });
}

async function samplesOf(thread: InspectedThread, options: HeapProfileOptions): Promise<readonly Sample[]> {
  const { name, post } = thread;
  if (options.collectsGarbage) await post('HeapProfiler.collectGarbage');
  // The answers that the protocol specifies.
  const usage = (await post('Runtime.getHeapUsage')) as HeapUsage;
  const { profile } = (await post('HeapProfiler.stopSampling')) as { profile: HeapProfile };
  const sampled = allocationsOf(profile, name);
  return options.ofAll ? sampled : [...sampled, ...unsampled(sampled, usage, name)];
}

function allocationsOf({ head, samples }: HeapProfile, thread: string): readonly Sample[] {
  const sizes = new Map<number, { count: number; bytes: number }>();
  for (const { nodeId, size } of samples) {
    const sofar = sizes.get(nodeId) ?? { count: 0, bytes: 0 };
    sizes.set(nodeId, { count: sofar.count + 1, bytes: sofar.bytes + size });
  }
  return [...callsOf(head, ({ children }) => children)].flatMap(({ node: { id, selfSize }, frames }) => {
    if (selfSize === 0) return [];
    const { count, bytes } = sizes.get(id) ?? { count: 1, bytes: selfSize };
    return [{ frames, thread, values: [selfSize * (count / bytes), selfSize] }];
  });
}

/** What is in use without a known stack. */
function unsampled(sampled: readonly Sample[], usage: HeapUsage, thread: string): readonly Sample[] {
  const { usedSize, backingStorageSize = 0 } = usage;
  const known = sampled.reduce((sum, { values }) => sum + (values[1] ?? 0), 0);
  const sample = (name: string, bytes: number): Sample => ({
    frames: [
      {
        name,
        url: '',
        line: 0,
      },
    ],
    thread,
    values: [0, Math.max(0, bytes)],
  });
  return [sample('(allocated before)', usedSize - known), sample('(array buffers)', backingStorageSize)];
}
