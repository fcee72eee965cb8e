import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In the order used by the Go program. */
export const mediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
] as const;

/** An object in one media type, or why it cannot be encoded. */
export type Part = { readonly body: Buffer } | { readonly error: string };

/** An object in each wanted media type, or why it cannot be decoded. */
export type Forms = { readonly bodies: ReadonlyMap<string, Part> } | { readonly error: string };

export interface Question {
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** The media types to re-encode to. */
  readonly wanted: readonly string[];
}

/** Why the reference's codecs cannot run on this machine; undefined if they can. */
export function missingReference(): string | undefined {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no go on the PATH';
  }
}

/** Kubernetes' own codecs: a Go program in this directory, built when used. */
export class ReferenceCodecs implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'binnacle-compare-codecs-'));
  readonly #program = join(this.#folder, 'codecs');

  constructor() {
    const cwd = join(import.meta.dirname, 'go');
    execFileSync('go', ['build', '-o', this.#program, '.'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** What the reference decodes from each body, in the wanted formats. */
  forms(questions: readonly Question[]): readonly Forms[] {
    const input = Buffer.concat(
      questions.flatMap(({ mediaType, body, wanted }) => [
        lengthOf(body.length + 2),
        Buffer.of(
          mediaTypes.findIndex((each) => each === mediaType),
          bitsOf(wanted),
        ),
        body,
      ]),
    );
    const env = { ...process.env, GOMAXPROCS: '1' };
    const run = spawnSync(this.#program, { input, env, maxBuffer: 2 ** 31 - 1 });
    if (run.status !== 0) throw new Error(`the reference's codecs failed: ${run.stderr.toString()}`);
    return framesOf(run.stdout).map((answer, index) => formsOf(answer, questions[index]?.wanted ?? []));
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function framesOf(bytes: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    frames.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return frames;
}

function bitsOf(wanted: readonly string[]): number {
  return mediaTypes.reduce((bits, each, index) => bits | (wanted.includes(each) ? 1 << index : 0), 0);
}

function formsOf(answer: Buffer, wanted: readonly string[]): Forms {
  const read = partOf(answer);
  if ('error' in read) return read;
  const written = mediaTypes.filter((each) => wanted.includes(each));
  return { bodies: new Map(framesOf(read.body).map((form, index) => [written[index] ?? '', partOf(form)])) };
}

function partOf(frame: Buffer): Part {
  const rest = frame.subarray(1);
  return frame[0] === 1 ? { body: rest } : { error: rest.toString() };
}
