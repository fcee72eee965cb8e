import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../src/api/json.ts';

/** What a client knows of one config map. */
export interface SeenObject {
  readonly resourceVersion: string;
  readonly uid: string;
  readonly turn: string;
}

/** What a client holds when it has seen the last config map; each program prints it as one line of JSON. */
export interface Report {
  /** By `namespace/name`. */
  readonly objects: { readonly [name: string]: SeenObject };
  /** What a correct server never causes: an object that went back in time, an error that no cut explains. */
  readonly problems: readonly string[];
  readonly events: number;
}

export interface WatchingClientOptions {
  readonly kubeconfigPath: string;
  /** `namespace/name` of the config map that ends the watch: nothing is written after it, and in a list it is the last. */
  readonly last: string;
}

/** Lists and watches the config maps of all namespaces. */
export interface WatchingClient {
  readonly name: string;
  /** Why this machine cannot run it; undefined when it can. */
  missing(): string | undefined;
  /** Makes the program ready. */
  prepare(): Promise<void>;
  watch(options: WatchingClientOptions, signal: AbortSignal): Promise<Report>;
}

/** Runs a program that prints a report and ends. */
export async function runReporter(
  command: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly env?: NodeJS.ProcessEnv },
): Promise<Report> {
  const env = options.env ?? process.env;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, signal: options.signal });
  const { code, stdout, stderr } = await endOf(child);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-4_000)}`);
  return JSON.parse(stdout) as Report; // The programs are ours.
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

/** What is compared of an object as the API shows it. */
export function seenObject(object: JsonObject): readonly [name: string, seen: SeenObject] {
  // Every config map has these; `data` is left out by the server when it is empty.
  const { metadata, data } = object as {
    metadata: { namespace: string; name: string; resourceVersion: string; uid: string };
    data?: { turn?: string };
  };
  const { namespace, name, resourceVersion, uid } = metadata;
  return [`${namespace}/${name}`, { resourceVersion, uid, turn: data?.turn ?? '' }];
}
