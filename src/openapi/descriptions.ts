import { formatApiVersion } from '../api/meta/group-version.ts';
import type { Field, Schema } from '../schema/schema.ts';
import type { OpenApiDefinition } from './definitions.ts';
import type { Documentation } from './documentation.ts';
import type { Parameter } from './operation.ts';

/*
 * Shown by `kubectl explain`. Where no description of a type or a field has been written, one is generated from the
 * schema: names, types, permitted values, keys.
 */

const parameterTexts: { readonly [name: string]: string } = {
  allowWatchBookmarks:
    'Requests watch events of type BOOKMARK, which carry only a resource version. The server may omit them.',
  continue: 'Token from the metadata of the previous page; requests the next one.',
  dryRun: 'With `All` the request is processed and validated without being persisted.',
  fieldManager: 'Name of the manager that owns the fields set by this request, up to 128 printable characters.',
  'fieldManager of a patch':
    'Name of the manager that owns the fields set by this request, up to 128 printable characters. Required for apply patches.',
  fieldSelector: 'Restricts the result to objects whose fields match the selector.',
  fieldValidation:
    'Handling of unknown and duplicate fields: `Ignore` drops them, `Warn` drops them with a warning, `Strict` rejects the request.',
  force:
    'Lets an apply patch take ownership of conflicting fields from other managers. Must be unset for other patches.',
  gracePeriodSeconds: 'Seconds before the object is deleted; 0 deletes it immediately.',
  ignoreStoreReadErrorWithClusterBreakingPotential:
    'Deletes an object that cannot be read from storage, ignoring finalizers and preconditions.',
  labelSelector: 'Restricts the result to objects whose labels match the selector.',
  limit: 'Maximum number of items to return; if there are more, the metadata contains a continue token.',
  namespace: 'Namespace of the object.',
  orphanDependents: 'Whether to orphan dependent objects. Deprecated in favor of propagationPolicy.',
  path: 'Path below the proxied address.',
  pretty: 'With `true` the response is indented.',
  propagationPolicy: 'How dependent objects are garbage collected: `Orphan`, `Background` or `Foreground`.',
  resourceVersion: 'Resource version that the request is served from, subject to resourceVersionMatch.',
  resourceVersionMatch: 'How resourceVersion constrains a list: `Exact` or `NotOlderThan`.',
  sendInitialEvents:
    'Starts the watch with an ADDED event for each existing object, followed by a bookmark that marks the end of the initial state.',
  shardSelector: 'Restricts the result to the objects of one shard.',
  timeoutSeconds: 'Limits the duration of the request, in seconds, even if it has not finished.',
  watch: 'Streams changes as watch events instead of returning a list.',
};

/** Our own description of a parameter; empty for unknown ones. */
export function ownParameterText(topic: string): string {
  return Object.hasOwn(parameterTexts, topic) ? (parameterTexts[topic] ?? '') : '';
}

/** The description of a parameter. */
export function describeParameter({ topic, description }: Parameter, documentation: Documentation): string {
  return (topic === undefined ? undefined : documentation.parameter(topic)) ?? description;
}

const fieldTexts: { readonly [name: string]: string } = {
  apiVersion: 'Group and version of this object, such as `apps/v1`.',
  kind: 'Kind of this object, such as `Pod`.',
  metadata: "Standard object's metadata: name, namespace, labels, annotations and so on.",
  items: 'The objects of the list.',
  spec: 'The desired state.',
  status: 'The observed state, set by controllers.',
};

/** What clients say about these fields of one kind is true of all kinds, such as custom ones. */
const kindFields = new Set(['apiVersion', 'kind']);
const documentedKind = 'io.k8s.api.core.v1.Pod';

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
  'schema-or-bool': 'A schema, or a boolean that allows or forbids any value.',
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
  const ofEveryKind = kindFields.has(name) ? documentation.field(documentedKind, name) : undefined;
  if (ofEveryKind !== undefined) return ofEveryKind;
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
  if (schema.listMapKeys !== undefined) texts.push(`Items are identified by ${schema.listMapKeys.join(' and ')}.`);
  if (schema.listType === 'set') texts.push('Items are unique.');
  if (schema.format !== undefined && Object.hasOwn(formatTexts, schema.format)) {
    texts.push(formatTexts[schema.format] ?? '');
  }
  return texts;
}

/** Undefined for custom kinds: their schemas contain a description if they have one. */
export function describeDefinition(
  { name, schema: { format, definition }, kind }: OpenApiDefinition,
  documentation: Documentation,
): string | undefined {
  if (definition !== undefined) return undefined;
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
