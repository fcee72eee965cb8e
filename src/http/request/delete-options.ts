import { currentSpan } from '../../api/contracts/span.ts';
import { type FieldError, invalidField, notSupportedField } from '../../api/errors/field-error.ts';
import type { Int64 } from '../../api/values/int64.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { StatusError } from '../../api/errors/status.ts';
import { invalid } from '../../api/errors/status-errors.ts';
import type { RequestedDeletion } from '../../operations/eviction.ts';
import type { DeleteOptions } from '../../registry/kinds/delete-options.ts';
import { auditDeleteOptions } from './audited-body.ts';
import { decodeOptions } from './decode-body.ts';
import { queryBoolean, queryInt64 } from './query.ts';
import { dryRunErrors } from './request-options.ts';
import type { RequestFeatures } from './resource-request.ts';
import type { RequestContext } from './request-context.ts';

const ignoreReadError = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const policies: readonly string[] = ['Foreground', 'Background', 'Orphan', 'nil'];

/**
 * DeleteOptions of a DELETE: from the body if there is one, else from the query. `unsafeDeletion` is the state of the
 * gate AllowUnsafeMalformedObjectDeletion.
 */
export async function readDeleteOptions(
  context: RequestContext,
  { unsafeDeletion }: Pick<RequestFeatures, 'unsafeDeletion'>,
): Promise<DeleteOptions> {
  const body = await context.readBody();
  const given = body.length > 0 ? decodeOptions(context, body, 'DeleteOptions') : optionsOfQuery(context.query);
  if (body.length > 0) {
    currentSpan()?.event('Decoded delete options');
    auditDeleteOptions(context, given);
    currentSpan()?.event('Recorded the audit event');
  }
  const raw = unsafeDeletion && given[ignoreReadError] === true ? given : withoutIgnoring(given);
  const options = readOptions(raw);
  const { dryRunValues, ...rest } = options;
  refuseInvalid(raw, dryRunValues);
  return { ...rest, dryRun: dryRunValues.length > 0 };
}

function refuseInvalid(raw: JsonObject, dryRunValues: readonly string[]): void {
  const errors = deleteErrors(raw, dryRunValues);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

function withoutIgnoring(given: JsonObject): JsonObject {
  if (given[ignoreReadError] === undefined) return given;
  const { [ignoreReadError]: _, ...others } = given;
  return others;
}

/** deletecollection does not delete unreadable objects. */
export function refuseReadErrors({ ignoresReadError }: DeleteOptions): void {
  if (!ignoresReadError) return;
  const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [invalidField(ignoreReadError, true, why)]);
}

/** Nor do evictions. */
export function refuseEvictionReadErrors(raw: JsonObject, name: string): void {
  if (raw[ignoreReadError] !== true) return;
  const why = 'can not be set for pod eviction, try after removing the option';
  const error = invalidField(`deleteOptions.${ignoreReadError}`, true, why);
  throw invalid({ group: 'policy', kind: 'Eviction' }, name, [error]);
}

/** DeleteOptions embedded in another body; `asked` are the values of the query's `dryRun`. */
export function deleteOptionsOf(raw: JsonObject, requested: readonly string[]): RequestedDeletion {
  const { dryRunValues, ...rest } = readOptions(raw);
  if (requested.length > 0 && dryRunValues.length > 0 && requested.join() !== dryRunValues.join()) {
    const both = `[${requested.join(' ')}] and [${dryRunValues.join(' ')}]`;
    const message = `Non-matching dry-run options in request and content: ${both}`;
    throw new StatusError({ code: 500, reason: '', message });
  }
  return {
    options: { ...rest, dryRun: dryRunValues.length > 0 },
    validate: () => refuseInvalid(raw, dryRunValues),
  };
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const grace = queryInt64(query, 'gracePeriodSeconds');
  if (grace !== undefined) options['gracePeriodSeconds'] = grace;
  if (query.has('orphanDependents')) options['orphanDependents'] = queryBoolean(query.get('orphanDependents'));
  if (query.has('propagationPolicy')) options['propagationPolicy'] = query.get('propagationPolicy');
  if (query.has(ignoreReadError)) options[ignoreReadError] = queryBoolean(query.get(ignoreReadError));
  if (query.has('dryRun')) options['dryRun'] = query.getAll('dryRun');
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (uid !== '' || resourceVersion !== '') {
    options['preconditions'] = {
      ...(uid === '' ? {} : { uid }),
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    };
  }
  return options;
}

function readOptions(raw: JsonObject): Omit<DeleteOptions, 'dryRun'> & { readonly dryRunValues: readonly string[] } {
  const preconditions = isJsonObject(raw['preconditions']) ? raw['preconditions'] : {};
  const { uid, resourceVersion } = preconditions;
  const { gracePeriodSeconds, orphanDependents, propagationPolicy, dryRun } = raw;
  return {
    gracePeriodSeconds: isInteger(gracePeriodSeconds) ? gracePeriodSeconds : undefined,
    orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
    propagationPolicy: policyOf(propagationPolicy),
    preconditions: {
      ...(typeof uid === 'string' ? { uid } : {}),
      ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    },
    ignoresReadError: raw[ignoreReadError] === true,
    dryRunValues: Array.isArray(dryRun) ? dryRun.filter((value) => typeof value === 'string') : [],
  };
}

/** Options of a body have been decoded by their schema. */
function isInteger(value: JsonValue | undefined): value is Int64 {
  return typeof value === 'number' || typeof value === 'bigint';
}

function policyOf(value: JsonValue | undefined): DeleteOptions['propagationPolicy'] {
  return value === 'Orphan' || value === 'Background' || value === 'Foreground' ? value : undefined;
}

function deleteErrors(raw: JsonObject, dryRunValues: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const { orphanDependents, propagationPolicy } = raw;
  if (typeof orphanDependents === 'boolean' && typeof propagationPolicy === 'string') {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidField('propagationPolicy', propagationPolicy, detail));
  }
  if (typeof propagationPolicy === 'string' && policyOf(propagationPolicy) === undefined) {
    errors.push(notSupportedField('propagationPolicy', propagationPolicy, policies));
  }
  errors.push(...dryRunErrors(dryRunValues));
  if (raw[ignoreReadError] === true) errors.push(...readErrorErrors(raw));
  return errors;
}

/** With ignoreStoreReadErrorWithClusterBreakingPotential no other option is allowed: the object cannot be read. */
function readErrorErrors(raw: JsonObject): FieldError[] {
  const others = ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];
  return others
    .filter((field) => raw[field] !== undefined)
    .map((field) => invalidField(ignoreReadError, true, `cannot be set together with .${field}`));
}
