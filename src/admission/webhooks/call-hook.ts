import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { type Log, logSite } from '../../api/contracts/log.ts';
import { qualifiedNameErrors } from '../../api/meta/names.ts';
import { msUntil } from '../../api/time/deadline.ts';
import { type HookResponse } from '../../api/contracts/hook-results.ts';
import { PassedOn } from '../../api/contracts/request-passing.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import { currentSpan, inSpan, type Span } from '../../api/contracts/span.ts';
import { LateRequestError } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { dryRunUnsupported, HookCallError, rejection } from './hook-errors.ts';
import type { HookMetrics } from './hook-metrics.ts';
import type { Hook, HookCall } from './hook.ts';
import { readResponse, type Review, ReviewError, reviewOf, type ReviewResponse } from './review.ts';
import type { WrittenVersion } from '../matching/written-versions.ts';

const site = logSite('webhooks/call-hook.ts');

/** Timers fire so much too early. */
const timerToleranceMs = 2;

const sideEffectFree: ReadonlySet<string> = new Set(['None', 'NoneOnDryRun']);

export interface CallContext {
  readonly metrics: HookMetrics;
  readonly log: Log;
}

export interface HookWrite {
  readonly attributes: AdmissionAttributes;
  readonly version: WrittenVersion;
  readonly isMutating: boolean;
  /** In audit annotations: `round_0_index_1`. */
  readonly place: string;
}

/** Keys of audit annotations, but for the place. */
export const annotationPrefixes = {
  mutation: 'mutation.webhook.admission.k8s.io/',
  patch: 'patch.webhook.admission.k8s.io/',
  validating: 'validating.webhook.admission.k8s.io/',
} as const;

/**
 * Asks a webhook, and counts the call. `use` does something with the answer of one that allows the write. Throws a
 * StatusError when the write is rejected, and returns undefined for a failure that the failure policy ignores.
 */
export async function callHook<T>(
  context: CallContext,
  call: HookCall,
  write: HookWrite,
  use: (response: ReviewResponse) => T | Promise<T>,
): Promise<T | undefined> {
  const { hook } = call;
  const beganMs = performance.now();
  let isCounted = false;
  const count = (code: number, errorType?: string): void => {
    if (isCounted) return;
    context.metrics.called(
      { name: hook.name, operation: write.attributes.operation },
      { seconds: secondsSince(beganMs), code, ...(errorType === undefined ? {} : { errorType }) },
    );
  };
  let denial: StatusError | undefined;
  try {
    const response = await ask(call, write);
    isCounted = response.isCounted === true;
    if (!response.allowed) throw (denial = rejection(hook.name, response.result));
    const result = await use(response);
    count(200);
    return result;
  } catch (error) {
    // The thread that takes the request counts the call.
    if (error instanceof PassedOn) throw error;
    if (!(error instanceof HookCallError)) {
      if (denial !== undefined && error === denial) {
        count(denial.status.code, 'no_error');
        warn(context, `rejected by webhook ${goQuote(hook.name)}: ${denial.message}`);
      } else count(0, 'apiserver_internal_error');
      throw error;
    }
    count(error.status, hook.failsOpen ? undefined : 'calling_webhook_error');
    const outcome = `failing ${hook.failsOpen ? 'open' : 'closed'} ${hook.name}`;
    warn(context, `Failed calling webhook, ${outcome}: ${error.message}`);
    if (!hook.failsOpen) throw isLate(write) ? new LateRequestError() : error.asStatus();
    context.metrics.failedOpen(hook.name);
    const prefix = annotationPrefixes[write.isMutating ? 'mutation' : 'validating'];
    write.attributes.annotate(`failed-open.${prefix}${write.place}`, () => hook.name);
    if (isLate(write)) throw new LateRequestError();
    return undefined;
  }
}

function warn({ log }: CallContext, message: string): void {
  // What webhooks say must not look like further lines.
  log.write({ site, severity: 'warning', isText: true, message: message.replaceAll(/[\r\n]/g, ' ') });
}

/** Whether the time of the request is over, and not only that of the webhook. */
function isLate({ attributes }: HookWrite): boolean {
  return msUntil(attributes.deadlineMs) <= timerToleranceMs;
}

/**
 * The answer of a webhook. Throws a HookCallError, or a StatusError for a dry run that the webhook does not support.
 */
async function ask(call: HookCall, write: HookWrite): Promise<ReviewResponse> {
  const { hook } = call;
  const { attributes, version, isMutating } = write;
  if (attributes.dryRun && !sideEffectFree.has(hook.sideEffects ?? '')) {
    if (hook.sideEffects === undefined)
      throw new HookCallError(hook.name, 'Webhook SideEffects is nil', { status: 400 });
    throw dryRunUnsupported(hook.name);
  }
  const review = await reviewOf(call, attributes, version);
  if (review === undefined) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new HookCallError(hook.name, `could not create admission objects: ${why}`, { status: 400 });
  }
  const span = hookSpan(call, write, review);
  const posted = (): Promise<ReviewResponse> => post(call, attributes, { review, isMutating });
  const response = await (span === undefined ? posted() : inSpan(span, posted));
  const { annotations } = response;
  for (const key of Object.keys(annotations)) {
    const qualified = `${hook.name}/${key}`;
    if (qualifiedNameErrors(qualified).length === 0) attributes.annotate(qualified, () => annotations[key] ?? '');
  }
  for (const text of response.warnings) {
    if (text !== '') attributes.warn(text);
  }
  return response;
}

/** The step of a trace in which a webhook is called; undefined: nothing is traced. */
function hookSpan({ hook }: HookCall, { attributes, isMutating }: HookWrite, { uid }: Review): Span | undefined {
  const { group, version, resource, subresource, operation } = attributes;
  return currentSpan()?.child(`Call ${isMutating ? 'mutating' : 'validating'} webhook`, {
    configuration: hook.configuration,
    webhook: hook.name,
    resource: `${group}/${version}, Resource=${resource}`,
    subresource,
    operation,
    UID: uid,
  });
}

async function post(
  call: HookCall,
  attributes: AdmissionAttributes,
  { review, isMutating }: PostedReview,
): Promise<ReviewResponse> {
  const { hook } = call;
  const timeoutMs = Math.max(1, Math.min(hook.timeoutMs, msUntil(attributes.deadlineMs)));
  const beganMs = performance.now();
  try {
    const { uid, body, isCounted } = await responseOf(call, attributes, { review, isMutating, timeoutMs });
    return { ...(await readResponse(body, { ...review, uid }, isMutating)), isCounted };
  } catch (error) {
    if (error instanceof ReviewError) throw new HookCallError(hook.name, error.message, { status: 503, cause: error });
    if (!(error instanceof CallError || error instanceof StatusError)) throw error;
    const status = error instanceof StatusError ? error.status.code : 503;
    throw new HookCallError(hook.name, `failed to call webhook: ${error.message}`, { status, cause: error });
  } finally {
    const name = `Call ${isMutating ? 'mutating' : 'validating'} webhook`;
    const about = { ...aboutCall(hook, attributes), UID: review.uid };
    attributes.called?.({ name, endedMs: performance.now(), call: { beganMs, about } });
  }
}

/** The answer of the webhook, unless the thread that has begun the request has asked already. */
async function responseOf(
  { hook }: HookCall,
  { passing }: AdmissionAttributes,
  { review, isMutating, timeoutMs }: PostedReview & { readonly timeoutMs: number },
): Promise<HookResponse> {
  const { uid } = review;
  const question = { hook: `${isMutating ? 'mutating' : 'validating'} ${hook.uid}`, uid, review: review.body };
  const known = passing?.hookResponses.take(question);
  if (known !== undefined) return known;
  const body = await hook.client.post(review.body, { timeoutMs });
  if (passing !== undefined) {
    passing.hookResponses.keep(question, { uid, body, isCounted: !passing.isLarge(body.length) });
    await passing.ifLarge(body.length);
  }
  return { uid, body, isCounted: false };
}

interface PostedReview {
  readonly review: Review;
  readonly isMutating: boolean;
}

/** For whoever wants to know why the write was slow. */
function aboutCall(
  { configuration, name }: Hook,
  { group, version, resource, subresource, operation }: AdmissionAttributes,
): Readonly<Record<string, string>> {
  const kind = `${group}/${version}, Resource=${resource}`;
  return { configuration, webhook: name, resource: kind, subresource, operation };
}
