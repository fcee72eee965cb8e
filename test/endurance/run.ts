import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';
import { launcher } from '../release-form.ts';
import { Random } from '../robustness/random.ts';
import { ServerProcess } from '../robustness/server-process.ts';
import { runLoad } from './load.ts';
import { loads } from './loads.ts';
import { type Sample, takeSample } from './sample.ts';

const usage = `node test/endurance/run.ts [--seconds 7200] [--every 15] [--out FOLDER] [--port N] [--seed N]

Puts a mixed load on a server of the built release, takes a sample of what the process holds every so many seconds, and
writes samples, a graph and a page about them into the folder; CONTRIBUTING.md explains them.`;

/** So often a sample includes what is held after a garbage collection. */
const heldEvery = 40;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '7200' },
      every: { type: 'string', default: '15' },
      out: { type: 'string', default: 'docs/endurance' },
      port: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const [seconds, everySeconds, seed] = [Number(values.seconds), Number(values.every), Number(values.seed)];
  await mkdir(values.out, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-endurance-'));
  const server = new ServerProcess({
    name: 'server',
    launcher,
    dataDir,
    args: [`--debug-socket-path=${join(dataDir, 'debug.sock')}`],
    port: values.port === undefined ? await freePort() : Number(values.port),
    nodeArgs: ['--expose-gc', '--import', join(import.meta.dirname, 'server-probe.ts')],
  });
  try {
    await server.start();
    await play(server, { seconds, everySeconds, seed, dataDir, out: values.out });
    // Read only now: what takes hours can be drawn anew without them.
    const { writePage } = await import('./page.ts');
    await writePage(values.out);
  } finally {
    await server.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Played {
  readonly seconds: number;
  readonly everySeconds: number;
  readonly seed: number;
  readonly dataDir: string;
  readonly out: string;
}

async function play(server: ServerProcess, { seconds, everySeconds, seed, dataDir, out }: Played): Promise<void> {
  const file = join(out, 'samples.jsonl');
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();
  const machine = { node: process.version, cores: availableParallelism() };
  const head = { began: new Date().toISOString(), commit, ...machine, seed, everySeconds };
  await writeFile(file, `${JSON.stringify(head)}\n`);
  const ending = new AbortController();
  const random = new Random(seed);
  let steps = 0;
  let faults = 0;
  const tell = (fault?: string): void => {
    steps += 1;
    if (fault === undefined) return;
    faults += 1;
    process.stderr.write(`${new Date().toISOString()} ${fault}\n`);
  };
  using client = await ApiClient.connect(server);
  const beganMs = performance.now();
  const running = loads.flatMap((load) =>
    Array.from({ length: load.users ?? 1 }, () =>
      runLoad(load, { server, random: random.fork(), signal: ending.signal }, tell),
    ),
  );
  try {
    for (let at = 1; at * everySeconds <= seconds; at += 1) {
      await sleep(Math.max(0, beganMs + at * everySeconds * 1_000 - performance.now()));
      const taken = await takeSample(server, client, { dataDir, isHeld: at % heldEvery === 0 });
      const sample: Sample = { seconds: at * everySeconds, steps, faults, ...taken };
      await appendFile(file, `${JSON.stringify(sample)}\n`);
    }
  } finally {
    ending.abort();
    await Promise.allSettled(running);
  }
}

await main();
