import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { readCases, writeCases } from '../recording.ts';
import type { StepResponse } from '../../../tools/compare-requests/script.ts';

/*
 * A recording has one answer per line, in the order of the steps. What several answers have in common is written once,
 * in lines of their own before the first answer that refers to it:
 *
 *     {"shared":"3f2a91c0","value":{"f:data":{".":{},"f:a":{}}}}
 *     {"step":"create","code":201,"body":{"metadata":{"managedFields":[{"$":"3f2a91c0"}]}}}
 *
 * Headers that most answers have are left out.
 */

const subject = 'requests';
const usualHeaders = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' } as const;
/** Below that length a reference saves nothing. */
const minSharedLength = 40;

interface AnswerLine {
  readonly step: string;
  readonly code: number;
  readonly headers?: StepResponse['headers'];
  readonly body: JsonValue;
}

interface SharedLine {
  readonly shared: string;
  readonly value: JsonValue;
}

export function readRecording(script: string): Map<string, StepResponse> {
  const shared = new Map<string, JsonValue>();
  const answers = new Map<string, StepResponse>();
  for (const read of readCases<AnswerLine | SharedLine>(subject, script)) {
    if ('shared' in read) shared.set(read.shared, expanded(read.value, shared));
    else {
      const { step, code, headers = usualHeaders, body } = read;
      answers.set(step, { code, headers, body: expanded(body, shared) });
    }
  }
  return answers;
}

export function writeRecording(script: string, answers: ReadonlyMap<string, StepResponse>): void {
  const writer = new RecordingWriter([...answers.values()].map(({ body }) => body));
  const cases = [...answers].flatMap(([step, { code, headers, body }]) => {
    const isUsual = JSON.stringify(headers) === JSON.stringify(usualHeaders);
    const answer = { step, code, ...(isUsual ? {} : { headers }), body: writer.shortened(body) };
    return [...writer.takeShared(), answer];
  });
  writeCases(subject, script, cases);
}

function expanded(value: JsonValue, shared: ReadonlyMap<string, JsonValue>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => expanded(item, shared));
  if (!isJsonObject(value)) return value;
  const { $: reference } = value;
  if (typeof reference === 'string') return shared.get(reference) ?? null;
  return mapped(value, (item) => expanded(item, shared));
}

class RecordingWriter {
  /** By the JSON of each value that occurs: whether it occurs again. */
  readonly #seen = new Map<string, boolean>();
  readonly #written = new Set<string>();
  #lines: SharedLine[] = [];

  constructor(bodies: readonly JsonValue[]) {
    for (const body of bodies) this.#count(body);
  }

  #count(value: JsonValue): void {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (text.length < minSharedLength) return;
    const isKnown = this.#seen.has(text);
    this.#seen.set(text, isKnown);
    // What is within a shared value is shared with it.
    if (!isKnown) for (const item of Object.values(value)) this.#count(item);
  }

  shortened(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    if (this.#seen.get(text) !== true) return this.#within(value);
    const shared = createHash('sha256').update(text).digest('hex').slice(0, 8);
    if (!this.#written.has(shared)) {
      this.#written.add(shared);
      this.#lines.push({ shared, value: this.#within(value) });
    }
    return { $: shared };
  }

  #within(value: readonly JsonValue[] | JsonObject): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.shortened(item));
    return mapped(value as JsonObject, (item) => this.shortened(item)); // Not an array.
  }

  /** Lines to write before the answer that was shortened last. */
  takeShared(): readonly SharedLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

function mapped(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
