import { formatApiVersion } from '../api/group-version.ts';
import type { Field, Schema } from '../schema/schema.ts';
import type { OpenApiDefinition } from './definitions.ts';
import type { Documentation } from './documentation.ts';

/*
 * Shown by `kubectl explain`. Where no description of a type or a field has been written, one is generated from the
 * schema: names, types, permitted values, keys.
 */

const parameterTexts: { readonly [name: string]: string } = {
  allowWatchBookmarks: 'Whether the watch may send events of type BOOKMARK, which tell how far it has come.',
  continue: 'The token of the page before; the answer is the page that follows.',
  dryRun: 'With `All` the request is processed, checked and answered, and nothing is stored.',
  fieldManager: 'Name of the manager that owns the fields this request sets, 128 printable characters at most.',
  'fieldManager of a patch':
    'Name of the manager that owns the fields this patch sets, 128 printable characters at most. Apply patches require it.',
  fieldSelector: 'Limits the answer to objects whose fields match.',
  fieldValidation:
    'What happens to unknown and duplicate fields: `Ignore` drops them, `Warn` drops them and warns, `Strict` refuses the request.',
  force: 'Whether an apply patch takes fields over from other managers. Other patches leave it unset.',
  gracePeriodSeconds: 'Seconds before the object is removed; 0 removes it at once.',
  ignoreStoreReadErrorWithClusterBreakingPotential:
    'Whether an object that cannot be read from storage is removed unread, without finalizers and without preconditions.',
  labelSelector: 'Limits the answer to objects whose labels match.',
  limit: 'Number of items in one page; the answer carries a token where more follow.',
  namespace: 'Namespace of the object.',
  orphanDependents: 'Whether dependents are kept when their owner goes. Superseded by propagationPolicy.',
  path: 'Path below the proxied address.',
  pretty: 'With `true` the answer is indented.',
  propagationPolicy: 'What happens to dependents: `Orphan`, `Background` or `Foreground`.',
  resourceVersion: 'The version of the collection that the answer is read at, as resourceVersionMatch tells.',
  resourceVersionMatch: 'How resourceVersion is understood: `Exact` or `NotOlderThan`.',
  sendInitialEvents: 'Whether the watch begins with the objects that are there, and a bookmark that ends them.',
  shardSelector: 'Limits the answer to the objects of one shard.',
  timeoutSeconds: 'Seconds after which the request ends, whether it is done or not.',
  watch: 'Whether the answer is a stream of changes.',
};

/** Empty for unknown parameters. */
export function describeParameter(name: string): string {
  return Object.hasOwn(parameterTexts, name) ? (parameterTexts[name] ?? '') : '';
}

const fieldTexts: { readonly [name: string]: string } = {
  apiVersion: 'Group and version of this object, such as `apps/v1`.',
  kind: 'Kind of this object, such as `Pod`.',
  metadata: 'Name, namespace, labels, annotations and all else that every object has.',
  items: 'The objects of the list.',
  spec: 'The desired state.',
  status: 'The observed state; written by controllers.',
};

const formatTexts: { readonly [format: string]: string } = {
  byte: 'Base64.',
  'date-time': 'RFC 3339, in whole seconds.',
  'micro-time': 'RFC 3339, with microseconds.',
  duration: 'A duration such as `1h30m`.',
  quantity: 'A quantity such as `500m` or `2Gi`.',
  'int-or-string': 'A number or a string, such as `8080` or `25%`.',
  'raw-extension': 'An object of any kind.',
  'fields-v1': 'A tree of owned fields.',
  json: 'Any JSON value.',
  'schema-or-bool': 'A schema, or whether anything is permitted.',
  'schema-or-array': 'A schema, or a list of schemas.',
  'schema-or-strings': 'A schema, or a list of property names.',
};

type NamedField = Pick<Field, 'name' | 'schema'>;

/** The description of a field. */
export function describeField(owner: Schema, field: NamedField, documentation: Documentation): string {
  const documented = owner.name === undefined ? undefined : documentation.field(owner.name, field.name);
  return documented ?? ownText(owner.structure?.goName ?? '', field, documentation);
}

function ownText(owner: string, field: NamedField, documentation: Documentation): string {
  const { name, schema } = field;
  if (Object.hasOwn(fieldTexts, name)) return [fieldTexts[name], ...details(schema)].join(' ');
  // Clients do not describe fields that have types of their own.
  const ofType = schema.name === undefined ? undefined : documentation.type(schema.name);
  return ofType ?? describeByName(owner, field);
}

/** The description of a field of the type with this Go name, from its schema. */
export function describeByName(owner: string, { name, schema }: NamedField): string {
  return [subject(owner, name, schema), ...details(schema)].join(' ');
}

/** `The active deadline of this pod spec, in seconds.` */
function subject(owner: string, name: string, schema: Schema): string {
  const unit = schema.type === 'integer' ? /(?<=.)(Seconds|Milliseconds|Bytes)$/.exec(name)?.[1] : undefined;
  const what = words(unit === undefined ? name : name.slice(0, -unit.length));
  const of = owner === '' ? '' : ` of this ${words(owner)}`;
  if (schema.type === 'boolean') return `True or false: ${what}${of}.`;
  return `The ${what}${of}${unit === undefined ? '' : `, in ${unit.toLowerCase()}`}.`;
}

function details(schema: Schema): string[] {
  const texts: string[] = [];
  const values = schema.enum ?? schema.items?.enum;
  if (values !== undefined) texts.push(`Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`);
  if (schema.listMapKeys !== undefined) texts.push(`Items are told apart by ${schema.listMapKeys.join(' and ')}.`);
  if (schema.listType === 'set') texts.push('Items are unique.');
  if (schema.format !== undefined && Object.hasOwn(formatTexts, schema.format)) {
    texts.push(formatTexts[schema.format] ?? '');
  }
  return texts;
}

export function describeDefinition(
  { name, schema: { format }, kind }: OpenApiDefinition,
  documentation: Documentation,
): string {
  const documented = documentation.type(name);
  if (documented !== undefined) return documented;
  const known = format === undefined ? undefined : formatTexts[format];
  if (known !== undefined) return known;
  const own = name.slice(name.lastIndexOf('.') + 1);
  if (kind === undefined) return `${capitalize(words(own))}.`;
  const apiVersion = formatApiVersion(kind.group, kind.version);
  if (own.endsWith('List') && own !== 'APIResourceList')
    return `A list of ${own.slice(0, -4)} objects of ${apiVersion}.`;
  return `${own} of ${apiVersion}.`;
}

/** Initialisms, capitalized at the start of a name. */
const initials = new Set(['api', 'csi', 'dns', 'fs', 'id', 'ip', 'tls', 'tty', 'uid', 'uri', 'url']);

function upperCase(word: string): string {
  return word.toUpperCase();
}

/** `hostIPCMode` to `host IPC mode`, `PodSpec` to `pod spec`. */
function words(name: string): string {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) =>
      /^[A-Z]{2,}s?\d*$/.test(word) || initials.has(word) ? word.replace(/^[a-z]+$/, upperCase) : word.toLowerCase(),
    )
    .join(' ');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
