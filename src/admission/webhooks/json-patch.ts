import { compactJson, partsOf } from '../../api/json/json-raw.ts';
import { quoteJson, sortedKeys } from '../../api/json/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { type JsonSource, type JsonTree, spelledOf } from '../../api/json/json-tree.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import { kindStruct } from '../../codec/claimed-kind.ts';
import { goList, goMap, goRaw } from '../../codec/go/go-types.ts';
import { decodeGo, GoDecodeError, goDialects } from '../../codec/go/go-values.ts';
import { parseDeepJson } from '../../codec/json.ts';
import { decodeUtf8 } from '../../codec/decode-utf8.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { applyOperations, type PatchOperation } from '../../patch/json-patch.ts';
import { PatchedDocument } from '../../patch/patched-document.ts';
import { HookCallError } from './hook-errors.ts';

export interface HookPatch {
  readonly operations: readonly PatchOperation[];
  /** Whether they may have numbers that keep their spelling. */
  readonly isSpelled: boolean;
}

/** The operations of a patch in Base64. Throws a HookCallError. */
export function readHookPatch(hook: string, patch: string): HookPatch {
  let source: JsonSource;
  try {
    source = parseDeepJson(Buffer.from(patch, 'base64'));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw undecodable(hook, error.message, error);
  }
  const value = source.faithful ? source.value : spelledOf(source.tree());
  const isSpelled = !source.faithful;
  if (value === null) return { operations: [], isSpelled };
  if (!Array.isArray(value) || !value.every((each) => each === null || isJsonObject(each))) {
    throw undecodable(hook, typeProblem(source.tree()));
  }
  const operations = value.map((each) => (isJsonObject(each) ? each : {}));
  return { operations, isSpelled };
}

const patchForm = goList(goMap(goRaw, 'jsonpatch.Operation'), 'jsonpatch.Patch');

/** What is no list of operations, in Go's words. */
function typeProblem(patch: JsonTree): string {
  try {
    decodeGo(patchForm, patch, goDialects.standard);
    return '';
  } catch (error) {
    if (error instanceof GoDecodeError) return error.message;
    throw error;
  }
}

function undecodable(hook: string, why: string, cause?: Error): HookCallError {
  const message = `received undecodable patch in webhook response: ${why}`;
  return new HookCallError(hook, message, { status: 503, ...(cause === undefined ? {} : { cause }) });
}

/**
 * The operations of a valid patch for audit events: in Go they are maps of raw values, so only their keys are sorted.
 */
export function auditedPatch(patch: string): string {
  const operations = partsOf(compactJson(decodeUtf8(Buffer.from(patch, 'base64'))));
  return `[${operations.map(withSortedKeys).join(',')}]`;
}

function withSortedKeys(operation: string): string {
  const values: Record<string, string> = {};
  const parts = partsOf(operation);
  for (let i = 0; i < parts.length; i += 2) setOwn(values, JSON.parse(parts[i] ?? '') as string, parts[i + 1] ?? '');
  const members = sortedKeys(values).map((key) => `${quoteJson(key)}:${values[key]}`);
  return `{${members.join(',')}}`;
}

/** The patched object. Throws a StatusError (500) when the patch does not apply. */
export function patchedObject(object: JsonValue, { operations }: Pick<HookPatch, 'operations'>): JsonObject {
  const document = new PatchedDocument(object);
  try {
    applyOperations(document, operations);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw internalError(message, { cause: error });
  }
  if (isJsonObject(document.root)) return document.root;
  const why = `json: cannot unmarshal array into Go value of type ${kindStruct}`;
  throw internalError(`couldn't get version/kind; json parse error: ${why}`);
}
