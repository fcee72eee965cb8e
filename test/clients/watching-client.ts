import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../src/api/json/json.ts';

/** What a client knows about one ConfigMap. */
export interface SeenObject {
  readonly resourceVersion: string;
  readonly uid: string;
  readonly turn: string;
}

/** A client's state when it has seen the last ConfigMap; each program prints it as one line of JSON. */
export interface Report {
  /** By `namespace/name`. */
  readonly objects: { readonly [name: string]: SeenObject };
  /** Symptoms of an incorrect server: an object that went back in time, an error not explained by a cut. */
  readonly problems: readonly string[];
  readonly events: number;
}

export interface WatchingClientOptions {
  readonly kubeconfigPath: string;
  /** `namespace/name` of the ConfigMap that ends the watch: written last, and the last one in lists. */
  readonly last: string;
}

/** Lists and watches ConfigMaps in all namespaces. */
export interface WatchingClient {
  readonly name: string;
  /** Why this machine cannot run it; undefined if it can. */
  missing(): string | undefined;
  /** Builds the program. */
  prepare(): Promise<void>;
  watch(options: WatchingClientOptions, signal: AbortSignal): Promise<Report>;
}

/** Runs a program until it has printed its report. */
export async function runReporter(
  command: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly env?: NodeJS.ProcessEnv },
): Promise<Report> {
  const env = options.env ?? process.env;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, signal: options.signal });
  const { code, stdout, stderr } = await endOf(child);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-4_000)}`);
  return JSON.parse(stdout) as Report; // our own programs
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ended> {
  const closed = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** The compared parts of an object. */
export function seenObject(object: JsonObject): readonly [name: string, seen: SeenObject] {
  // All ConfigMaps have these; the server omits empty `data`.
  const { metadata, data } = object as {
    metadata: { namespace: string; name: string; resourceVersion: string; uid: string };
    data?: { turn?: string };
  };
  const { namespace, name, resourceVersion, uid } = metadata;
  return [`${namespace}/${name}`, { resourceVersion, uid, turn: data?.turn ?? '' }];
}
