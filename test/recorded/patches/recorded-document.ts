import type { JsonObject } from '../../../src/api/json/json.ts';
import { StatusError } from '../../../src/api/errors/status.ts';
import { applyOperations } from '../../../src/patch/json-patch.ts';
import { applyMergePatch } from '../../../src/patch/merge-patch.ts';
import { PatchedDocument } from '../../../src/patch/patched-document.ts';

/** A JSON Patch (a list) or merge patch (an object) and the result of the reference's library. */
export interface RecordedDocument {
  readonly original: JsonObject;
  readonly patch: JsonObject | readonly JsonObject[];
  /** The patched document as serialized. */
  readonly text?: string;
  /** Why patching failed; responses do not include it. */
  readonly error?: string;
}

/** How Binnacle's result differs; undefined if it does not. */
export function documentDifference({ original, patch, text, error }: RecordedDocument): string | undefined {
  const actual = patchedText(original, patch);
  const expected = error === undefined ? text : undefined;
  return actual === expected ? undefined : `Binnacle ${actual ?? 'refuses'}, expected ${expected ?? error}`;
}

function patchedText(original: JsonObject, patch: RecordedDocument['patch']): string | undefined {
  const document = new PatchedDocument(original);
  try {
    // JSON Patches are lists, merge patches are objects.
    if (Array.isArray(patch)) applyOperations(document, patch);
    else applyMergePatch(document, patch as JsonObject);
    return document.text();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
