import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an expectation until it holds, for some seconds. */
export async function settled(expectation: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 10_000; ; await sleep(50)) {
    try {
      await expectation();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
