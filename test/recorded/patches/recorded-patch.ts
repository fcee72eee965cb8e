import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { plainSource } from '../../../src/api/json/json-tree.ts';
import { StatusError } from '../../../src/api/errors/status.ts';
import { applyPatch } from '../../../src/patch/apply-patch.ts';
import { strategicMergePatch } from '../../../src/patch/strategic-merge-patch.ts';
import { definitionKind, schemaByName } from '../../../src/schema/kubernetes/definitions.ts';

/** A strategic merge patch and the result of the reference's libraries. */
export interface RecordedPatch {
  /** Name of the definition. */
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject;
  /** The merged object before decoding. */
  readonly object?: JsonObject;
  /** The remains of the patch, as printed in errors. */
  readonly shown?: string;
  /** Why merging failed. */
  readonly error?: string;
  /** Why the result could not be decoded. */
  readonly decode?: string;
  readonly strict?: readonly string[];
}

/** How Binnacle's result differs; undefined if it does not. */
export function differenceOf(recorded: RecordedPatch): string | undefined {
  const { kind, original, patch } = recorded;
  const schema = schemaByName(kind);
  const expected = definitionKind(kind);
  if (schema === undefined || expected === undefined) return `no schema of ${kind}`;
  const merged = outcome(() => strategicMergePatch(original, patch, schema));
  if (typeof merged === 'string') return same('error', merged, answered(recorded.error));
  if (recorded.error !== undefined) return `merged, but expected the error ${recorded.error}`;
  const difference =
    same('object', merged.object, recorded.object ?? {}) ?? same('shown', merged.shown(), recorded.shown ?? '');
  if (difference !== undefined) return difference;
  const decoded = outcome(() =>
    applyPatch(original, {
      name: '',
      format: 'strategic',
      source: plainSource(patch),
      fieldValidation: 'Warn',
      expected,
      schema,
    }).decode(undefined),
  );
  if (typeof decoded !== 'string') {
    return same('decode', '', recorded.decode ?? '') ?? same('strict', [...decoded.warnings], recorded.strict ?? []);
  }
  const text = decoded.slice(decoded.indexOf('": ') + 3);
  return decoded.endsWith(`: ${recorded.decode ?? ''}`) ? undefined : same('decode', text, recorded.decode ?? '');
}

/** The response's message for an error of the library: one of them is not included. */
function answered(error: string | undefined): string | undefined {
  const untold = 'the server rejected our request due to an error in our request';
  return error === 'lists of lists are not supported' ? untold : error;
}

function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

function same(what: string, actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `${what}\n  Binnacle  ${JSON.stringify(actual)}\n  expected  ${JSON.stringify(expected)}`;
}
