import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileCase } from './hostile-case.ts';
import { HostileClient, type Reply } from './hostile-client.ts';
import type { HostileServer } from './hostile-server.ts';
import { slowness } from '../slowness.ts';
import type { Stall } from './stall-guard.ts';
import { namespaced } from './text-bodies.ts';

/** The effects of a case on a server. */
export interface Trial {
  readonly name: string;
  readonly codes: readonly number[];
  /** The first response. */
  readonly text: string;
  readonly tookMs: number;
  readonly bodyBytes: number;
  readonly worstMs: number;
  /** The worst latency without load, just before. */
  readonly idleMs: number;
  readonly boundMs: number;
  readonly stalls: readonly Stall[];
  /** Increase of resident memory at its peak. */
  readonly peakBytes: number;
  /** Memory retained afterwards. */
  readonly keptBytes: number;
  /** False: it died or hangs, and cannot be used for other cases. */
  readonly survived: boolean;
  /** Violated expectations; empty on success. */
  readonly complaints: readonly string[];
}

/** More than the server's own deadline. */
const answerTimeoutMs = 70_000;
const smallBytes = 100_000;
const smallBoundMs = 20;
const largeBoundMs = 20;
/** Duration of the measurement without load. */
const idleForMs = 200;
/** Garbage that V8 may accumulate before collecting, for any request. */
const garbageBytes = 160 << 20;
const keptSlackBytes = 4 << 20;
const timesBody = 10;

/** Runs one case against a running server, without the objects that earlier cases have patched. */
export async function tryCase(hostile: HostileCase, server: HostileServer): Promise<Trial> {
  using client = await HostileClient.connect(server);
  for (const plural of ['pods', 'configmaps']) {
    await client.send({ method: 'DELETE', path: `${namespaced(plural)}/hostile` });
  }
  await hostile.prepare?.(client);
  const { bodyBytes } = hostile;
  const before = await atRest(server);
  const startMs = performance.now();
  const replies = await answersWithin(hostile.send(client), answerTimeoutMs);
  const tookMs = performance.now() - startMs;
  await sleep(40);
  if (server.death !== '') return lost(hostile, { bodyBytes, tookMs, complaint: `the server died: ${server.death}` });
  const probe = await server.probed();
  if (replies === undefined) {
    const stack = (await server.stack()).slice(0, 8).join(' < ');
    const complaint = `no answer in ${answerTimeoutMs / 1000} s, others waited ${Math.round(probe.worstMs)} ms ${stack}`;
    return lost(hostile, { bodyBytes, tookMs, complaint });
  }
  const peakBytes = Math.max(0, server.takePeakBytes() - before.residentBytes);
  const stalls = await server.stalls();
  const keptBytes = Math.max(0, (await server.heldBytes()) - before.heldBytes);
  const bound = hostile.boundMs ?? (bodyBytes > smallBytes ? largeBoundMs : smallBoundMs);
  const measured = {
    name: hostile.name,
    codes: [...new Set(replies.map(({ code }) => code))],
    text: replies[0]?.text ?? '',
    tookMs,
    bodyBytes,
    worstMs: probe.worstMs,
    idleMs: before.worstMs,
    boundMs: bound * slowness(),
    stalls,
    peakBytes,
    keptBytes,
    survived: true,
  };
  return { ...measured, complaints: complaintsOf(hostile, measured) };
}

async function answersWithin(
  sent: Promise<readonly Reply[]>,
  timeoutMs: number,
): Promise<readonly Reply[] | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  return Promise.race([sent, late]).finally(() => clearTimeout(timer));
}

/** Measures the server without load except readiness probes. */
async function atRest(server: HostileServer): Promise<{
  readonly heldBytes: number;
  readonly residentBytes: number;
  readonly worstMs: number;
}> {
  const heldBytes = await server.heldBytes();
  await sleep(60);
  await server.probed();
  await sleep(idleForMs);
  const { worstMs } = await server.probed();
  await server.stalls();
  server.takePeakBytes();
  return { heldBytes, residentBytes: server.takePeakBytes(), worstMs };
}

function lost(
  { name }: HostileCase,
  { complaint, ...known }: Pick<Trial, 'bodyBytes' | 'tookMs'> & { readonly complaint: string },
): Trial {
  const unknown = { text: '', idleMs: 0, boundMs: 0, stalls: [], peakBytes: 0, keptBytes: 0, codes: [] };
  return { name, ...known, ...unknown, worstMs: Infinity, survived: false, complaints: [complaint] };
}

type Measured = Omit<Trial, 'complaints'>;

function complaintsOf(hostile: HostileCase, measured: Measured): readonly string[] {
  const { codes, text, boundMs, bodyBytes, peakBytes, keptBytes } = measured;
  const wrong = codes.filter((code) => !hostile.codes.includes(code));
  const stallMs = stallOf(measured);
  return [
    ...(wrong.length > 0 ? [`answered ${wrong}, not ${hostile.codes}: ${text.slice(0, 300)}`] : []),
    ...(stallMs > boundMs ? [`others waited ${Math.round(stallMs)} ms, more than ${Math.round(boundMs)} ms`] : []),
    ...(peakBytes > timesBody * bodyBytes + garbageBytes ? [`took ${megabytes(peakBytes)} MB`] : []),
    ...(keptBytes > timesBody * bodyBytes + keptSlackBytes ? [`keeps ${megabytes(keptBytes)} MB`] : []),
  ];
}

/**
 * How long others had to wait because of the server. On a shared machine latency alone is not conclusive: the server,
 * the probe or both may have waited for a core. The server's CPU time within one turn is, since a turn never waits for
 * anything.
 */
function stallOf({ worstMs, idleMs, stalls }: Measured): number {
  return Math.min(Math.max(0, worstMs - idleMs), Math.max(0, ...stalls.map(({ cpuMs }) => cpuMs)));
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
