import { Session, type Profiler } from 'node:inspector';

const sampleMicros = 1000;
const shown = 4;

/** Continuously samples the stack of this thread, to report after a stall where the time was spent. */
export class StackSampler {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.setSamplingInterval', { interval: sampleMicros });
    this.#session.post('Profiler.start');
  }

  /** The innermost functions of the last `lastMs` milliseconds, with callers and times. */
  take(lastMs: number): readonly string[] {
    let profile: Profiler.Profile | undefined;
    this.#session.post('Profiler.stop', (_error, result) => (profile = result.profile));
    this.#session.post('Profiler.start');
    return profile === undefined ? [] : worstOf(profile, lastMs);
  }
}

function worstOf(profile: Profiler.Profile, lastMs: number): readonly string[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const micros = new Map<string, number>();
  let atMicros = profile.startTime;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const delta = profile.timeDeltas?.[index] ?? 0;
    atMicros += delta;
    const node = nodes.get(id);
    if (node === undefined || atMicros < profile.endTime - lastMs * 1000) continue;
    const name = `${nameOf(node)} < ${nameOf(parents.get(id))}`;
    micros.set(name, (micros.get(name) ?? 0) + delta);
  }
  const worst = [...micros].sort(([, a], [, b]) => b - a).slice(0, shown);
  return worst.map(([name, took]) => `${Math.round(took / 1000)} ms ${name}`);
}

function nameOf(node: Profiler.ProfileNode | undefined): string {
  if (node === undefined) return '';
  const { functionName, url, lineNumber } = node.callFrame;
  const file = url.slice(url.lastIndexOf('/') + 1);
  return `${functionName === '' ? '(anonymous)' : functionName}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}
