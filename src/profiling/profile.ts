import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import { WireWriter } from '../api/bytes/wire-writer.ts';

/** A function on a stack. */
export interface Frame {
  readonly name: string;
  /** The URL of the function's script; empty: none, because the function is native. */
  readonly url: string;
  /** Where the function begins, from 1; 0: unknown. */
  readonly line: number;
}

export interface Sample {
  /** The innermost first. */
  readonly frames: readonly Frame[];
  /** One per type of the profile. */
  readonly values: readonly number[];
  /** The name of the thread. */
  readonly thread: string;
}

interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** What a profiler has found. */
export interface Profile {
  readonly types: readonly ValueType[];
  readonly samples: readonly Sample[];
  /** When it began, since the epoch. */
  readonly beganMs: number;
  readonly durationMs: number;
  /** How far samples are apart. */
  readonly period: ValueType & { readonly value: number };
}

/** Field numbers of profile.proto of github.com/google/pprof. */
const fields = {
  profile: {
    sampleType: 1,
    sample: 2,
    location: 4,
    function: 5,
    text: 6,
    timeNanos: 9,
    durationNanos: 10,
    periodType: 11,
    period: 12,
  },
  valueType: { type: 1, unit: 2 },
  sample: { location: 1, value: 2, label: 3 },
  label: { key: 1, text: 2 },
  location: { id: 1, line: 4 },
  line: { function: 1, line: 2 },
  function: { id: 1, name: 2, systemName: 3, file: 4, startLine: 5 },
} as const;

const nanosPerMs = 1_000_000n;

/** A profile in the compressed format of pprof, written while other work runs. */
export async function pprofOf(profile: Profile): Promise<Buffer> {
  const encoder = new Encoder();
  const timeSlice = new TimeSlice();
  for (const sample of profile.samples) {
    encoder.add(sample);
    // oxlint-disable-next-line no-await-in-loop -- other work runs meanwhile
    if (timeSlice.isOver) await timeSlice.next();
  }
  return promisify(gzip)(encoder.finish(profile));
}

/** Texts, functions and locations are written once and then named by their numbers. */
class Encoder {
  readonly #message = new WireWriter();
  readonly #texts = new Map<string, number>([['', 0]]);
  readonly #locations = new Map<string, number>();

  add({ frames, values, thread }: Sample): void {
    const sample = new WireWriter();
    for (const frame of frames) sample.integer(fields.sample.location, this.#location(frame));
    for (const value of values) sample.integer(fields.sample.value, Math.round(value));
    const label = new WireWriter()
      .integer(fields.label.key, this.#text('thread'))
      .integer(fields.label.text, this.#text(thread));
    this.#message.message(fields.profile.sample, sample.message(fields.sample.label, label));
  }

  finish({ types, beganMs, durationMs, period }: Profile): Buffer {
    const of = fields.profile;
    for (const type of types) this.#message.message(of.sampleType, this.#type(type));
    const nanos = (ms: number): bigint => BigInt(Math.round(ms)) * nanosPerMs;
    this.#message
      .bigint(of.timeNanos, nanos(beganMs))
      .bigint(of.durationNanos, nanos(durationMs))
      .message(of.periodType, this.#type(period))
      .integer(of.period, period.value);
    for (const text of this.#texts.keys()) this.#message.bytes(of.text, Buffer.from(text));
    return this.#message.finish();
  }

  #location(frame: Frame): number {
    const key = `${frame.line} ${frame.url} ${frame.name}`;
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const id = this.#locations.size + 1;
    this.#locations.set(key, id);
    const name = this.#text(frame.name);
    const made = new WireWriter()
      .integer(fields.function.id, id)
      .integer(fields.function.name, name)
      .integer(fields.function.systemName, name)
      .integer(fields.function.file, this.#text(frame.url))
      .integer(fields.function.startLine, frame.line);
    const line = new WireWriter().integer(fields.line.function, id).integer(fields.line.line, frame.line);
    const location = new WireWriter().integer(fields.location.id, id).message(fields.location.line, line);
    this.#message.message(fields.profile.function, made).message(fields.profile.location, location);
    return id;
  }

  #type({ type, unit }: ValueType): WireWriter {
    return new WireWriter()
      .integer(fields.valueType.type, this.#text(type))
      .integer(fields.valueType.unit, this.#text(unit));
  }

  #text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }
}

/** A profile as text for people: the largest samples first, each with its stack. */
export function profileText({ types, samples, durationMs }: Profile): string {
  const main = types.length - 1;
  const sorted = samples.toSorted((a, b) => (b.values[main] ?? 0) - (a.values[main] ?? 0));
  const names = types.map(({ type, unit }) => `${type} (${unit})`).join(', ');
  const lines = sorted.flatMap(({ values, thread, frames }) => [
    `${values.map((value) => Math.round(value)).join(' ')} @ ${thread}`,
    ...frames.map(({ name, url, line }) => `#\t${name}${url === '' ? '' : `\t${url}:${line}`}`),
    '',
  ]);
  return `${names} of ${Math.round(durationMs / 1000)} seconds\n\n${lines.join('\n')}`;
}
