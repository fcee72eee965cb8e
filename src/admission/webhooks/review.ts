import { randomUUID } from 'node:crypto';
import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { readReview } from '../../outgoing/webhooks/read-review.ts';
import type { ReceivedStatus } from './hook-errors.ts';
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
  /** JSON. */
  readonly body: Uint8Array;
}

/** What a webhook has answered. */
export interface ReviewResponse {
  /** Whether the thread that has begun the request has counted the call. */
  readonly isCounted?: boolean;
  readonly allowed: boolean;
  readonly result: ReceivedStatus | undefined;
  /** Base64 of a JSON patch; empty for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  /** Annotations of the audit event. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The review of a write; undefined when the webhook accepts no known version of reviews. */
export async function reviewOf(
  call: HookCall,
  attributes: AdmissionAttributes,
  { object, oldObject }: WrittenVersion,
): Promise<Review | undefined> {
  const version = call.hook.reviewVersions.find((each) => knownVersions.includes(each));
  if (version === undefined) return undefined;
  const uid = randomUUID();
  const head = JSON.stringify({ uid, ...requestOf(call, attributes) }).slice(0, -1);
  const body = Buffer.concat([
    Buffer.from(`{"kind":"${kind}","apiVersion":"${group}/${version}","request":${head},"object":`),
    await object(),
    Buffer.from(',"oldObject":'),
    await oldObject(),
    Buffer.from(`,"dryRun":${attributes.dryRun},"options":${encodeRaw(attributes.options)}}}`),
  ]);
  return { uid, version, body };
}

/** The answer to a review. Throws a ReviewError; `isMutating`: whether it may hold a patch. */
export async function readResponse(
  body: Uint8Array,
  { uid, version }: Review,
  isMutating: boolean,
): Promise<ReviewResponse> {
  const { apiVersion = '', kind: of = '', response } = await decodedReview(body, version);
  if (response === undefined) throw invalid('webhook response was absent');
  const {
    allowed = false,
    status: result,
    patch = '',
    patchType,
    warnings = [],
    auditAnnotations: annotations = {},
  } = response;
  const common = { allowed, result, warnings, annotations, patch: isMutating ? patch : '' };
  // The first version of reviews promises less.
  if (version === 'v1beta1') return { ...common, patchType: 'JSONPatch' };
  if (response.uid !== uid) throw invalid(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  if (of !== kind || apiVersion !== `${group}/v1`) {
    throw invalid(`expected webhook response of ${group}/v1, Kind=${kind}, got ${apiVersion || '/'}, Kind=${of}`);
  }
  const problem = isMutating ? patchProblem(patch, patchType) : patchOfValidating(patch, patchType);
  if (problem !== undefined) throw invalid(problem);
  return { ...common, patchType: patchType ?? '' };
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

interface DecodedReview {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly allowed?: boolean;
    readonly status?: ReceivedStatus;
    readonly patch?: string;
    readonly patchType?: string;
    readonly warnings?: readonly string[];
    readonly auditAnnotations?: Readonly<Record<string, string>>;
  };
}

async function decodedReview(body: Uint8Array, version: string): Promise<DecodedReview> {
  try {
    const others = knownVersions.filter((each) => each !== version);
    return (await readReview(body, { kind: { group, version, kind }, knownVersions: others })) as DecodedReview; // by its schema
  } catch (error) {
    throw error instanceof CallError ? notCalled(error.message, error) : error;
  }
}

function notCalled(why: string, cause?: Error): ReviewError {
  return new ReviewError(`failed to call webhook: ${why}`, { cause });
}
