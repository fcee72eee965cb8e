import { randomUUID } from 'node:crypto';
import type { AdmissionAttributes } from '../../api/admission.ts';
import { goPrint } from '../../api/go-print.ts';
import { goQuote } from '../../api/go-quote.ts';
import { isJsonObject, type JsonValue } from '../../api/json.ts';
import { once } from '../../api/kept-by.ts';
import { encodeRaw } from '../../api/json-text.ts';
import { finish } from '../../api/turns.ts';
import { flag, listOf, objectOf, text } from '../../codec/config-file.ts';
import { parseJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { BodySyntaxError } from '../../codec/serializer.ts';
import { yamlSerializer } from '../../codec/yaml-serializer.ts';
import { decodeObject } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import type { Status } from '../../api/status.ts';
import { requestOf } from '../matching/request.ts';
import type { WrittenVersion } from '../matching/written-versions.ts';
import type { HookCall } from './hook.ts';

const group = 'admission.k8s.io';
const kind = 'AdmissionReview';
const knownVersions: readonly string[] = ['v1', 'v1beta1'];

/** An answer that is none; the message is part of the error that clients see. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
  readonly code = 'ADMISSION_REVIEW';
}

/** An AdmissionReview (admission.k8s.io) as it is sent. */
export interface Review {
  readonly uid: string;
  readonly version: string;
  readonly text: string;
}

/** What a webhook has answered. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly result: Status | undefined;
  /** Base64 of a JSON patch; empty for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** The review of a write; undefined when the webhook accepts no known version of reviews. */
export function reviewOf(call: HookCall, attributes: AdmissionAttributes, objects: WrittenVersion): Review | undefined {
  const version = call.hook.reviewVersions.find((each) => knownVersions.includes(each));
  if (version === undefined) return undefined;
  const uid = randomUUID();
  const head = JSON.stringify({ uid, ...requestOf(call, attributes) }).slice(0, -1);
  const tail = `"dryRun":${attributes.dryRun},"options":${encodeRaw(attributes.options)}`;
  const request = `${head},"object":${objects.objectText},"oldObject":${objects.oldObjectText},${tail}}`;
  return { uid, version, text: `{"kind":"${kind}","apiVersion":"${group}/${version}","request":${request}}` };
}

/** The answer to a review. Throws a ReviewError; `isMutating`: whether it may hold a patch. */
export function readResponse(body: Uint8Array, { uid, version }: Review, isMutating: boolean): ReviewResponse {
  const { apiVersion = '', kind: of = '', response } = decodedAnswer(body);
  if (response === undefined) throw invalid('webhook response was absent');
  const { allowed = false, status: result, patch = '', patchType, warnings = [] } = response;
  const answer = { allowed, result, warnings, patch: isMutating ? patch : '' };
  // The first version of reviews promises less.
  if (version === 'v1beta1') return { ...answer, patchType: 'JSONPatch' };
  if (response.uid !== uid) throw invalid(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  if (of !== kind || apiVersion !== `${group}/v1`) {
    throw invalid(`expected webhook response of ${group}/v1, Kind=${kind}, got ${apiVersion}, Kind=${of}`);
  }
  const problem = isMutating ? patchProblem(patch, patchType) : patchOfValidating(patch, patchType);
  if (problem !== undefined) throw invalid(problem);
  return { ...answer, patchType: patchType ?? '' };
}

function patchProblem(patch: string, patchType: string | undefined): string | undefined {
  if (patch !== '' && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (patch === '' && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  if (patchType === '') return `webhook returned invalid response.patchType of ${goQuote(patchType)}`;
  return undefined;
}

function patchOfValidating(patch: string, patchType: string | undefined): string | undefined {
  if (patch !== '') return 'validating webhook may not return response.patch';
  if (patchType !== undefined) return 'validating webhook may not return response.patchType';
  return undefined;
}

function invalid(why: string): ReviewError {
  return new ReviewError(`received invalid webhook response: ${why}`);
}

interface Answer {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly allowed?: boolean;
    readonly status?: Status;
    readonly patch?: string;
    readonly patchType?: string;
    readonly warnings?: readonly string[];
  };
}

const answerSchema = once(() => {
  const status = schemaOfKind({ group: '', version: 'v1', kind: 'Status' });
  if (status === undefined) throw new Error('there is no Status');
  const fields = {
    ...{ uid: text, allowed: flag, status, patch: { ...text, format: 'byte' } as const, patchType: text },
    warnings: listOf(text),
  };
  const response = objectOf('AdmissionResponse', fields, ['patchType']);
  return objectOf(kind, { kind: text, apiVersion: text, response });
});

function decodedAnswer(body: Uint8Array): Answer {
  try {
    const source = isJson(body) ? parseJson(body) : finish(yamlSerializer.decode(body)).source;
    checkKind(source.value, body);
    return decodeObject(answerSchema(), source).object as Answer; // decoded by its schema
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof BodySyntaxError) {
      throw notCalled(`couldn't get version/kind; json parse error: ${error.message}`, error);
    }
    throw error instanceof DecodeError ? notCalled(error.message, error) : error;
  }
}

/** The reference reads anything else as YAML. */
function isJson(body: Uint8Array): boolean {
  return /^\s*\{/.test(Buffer.from(body.subarray(0, 64)).toString('latin1'));
}

const goTypeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function checkKind(value: JsonValue, body: Uint8Array): void {
  if (!isJsonObject(value)) {
    if (value === null) throw notCalled(`Object 'Kind' is missing in '${Buffer.from(body).toString()}'`);
    const type = Array.isArray(value) ? 'array' : value === true || value === false ? 'bool' : typeof value;
    const why = `json: cannot unmarshal ${type} into Go value of type ${goTypeMeta}`;
    throw notCalled(`couldn't get version/kind; json parse error: ${why}`);
  }
  const { kind: of = '', apiVersion = '' } = value;
  if (of === '') throw notCalled(`Object 'Kind' is missing in '${Buffer.from(body).toString()}'`);
  if (apiVersion === '') throw notCalled(`Object 'apiVersion' is missing in '${Buffer.from(body).toString()}'`);
  if (of === kind && knownVersions.some((version) => apiVersion === `${group}/${version}`)) return;
  const names = `${goQuote(goPrint(of))} is registered for version ${goQuote(goPrint(apiVersion))}`;
  throw notCalled(`no kind ${names} in scheme "pkg/runtime/scheme.go:111"`);
}

function notCalled(why: string, cause?: Error): ReviewError {
  return new ReviewError(`failed to call webhook: ${why}`, { cause });
}
