import type { FieldValidation } from '../../codec/decode-body.ts';
import { type FieldError, forbiddenField, notSupportedField, requiredField } from '../../api/errors/field-error.ts';
import { type FieldSelector, parseFieldSelector } from '../../api/selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector, SelectorSyntaxError } from '../../api/selectors/label-selector.ts';
import { fieldManagerErrors } from '../../api/validation/field-manager-name.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { badRequest, invalid } from '../../api/errors/status-errors.ts';
import { queryBoolean, queryInteger } from './query.ts';

/** Options of get (meta/v1 GetOptions). */
export interface GetOptions {
  readonly resourceVersion: string;
}

/** Options of list, watch and deletecollection (meta/v1 ListOptions). Selectors are not yet parsed. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  /** Empty if the ShardedListAndWatch gate is off. */
  readonly shardSelector: string;
}

/** Both selectors of a list. */
export interface ParsedSelectors {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** Feature gates that affect lists and watches. */
export interface ListFeatures {
  /** The WatchList gate: watches may begin with the initial state (sendInitialEvents). */
  readonly watchList: boolean;
  readonly shardedLists: boolean;
}

/** Validated options of create, update and patch. */
export interface WriteParameters {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
}

const gateOff = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
const metaGroup = 'meta.k8s.io';
const fieldValidations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

export function parseGetOptions(query: URLSearchParams): GetOptions {
  if (query.has('export') && queryBoolean(query.get('export'))) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: query.get('resourceVersion') ?? '' };
}

export function parseListOptions(query: URLSearchParams, { watchList, shardedLists }: ListFeatures): ListOptions {
  const given: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch: queryBoolean(query.get('watch')),
    allowWatchBookmarks: queryBoolean(query.get('allowWatchBookmarks')),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: queryInteger(query, 'timeoutSeconds'),
    limit: queryInteger(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    sendInitialEvents: query.has('sendInitialEvents') ? queryBoolean(query.get('sendInitialEvents')) : undefined,
    shardSelector: shardedLists ? (query.get('shardSelector') ?? '') : '',
  };
  const options = watchList ? withInitialEvents(given) : given;
  const errors = options.watch ? watchErrors(options, watchList) : listErrors(options);
  if (errors.length === 0) return options;
  // Selectors are read before options are validated.
  parseSelectors(options);
  throw invalid({ group: metaGroup, kind: 'ListOptions' }, '', errors);
}

/** The label and field selectors of a list; 400 if one cannot be read. */
export function parseSelectors({
  labelSelector,
  fieldSelector,
}: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>): ParsedSelectors {
  try {
    return { labels: parseLabelSelector(labelSelector), fields: parseFieldSelector(fieldSelector) };
  } catch (error) {
    throw error instanceof SelectorSyntaxError ? badRequest(error.message) : error;
  }
}

/** Watches that always began with the current state default to sendInitialEvents, so that a bookmark ends the state. */
function withInitialEvents(options: ListOptions): ListOptions {
  const { watch, sendInitialEvents, resourceVersion, resourceVersionMatch } = options;
  const begins = watch && (resourceVersion === '' || resourceVersion === '0');
  if (!begins || sendInitialEvents !== undefined || resourceVersionMatch !== '') return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

function listErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match } = options;
  const field = 'resourceVersionMatch';
  if (match !== '') {
    if (options.resourceVersion === '') {
      errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (options.continue !== '') {
      errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupportedField(field, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors(options: ListOptions, watchList: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match } = options;
  const field = 'resourceVersionMatch';
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (options.sendInitialEvents !== undefined && !watchList) errors.push(forbiddenField('sendInitialEvents', gateOff));
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      errors.push(
        forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    }
    if (match !== 'NotOlderThan') errors.push(notSupportedField(field, match, ['NotOlderThan']));
    if (options.continue !== '') {
      errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}

/** `kind` is the options kind named in errors: CreateOptions, UpdateOptions or PatchOptions. */
export function parseWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  isApply = false,
): WriteParameters {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = kind === 'PatchOptions' && query.has('force') ? queryBoolean(query.get('force')) : undefined;
  const errors: FieldError[] = [];
  if (isApply && fieldManager === '') errors.push(requiredField('fieldManager', 'is required for apply patch'));
  if (!isApply && force !== undefined) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  errors.push(...fieldManagerErrors(fieldManager, 'fieldManager'), ...dryRunErrors(query.getAll('dryRun')));
  if (!fieldValidations.includes(fieldValidation)) {
    errors.push(notSupportedField('fieldValidation', fieldValidation, fieldValidations));
  }
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
  return {
    dryRun: query.getAll('dryRun').length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force,
  };
}

/** The options that were given; absent ones are omitted. */
export function givenOptions(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const dryRun = query.getAll('dryRun');
  if (dryRun.length > 0) options['dryRun'] = dryRun;
  for (const name of ['fieldManager', 'fieldValidation']) {
    const value = query.get(name) ?? '';
    if (value !== '') options[name] = value;
  }
  return options;
}

/** `All` is the only value; the reference shows the given values unchanged. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupportedField('dryRun', [...values], ['All'])];
}
