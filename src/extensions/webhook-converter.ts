import { secondsSince } from '../api/time/seconds-since.ts';
import { randomUUID } from 'node:crypto';
import { fieldErrorText } from '../api/errors/field-error.ts';
import { allOf } from '../api/errors/findings.ts';
import { goTypeOf } from '../api/json/go-print.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { plainSource } from '../api/json/json-tree.ts';
import { jsonOf, type KubernetesObject } from '../api/meta/object.ts';
import { annotationErrors, labelErrors } from '../api/validation/object-meta-validation.ts';
import { currentSpan, inSpan } from '../api/contracts/span.ts';
import { StatusError } from '../api/errors/status.ts';
import { encodeAny } from '../api/json/json-text.ts';
import { jsonWord } from '../codec/go/go-values.ts';
import type { Converter } from '../registry/kinds/conversion.ts';
import { prunedValue } from '../schema/custom/pruned-value.ts';
import type { Schema } from '../schema/schema.ts';
import { CallError } from '../outgoing/call-error.ts';
import type { WebhookClient } from '../outgoing/webhooks/webhook-client.ts';
import { type ConversionReview, readConversionReview } from './conversion-review.ts';
import type { ConversionFailure, ConversionMetrics } from './conversion-metrics.ts';

export interface WebhookConverterOptions {
  readonly client: Pick<WebhookClient, 'post'>;
  /** `conversionReviewVersions` of the definition. */
  readonly reviewVersions: readonly string[];
  /** Schemas used to prune converted objects; undefined keeps everything. */
  readonly schemaOf: (version: string) => Schema | undefined;
  /** Name of the definition. */
  readonly name: string;
  readonly metrics: ConversionMetrics;
}

const knownReviews: readonly string[] = ['v1', 'v1beta1'];
const group = 'apiextensions.k8s.io';
/** All objects of a list are in one answer. */
const maxResponseBytes = 64 * 1024 * 1024;

/** Conversion by a webhook, which is asked for all objects at once that are not in the wanted version already. */
export function webhookConverter(options: WebhookConverterOptions): Converter {
  return {
    waits: true,
    async convert(objects, target) {
      const apiVersion = formatApiVersion(target.group, target.version);
      const others = objects.filter((object) => object.apiVersion !== apiVersion);
      const [first] = others;
      if (first === undefined) return objects;
      const call = new Call(options, parseApiVersion(first.apiVersion)?.version ?? '', target.version);
      try {
        const converted = await ask(options, { objects: others, apiVersion, call });
        const made = inPlaces(objects, converted, { apiVersion, schema: options.schemaOf(target.version) });
        call.end(true);
        return made;
      } catch (error) {
        call.end(false);
        throw error;
      }
    },
  };
}

/** A call that is measured. */
class Call {
  /** What has failed if it fails now. */
  stage: ConversionFailure = 'conversion_webhook_call_failure';
  readonly #options: WebhookConverterOptions;
  readonly #from: string;
  readonly #to: string;
  readonly #beganMs = performance.now();

  constructor(options: WebhookConverterOptions, from: string, to: string) {
    this.#options = options;
    this.#from = from;
    this.#to = to;
  }

  end(succeeded: boolean): void {
    const { name, metrics } = this.#options;
    const seconds = secondsSince(this.#beganMs);
    const failure = succeeded ? undefined : this.stage;
    metrics.observe({ definition: name, from: this.#from, to: this.#to, seconds, failure });
  }
}

interface Target {
  readonly apiVersion: string;
  readonly schema: Schema | undefined;
}

/** The converted objects where the ones were that had to be converted. */
function inPlaces(
  objects: readonly KubernetesObject[],
  converted: readonly JsonValue[],
  { apiVersion, schema }: Target,
): readonly KubernetesObject[] {
  let next = 0;
  return objects.map((object) => {
    if (object.apiVersion === apiVersion) return object;
    const at = converted.length === 1 ? 'object' : `converted object at index ${next}`;
    const made = checked(object, converted[next++], { apiVersion, at });
    // Objects are JSON-shaped.
    return (schema === undefined ? made : prunedValue(schema, made)) as KubernetesObject;
  });
}

interface Question {
  readonly objects: readonly KubernetesObject[];
  readonly apiVersion: string;
  readonly call: Call;
}

async function ask(
  { client, reviewVersions, name }: Pick<WebhookConverterOptions, 'client' | 'reviewVersions' | 'name'>,
  { objects, apiVersion: desiredAPIVersion, call }: Question,
): Promise<readonly JsonValue[]> {
  const [first] = objects;
  const version = reviewVersions.find((each) => knownReviews.includes(each));
  if (first === undefined || version === undefined) throw failure('no supported conversion review versions');
  const uid = randomUUID();
  const request = { uid, desiredAPIVersion, objects: objects.map(jsonOf) };
  const review: JsonObject = { kind: 'ConversionReview', apiVersion: `${group}/${version}`, request };
  const body = Buffer.from(encodeAny(review));
  let responded: ConversionReview;
  try {
    const span = currentSpan()?.child('Call conversion webhook', {
      'custom-resource-definition': name,
      'desired-api-version': desiredAPIVersion,
      'object-count': objects.length,
      UID: uid,
    });
    const posted = async (): Promise<Buffer> => {
      const bytes = await client.post(body, { maxResponseBytes });
      span?.event('Request completed');
      return bytes;
    };
    responded = await readConversionReview(await (span === undefined ? posted() : inSpan(span, posted)), version);
  } catch (error) {
    if (error instanceof CallError || error instanceof StatusError) throw failed(first, error.message);
    throw error;
  }
  call.stage = 'conversion_webhook_malformed_response_failure';
  const problem = problemOf(responded, { version, uid });
  if (problem !== undefined) throw failed(first, problem);
  const converted = responded.response?.convertedObjects ?? [];
  call.stage = 'conversion_webhook_partial_response_failure';
  if (converted.length !== objects.length) {
    const counts = `returned ${converted.length} objects, expected ${objects.length}`;
    throw failure(`conversion webhook for ${kindOf(first)} ${counts}`);
  }
  call.stage = 'conversion_webhook_invalid_converted_object_failure';
  return converted;
}

/** Errors of the ConversionReview as a whole. */
function problemOf(
  { response, kind = '', apiVersion = '' }: ConversionReview,
  { version, uid }: { readonly version: string; readonly uid: string },
): string | undefined {
  if (version === 'v1' && (kind !== 'ConversionReview' || apiVersion !== `${group}/v1`)) {
    return `expected webhook response of ${group}/v1, Kind=ConversionReview, got ${apiVersion || '/'}, Kind=${kind}`;
  }
  if (response === undefined) return 'no response provided';
  const { uid: responseUid = '', result: { status = '', message = '' } = {} } = response;
  if (version === 'v1' && responseUid !== uid)
    return `expected response.uid=${goQuote(uid)}, got ${goQuote(responseUid)}`;
  if (status === 'Success') return undefined;
  return message === '' ? `response.result.status was '${status}', not 'Success'` : message;
}

interface Wanted {
  readonly apiVersion: string;
  /** Which object an error is about. */
  readonly at: string;
}

/** A converted object with the original metadata, except labels and annotations. Throws a StatusError. */
function checked(object: KubernetesObject, received: JsonValue | undefined, { apiVersion, at }: Wanted): JsonObject {
  const invalid = (why: string, where = at): StatusError =>
    failure(`conversion webhook for ${kindOf(object)} returned invalid ${where}: ${why}`);
  const first = at === 'object' ? 'object at index 0' : at;
  const converted = isJsonObject(received) ? received : {};
  const [given, kind] = [textIn(converted, 'apiVersion'), textIn(converted, 'kind')];
  // A version that cannot be parsed hides the kind as well.
  if (kind === '' || parseApiVersion(given) === undefined) throw failure(undecodable(received));
  if (given !== apiVersion) throw invalid(`invalid groupVersion (expected ${apiVersion}, received ${given})`, first);
  if (kind !== object.kind) throw invalid(`invalid kind (expected ${object.kind}, received ${kind})`, first);
  const metadata = isJsonObject(converted['metadata']) ? converted['metadata'] : {};
  for (const [field, word] of Object.entries({ name: 'name', namespace: 'namespace', uid: 'UID' })) {
    const [is, was] = [textIn(metadata, field), textIn(object.metadata as JsonObject, field)];
    if (is !== was) throw invalid(`must have the same ${word}: ${was} != ${is}`);
  }
  const where = at === 'object' ? 'metadata' : `metadata in ${at.replace('converted ', '')}`;
  const restored = restoredMetadata(object, converted['metadata'], (why) => invalid(why, where));
  return { ...converted, metadata: restored };
}

function textIn(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}

/** What Go's decoder says to something that is no object with a kind. */
function undecodable(received: JsonValue | undefined): string {
  if (received === undefined || received === null) return 'unexpected end of JSON input';
  if (isJsonObject(received)) return `Object 'Kind' is missing in '${encodeRaw(received)}'`;
  const word = jsonWord(plainSource(received).tree());
  return `json: cannot unmarshal ${word} into Go value of type map[string]interface {}`;
}

function restoredMetadata(
  object: KubernetesObject,
  given: JsonValue | undefined,
  invalid: (why: string) => StatusError,
): JsonObject {
  if (given === undefined) throw invalid('missing metadata in converted object');
  if (!isJsonObject(given)) throw invalid(`invalid metadata of type ${typeText(given)} in converted object`);
  const metadata: JsonObject = { ...(object.metadata as JsonObject) };
  for (const field of ['labels', 'annotations'] as const) {
    const texts = given[field] ?? null;
    delete metadata[field];
    if (texts === null) continue;
    if (!isJsonObject(texts)) throw invalid(`invalid metadata.${field} of type ${typeText(texts)} in converted object`);
    for (const [key, value] of Object.entries(texts)) {
      if (typeof value === 'string') continue;
      throw invalid(`metadata.${field}[${key}] must be a string, but is ${typeText(value)} in converted object`);
    }
    const plain = texts as { [key: string]: string };
    const errors = allOf(
      field === 'labels' ? labelErrors(plain, 'metadata.labels') : annotationErrors(plain, 'metadata.annotation'),
    ).map(fieldErrorText);
    if (errors.length > 0) throw invalid(errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
    if (Object.keys(texts).length > 0) metadata[field] = texts;
  }
  return metadata;
}

function typeText(value: JsonValue): string {
  return value === null ? '<nil>' : goTypeOf(value);
}

function failed(object: KubernetesObject, why: string): StatusError {
  return failure(`conversion webhook for ${kindOf(object)} failed: ${why}`);
}

/** `example.com/v1, Kind=Widget` */
function kindOf({ apiVersion, kind }: KubernetesObject): string {
  const { group: ofKind, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  return formatKind({ group: ofKind, version, kind });
}

function formatKind({ group: ofKind, version, kind }: GroupVersionKind): string {
  return `${ofKind}/${version}, Kind=${kind}`;
}

function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
