/*
 * Passes mutated bodies to the decoders and reports failures: any error except a refusal, seconds without a result,
 * growing memory, a modified prototype.
 *
 *   node tools/fuzz-codecs/main.ts [--type application/json] [--seed N] [--count N] [--from N]
 *
 * Without --type, all of them. The same type, seed and number reproduce a body.
 */
import { Worker } from 'node:worker_threads';
import { allSerializers } from '../random-objects/serializers.ts';
import { readArguments } from '../arguments.ts';
import type { FuzzJob, FuzzReport } from './worker.ts';

const { values: options } = readArguments({
  options: {
    type: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
  },
});
const stuckMs = 60_000;

/** Runs in its own thread, so that a body that blocks it forever is reported too. */
async function run(mediaType: string): Promise<boolean> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const { seed, count, from } = options;
  const job: FuzzJob = { mediaType, seed: Number(seed), count: Number(count), from: Number(from), progress };
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: job });
  let last = -1;
  const watch = setInterval(() => {
    const index = Atomics.load(progress, 0);
    if (index === last) {
      console.log(`${mediaType}, seed ${seed}, body ${index}: no answer`);
      process.exit(1);
    }
    last = index;
  }, stuckMs);
  const { promise, resolve, reject } = Promise.withResolvers<FuzzReport>();
  worker.once('message', resolve);
  worker.once('error', reject);
  const startMs = performance.now();
  const { taken, refused, failures } = await promise;
  clearInterval(watch);
  await worker.terminate();
  for (const failure of failures) console.log(failure);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  console.log(
    `${mediaType}, seed ${seed}: ${taken} taken, ${refused} refused, ${failures.length} failures in ${seconds} s`,
  );
  return failures.length === 0;
}

const types = options.type === undefined ? allSerializers.map(({ mediaType }) => mediaType) : [options.type];
for (const type of types) if (!(await run(type))) process.exitCode = 1;
