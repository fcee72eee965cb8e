import { parseFieldSelector, requiredValue } from '../../api/field-selector.ts';
import { goQuote } from '../../api/go-quote.ts';
import { parseLabelSelector, SelectorSyntaxError } from '../../api/label-selector.ts';
import { dnsLabelErrors } from '../../api/names.ts';
import { parseShardSelector, ShardSelectorError, type ShardSelector } from '../../api/shard-selector.ts';
import { StatusError } from '../../api/status.ts';
import { badRequest } from '../../api/status-errors.ts';
import { type Selection, selectedName } from '../../registry/selection.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type { ListOptions } from './request-options.ts';
import { type ResourceRequest, storeOf } from './resource-request.ts';

/** Parses the selectors of a list or watch; a name in the path selects that one object. */
export function readSelection(request: ResourceRequest, options: ListOptions): Selection {
  const { context } = request;
  const { namespaced, version } = request.scope.resource;
  const parsed = parseSelectors(namespaced ? context.info.namespace : '', options);
  for (const { field } of parsed.fields) checkField(field, storeOf(request).strategy, version);
  const selection = namespaced ? narrowed(parsed) : parsed;
  const { name } = context.info;
  if (name === '') return selection;
  if (selection.fields.length === 0) {
    return { ...selection, fields: [{ field: 'metadata.name', operator: '=', value: name }] };
  }
  if (selectedName(selection) !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return selection;
}

/** A field selector on the namespace narrows the scan to that namespace. */
function narrowed(selection: Selection): Selection {
  const namespace = requiredValue(selection.fields, 'metadata.namespace');
  if (selection.namespace !== '' || namespace === undefined || dnsLabelErrors(namespace).length > 0) return selection;
  return { ...selection, namespace };
}

function parseSelectors(namespace: string, options: ListOptions): Selection {
  try {
    return {
      namespace,
      labels: parseLabelSelector(options.labelSelector),
      fields: parseFieldSelector(options.fieldSelector),
      ...(options.shardSelector === '' ? {} : { shard: readShard(options.shardSelector) }),
    };
  } catch (error) {
    throw error instanceof SelectorSyntaxError ? badRequest(error.message) : error;
  }
}

/** The reference sends this response without a reason. */
function readShard(text: string): ShardSelector {
  try {
    return parseShardSelector(text);
  } catch (error) {
    if (!(error instanceof ShardSelectorError)) throw error;
    throw new StatusError({ code: 500, reason: '', message: `invalid shard selector: ${error.message}` });
  }
}

/** Kinds with selectable fields of their own refuse others in their own words. */
function checkField(field: string, strategy: Strategy, version: string): void {
  const { selectableFields, selectableMetadata = 'name-and-namespace', unknownFieldText } = strategy;
  if (field === 'metadata.name') return;
  if (field === 'metadata.namespace' && selectableMetadata === 'name-and-namespace') return;
  const isField = selectableFields !== undefined && Object.hasOwn(selectableFields, field);
  if (isField && strategy.selectsIn?.(version, field) !== false) return;
  if (unknownFieldText !== undefined) throw badRequest(unknownFieldText(field, version));
  if (selectableFields !== undefined || selectableMetadata === 'name')
    throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}
