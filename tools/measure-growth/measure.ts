import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { decodePlain } from '../../src/schema/decode.ts';
import { applyDefaults } from '../../src/schema/default.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { GrowingKind } from './kinds.ts';
import { type Filling, grown, type Collection, placeName } from './places.ts';
import { changed, type Work, worksOf } from './work.ts';

/** The duration of some work with a collection, and with one of twice the size. */
export interface Growth {
  readonly work: string;
  readonly place: string;
  readonly filling: Filling;
  readonly onceMs: number;
  readonly twiceMs: number;
  /** The longest stretch without a pause, for the larger one. */
  readonly stretchMs: number;
  readonly failure?: string;
}

/** Twice as many items may cost twice as much; durations below `noiseMs` are not conclusive. */
export function isSuperLinear({ onceMs, twiceMs }: Pick<Growth, 'onceMs' | 'twiceMs'>): boolean {
  return twiceMs > noiseMs && twiceMs > 2.8 * onceMs;
}

const noiseMs = 30;
/** Kernels may account a thread's CPU time in ticks of this length. */
const tickMs = 4;

export interface Measured {
  readonly filling: Filling;
  readonly count: number;
  /** Names of the work to run; absent: all. */
  readonly works?: ReadonlySet<string>;
  /** Whether a long stretch is measured again; default true. */
  readonly stretches?: boolean;
}

export async function measure(kind: GrowingKind, place: Collection, asked: Measured): Promise<Growth[]> {
  const { filling, count, works, stretches = true } = asked;
  const { schema } = kind.resource;
  const once = decoded(schema, grown(schema, kind.base, place, filling, count));
  const twice = decoded(schema, grown(schema, kind.base, place, filling, 2 * count));
  if (typeof once === 'string' || typeof twice === 'string') return [];
  const growths: Growth[] = [];
  for (const work of worksOf(kind)) {
    if (works?.has(work.name) === false) continue;
    let [small, large] = [await run(work, once, kind), await run(work, twice, kind)];
    // Other load and compilation can slow down a single run.
    const isSuspicious = (): boolean =>
      isSuperLinear({ onceMs: small.ms, twiceMs: large.ms }) || (stretches && large.stretchMs > 10);
    for (let again = 0; again < retries && isSuspicious(); again++) {
      [small, large] = [better(small, await run(work, once, kind)), better(large, await run(work, twice, kind))];
    }
    growths.push({
      work: work.name,
      place: placeName(place),
      filling,
      onceMs: small.ms,
      twiceMs: large.ms,
      stretchMs: large.stretchMs,
      ...(large.failure === undefined ? {} : { failure: large.failure }),
    });
  }
  return growths;
}

const retries = 5;

interface Run {
  readonly ms: number;
  readonly stretchMs: number;
  readonly failure?: string;
}

function better(a: Run, b: Run): Run {
  return { ...a, ms: Math.min(a.ms, b.ms), stretchMs: Math.min(a.stretchMs, b.stretchMs) };
}

function decoded(schema: Schema, object: JsonObject): KubernetesObject | string {
  try {
    // Objects of a kind have metadata.
    return decodePlain(schema, object).object as unknown as KubernetesObject;
  } catch (error) {
    return String(error);
  }
}

async function run(work: Work, object: KubernetesObject, { resource, defaulters, base }: GrowingKind): Promise<Run> {
  const own = structuredClone(object);
  const old =
    work.old === 'large'
      ? changed(object)
      : (decodePlain(resource.schema, structuredClone(base)).object as unknown as KubernetesObject);
  if (work.name !== 'defaults') {
    applyDefaults(resource.schema, own, defaulters);
    applyDefaults(resource.schema, old, defaulters);
  }
  const [startCpu, startMs] = [process.threadCpuUsage(), performance.now()];
  // CPU time, to exclude other processes on the machine.
  const ms = (): number => {
    const { user, system } = process.threadCpuUsage(startCpu);
    return Math.min(performance.now() - startMs, (user + system) / 1000 + tickMs);
  };
  try {
    const stretchMs = await work.run(own, old);
    const total = ms();
    return { ms: total, stretchMs: Math.min(stretchMs, total) };
  } catch (error) {
    return { ms: ms(), stretchMs: 0, failure: error instanceof Error ? (error.stack ?? '') : String(error) };
  }
}
