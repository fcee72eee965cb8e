import { isJsonObject, type JsonValue } from '../../src/api/json.ts';
import { StatusError } from '../../src/api/status.ts';
import { decodeBody } from '../../src/codec/decode-body.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import type { KindWithSchema } from '../random-objects/kinds.ts';
import { allSerializers } from '../random-objects/serializers.ts';

/** What one body may take. */
const limitMs = 2000;

export type Outcome = 'taken' | 'refused';

/** Gives a body to the entry that requests take. Throws when it does what no body may make it do. */
export function tryBody({ kind, schema }: KindWithSchema, serializer: Serializer, bytes: Buffer): Outcome {
  const attempt = (): { readonly outcome: Outcome; readonly elapsedMs: number } => {
    const startMs = performance.now();
    const outcome = decode({ kind, schema }, serializer, bytes);
    return { outcome, elapsedMs: performance.now() - startMs };
  };
  const { outcome, elapsedMs } = attempt();
  // The machine may have been busy: twice is no accident.
  if (elapsedMs > limitMs && attempt().elapsedMs > limitMs) throw new Error(`took ${Math.round(elapsedMs)} ms`);
  for (const key in {}) throw new Error(`every object has ${key} now`);
  return outcome;
}

function decode({ kind, schema }: KindWithSchema, serializer: Serializer, bytes: Buffer): Outcome {
  try {
    const request = { bytes, serializer, expected: kind, fieldValidation: 'Strict' } as const;
    const { object } = decodeBody({ ...request, schemaOf: schemaOfKind });
    checkPrototypes(object);
    const json = encodeJsonBytes(schema, object);
    for (const each of allSerializers) each.render?.(json);
    return 'taken';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.status.code !== 400 || error.message === '')
      throw new Error('refused without a reason', { cause: error });
    return 'refused';
  }
}

/** A key `__proto__` is data. */
function checkPrototypes(value: JsonValue): void {
  if (Array.isArray(value)) return value.forEach(checkPrototypes);
  if (!isJsonObject(value)) return;
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('an object has another prototype');
  for (const key of Object.keys(value)) checkPrototypes(value[key] ?? null);
}
