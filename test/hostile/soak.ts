import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../robustness/random.ts';
import type { Target } from './raw-client.ts';
import { Http1User } from './soak-http1.ts';
import { Http2User } from './soak-http2.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** It goes on until so many requests are answered, however slow the machine is. */
  readonly leastAnswers?: number;
}

export interface SoakReport {
  readonly answers: number;
  /** What was not answered in time, or not whole. */
  readonly faults: readonly string[];
  readonly summary: string;
}

/** Users of each protocol. */
const users = 6;
const mostFaults = 20;

/** One client; a step ends when its answer is whole. */
export interface SoakUser extends AsyncDisposable {
  /** Does something; resolves to its name. */
  step(): Promise<string>;
}

/** Random sequences of requests on kept connections over both protocols, until the time is over. */
export async function soak(target: Target, { seconds, seed, leastAnswers = 0 }: SoakOptions): Promise<SoakReport> {
  const endMs = Date.now() + seconds * 1000;
  const counts = new Map<string, number>();
  let answers = 0;
  const faults: string[] = [];
  let slowest = { step: 'none', ms: 0 };
  const live = async (user: SoakUser, name: string): Promise<void> => {
    await using _ = user;
    while ((Date.now() < endMs || answers < leastAnswers) && faults.length < mostFaults) {
      const begunMs = performance.now();
      try {
        const step = await user.step();
        counts.set(step, (counts.get(step) ?? 0) + 1);
        answers += 1;
        const ms = performance.now() - begunMs;
        if (!step.startsWith('watch') && ms > slowest.ms) slowest = { step, ms };
      } catch (error) {
        faults.push(`seed ${seed}, ${name}: ${String(error)}`);
        await sleep(100);
      }
    }
  };
  await Promise.all(
    Array.from({ length: users }, (_, index) => [
      live(new Http1User(target, new Random(seed + index)), `HTTP/1.1 ${index}`),
      live(new Http2User(target, new Random(seed + 100 + index)), `HTTP/2 ${index}`),
    ]).flat(),
  );
  const kinds = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([step, count]) => `${step} ${count}`);
  const summary = `soak of ${seconds} s, seed ${seed}: ${answers} answers, the slowest (${slowest.step}) after ${Math.round(slowest.ms)} ms, ${faults.length} faults (${kinds.join(', ')})`;
  return { answers, faults, summary };
}
