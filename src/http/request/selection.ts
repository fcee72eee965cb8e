import { type FieldSelector, requiredValue } from '../../api/selectors/field-selector.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { dnsLabelErrors } from '../../api/meta/names.ts';
import { parseShardSelector, ShardSelectorError, type ShardSelector } from '../../api/selectors/shard-selector.ts';
import { StatusError } from '../../api/errors/status.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { type Selection, selectedName } from '../../registry/read/selection.ts';
import type { CompleteStrategy } from '../../registry/kinds/complete-strategy.ts';
import type { Resource } from '../../schema/resource.ts';
import { type ListOptions, parseSelectors } from './request-options.ts';
import { type ResourceRequest, storeOf } from './resource-request.ts';

/** Parses the selectors of a list or watch; a name in the path selects that one object. */
export function readSelection(request: ResourceRequest, options: ListOptions): Selection {
  const { context } = request;
  const { resource } = request.scope;
  const { namespaced } = resource;
  const written = selectionOf(namespaced ? context.info.namespace : '', options);
  const { strategy } = storeOf(request);
  const fields = written.fields.map((each) => ({ ...each, field: fieldNamed(each.field, strategy, resource) }));
  const shard = options.shardSelector === '' ? {} : { shard: readShard(options.shardSelector) };
  const parsed = { ...written, fields, ...shard };
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

function selectionOf(namespace: string, options: ListOptions): Selection {
  return { namespace, ...parseSelectors(options) };
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

/** The field of the kind with this name in a version. Kinds with selectable fields refuse others in their own words. */
function fieldNamed(name: string, strategy: CompleteStrategy, resource: Resource): string {
  const { selectableFields, selectableMetadata, unknownFieldText } = strategy;
  if (name === 'metadata.name') return name;
  if (name === 'metadata.namespace' && selectableMetadata === 'name-and-namespace') return name;
  const field = strategy.selectableField(name, resource);
  if (field !== undefined && selectableFields !== undefined && Object.hasOwn(selectableFields, field)) return field;
  if (unknownFieldText !== undefined) throw badRequest(unknownFieldText(name, resource.version));
  if (selectableFields !== undefined || selectableMetadata === 'name')
    throw badRequest(`field label not supported: ${name}`);
  throw unknownField(name);
}

/** Metadata is all that field selectors on most kinds may name. */
export function refuseOtherFields(selector: FieldSelector): void {
  const unknown = selector.find(({ field }) => field !== 'metadata.name' && field !== 'metadata.namespace');
  if (unknown !== undefined) throw unknownField(unknown.field);
}

function unknownField(name: string): StatusError {
  return badRequest(`${goQuote(name)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}
