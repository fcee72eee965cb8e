import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { StatusError } from '../../src/api/errors/status.ts';
import { decodeBody, parseBody } from '../../src/codec/decode-body.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import type { KindWithSchema } from '../random-objects/kinds.ts';
import { allSerializers } from '../random-objects/serializers.ts';

/** Time limit per body. */
const limitMs = 2000;

export type Outcome = 'taken' | 'refused';

export interface Trial {
  readonly of: KindWithSchema;
  readonly serializer: Serializer;
  readonly bytes: Buffer;
  /** Whether the decoded value is also encoded in all formats. */
  readonly writes: boolean;
}

/** Passes a body to the decoder of requests. Throws for effects that no body may have. */
export function tryBody(trial: Trial): Outcome {
  const attempt = (): { readonly outcome: Outcome; readonly elapsedMs: number } => {
    const startMs = performance.now();
    const outcome = decode(trial);
    return { outcome, elapsedMs: performance.now() - startMs };
  };
  const { outcome, elapsedMs } = attempt();
  // The machine may have been busy: only twice in a row counts.
  if (elapsedMs > limitMs && attempt().elapsedMs > limitMs) throw new Error(`took ${Math.round(elapsedMs)} ms`);
  for (const key in {}) throw new Error(`every object has ${key} now`);
  return outcome;
}

function decode({ of: { kind, schema }, serializer, bytes, writes }: Trial): Outcome {
  let object: JsonObject;
  try {
    const request = { bytes, serializer, expected: kind, fieldValidation: 'Warn' } as const;
    const parsed = parseBody(request);
    ({ object } = decodeBody(request, parsed, schemaOfKind(parsed.kind)));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 400 || error.message === '') throw error;
    return 'refused';
  }
  checkPrototypes(object);
  if (!writes) return 'taken';
  const json = encodeJsonBytes(schema, object);
  for (const each of allSerializers) render(each, json);
  return 'taken';
}

/** YAML cannot represent all JSON, and reports that. */
function render(serializer: Serializer, json: Buffer): void {
  try {
    serializer.write({ json }, { schemaOf: schemaOfKind });
  } catch (error) {
    if (!(error instanceof StatusError) || !error.message.startsWith('yaml: ')) throw error;
  }
}

/** A key `__proto__` must be plain data. */
function checkPrototypes(value: JsonValue): void {
  if (Array.isArray(value)) return value.forEach(checkPrototypes);
  if (!isJsonObject(value)) return;
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('an object has another prototype');
  for (const key of Object.keys(value)) checkPrototypes(value[key] ?? null);
}
