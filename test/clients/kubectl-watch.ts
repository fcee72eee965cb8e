import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { kubectlPath } from '../kubectl/kubectl.ts';
import { type Report, seenObject, type SeenObject, type WatchingClient } from './watching-client.ts';

const restartMs = 100;

/** `kubectl get --watch`, restarted whenever a cut has ended it: each time it relists and watches from there. */
export const kubectlWatch: WatchingClient = {
  name: 'kubectl get --watch',
  missing: () => (kubectlPath === undefined ? 'there is no kubectl 1.37' : undefined),
  prepare: async () => undefined,
  async watch({ kubeconfigPath, last }, signal) {
    const cacheDir = await mkdtemp(join(tmpdir(), 'binnacle-kubectl-'));
    const problems: string[] = [];
    let events = 0;
    try {
      for (;;) {
        const run = await watchOnce({ kubeconfigPath, cacheDir, last }, signal);
        events += run.events;
        problems.push(...run.problems);
        if (run.sawLast) return { objects: Object.fromEntries(run.objects), problems, events };
        await sleep(restartMs, undefined, { signal });
      }
    } finally {
      await rm(cacheDir, { recursive: true, force: true });
    }
  },
};

interface RunOptions {
  readonly kubeconfigPath: string;
  readonly cacheDir: string;
  readonly last: string;
}

interface Run extends Omit<Report, 'objects'> {
  readonly objects: ReadonlyMap<string, SeenObject>;
  readonly sawLast: boolean;
}

/** Ends with kubectl, or when the last object has been seen. */
async function watchOnce({ kubeconfigPath, cacheDir, last }: RunOptions, signal: AbortSignal): Promise<Run> {
  const args = ['get', 'configmaps', '--all-namespaces', '--watch', '--output-watch-events', '--output=json'];
  const env = { PATH: process.env['PATH'], HOME: cacheDir, KUBECACHEDIR: cacheDir, KUBECONFIG: kubeconfigPath };
  const child = spawn(kubectlPath ?? 'kubectl', args, { stdio: ['ignore', 'pipe', 'ignore'], env, signal });
  // Awaited below, where an abort shows up.
  const closed = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', reject);
  });
  closed.catch(() => undefined);
  const state = new WatchedState();
  let sawLast = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (sawLast) continue;
    state.take(line);
    sawLast = state.objects.has(last);
    if (sawLast) child.kill();
  }
  await closed;
  return { objects: state.objects, problems: state.problems, events: state.events, sawLast };
}

/** The state that the events of one watch add up to. */
class WatchedState {
  readonly objects = new Map<string, SeenObject>();
  readonly problems: string[] = [];
  events = 0;

  /** Processes a line of output. */
  take(text: string): void {
    const { type, object } = JSON.parse(text) as { readonly type: string; readonly object: JsonObject }; // kubectl's format
    // kubectl prints each page of a list as one object.
    if (type === 'ERROR') this.problems.push(`the watch failed: ${JSON.stringify(object)}`);
    const objects = Array.isArray(object['items']) ? object['items'] : type === 'ERROR' ? [] : [object];
    // The pages are lists of objects.
    for (const each of objects) this.#takeObject(type, each as JsonObject);
  }

  #takeObject(type: string, object: JsonObject): void {
    const [name, seen] = seenObject(object);
    this.events += 1;
    const fault = faultOf(type, this.objects.get(name), seen);
    if (fault !== undefined) this.problems.push(`${type} of ${name}: ${fault}`);
    if (type === 'DELETED') this.objects.delete(name);
    else this.objects.set(name, seen);
  }
}

function faultOf(type: string, before: SeenObject | undefined, seen: SeenObject): string | undefined {
  if (type === 'ADDED') return before === undefined ? undefined : 'it is there already';
  if (before === undefined) return 'it is not there';
  if (before.uid !== seen.uid) return 'it is another object';
  if (Number(seen.resourceVersion) > Number(before.resourceVersion)) return undefined;
  return `it goes from ${before.resourceVersion} to ${seen.resourceVersion}`;
}
