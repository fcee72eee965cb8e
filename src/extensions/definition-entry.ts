import { compareVersions } from '../api/values/version-order.ts';
import { definitionPriority, type KindEntry, type KindVersion } from '../catalogue/kind-entry.ts';
import type { RuleTimes } from '../cel/rules/rule-times.ts';
import type { Converter } from '../registry/kinds/conversion.ts';
import { customSchema } from '../schema/custom/custom-schema.ts';
import type { JsonSchema } from '../schema/custom/json-schema.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Resource, ResourceVerb, Subresource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import { sameInAllVersions } from './custom-converter.ts';
import type { CustomKind, CustomVersion } from './custom-kind.ts';
import { customStrategy, fieldName, selectablePaths } from './custom-strategy.ts';
import {
  type Definition,
  type DefinitionVersion,
  isTrue,
  type KeptDefinition,
  type Names,
  type SchemaTexts,
} from './definition.ts';
import { WebhookClient, type WebhookServers } from '../outgoing/webhooks/webhook-client.ts';
import { webhookConverter } from './webhook-converter.ts';

/** What webhooks are asked with. */
export interface Webhooks {
  readonly servers: WebhookServers;
  readonly metrics: ConversionMetrics;
}

export interface EntrySurroundings extends Webhooks {
  readonly run: DefinitionRun;
  readonly origin: DefinitionOrigin;
  /** Whether a version of a group is one of the release, which nobody shares. */
  readonly isTaken: (group: string, version: string) => boolean;
  readonly times: RuleTimes;
}

/** What entries of one definition share, as long as its kind stays the same. */
export interface DefinitionRun {
  isTerminating: boolean;
}

/** How a definition relates to earlier ones of its name. */
export interface DefinitionOrigin {
  /** The revision at which it was first seen. */
  readonly begunAt: number;
  /** Whether another one has been deleted, whose instances are still in earlier states of the store. */
  readonly isSuccessor: boolean;
}

/**
 * The catalogue entry of a definition: the same records as for built-in kinds. Until its schemas are first used it
 * costs only their JSON: no closure here may capture `definition`, which would be retained with it.
 */
export function definitionEntry(
  { definition, schemas }: KeptDefinition,
  { run, origin, isTaken, times, ...webhooks }: EntrySurroundings,
): KindEntry {
  const { group = '', versions = [], scope, preserveUnknownFields: keepsUnknown = false } = definition.spec;
  const { plural = '', kind: name = '' } = definition.status?.acceptedNames ?? {};
  const custom = versions.map((version) => customVersion(version, schemas, keepsUnknown));
  const stored = custom.find(({ definition: { storage } }) => storage === true) ?? custom[0];
  if (stored === undefined) throw new Error('the definition has no versions');
  const kind: CustomKind = {
    group,
    plural,
    kind: name,
    namespaced: scope === 'Namespaced',
    versions: custom,
    isTerminating: () => run.isTerminating,
    times,
  };
  const converter = converterOf(definition, { custom, stored, webhooks });
  const isChanged = origin.isSuccessor || hasChanged(definition);
  return {
    runsAs: run,
    begunAt: origin.begunAt,
    versions: kindVersions(definition, { custom, stored, isTaken }),
    behaviour: {
      strategyOf: ({ version }) => customStrategy(kind, custom.find(({ name }) => name === version) ?? stored),
      converter,
      defaulters: {},
      seesVersions: custom.length > 1,
      // Whoever shortens `storedVersions` may not have migrated all instances.
      mixesVersions: isChanged,
      losesVersions: isChanged,
      // Defaults may also be missing from a version that is not the one of the request.
      renews: isChanged || (custom.length > 1 && stored.defaults),
      responses: {},
      async tableOf(printed) {
        const { customTable, scaleTable } = await import('./custom-table.ts');
        const version = custom.find(({ name }) => name === printed.version) ?? stored;
        return printed.kind === 'Scale' && printed.group === 'autoscaling'
          ? scaleTable()
          : customTable(version.definition);
      },
    },
  };
}

interface Versions extends Pick<EntrySurroundings, 'isTaken'> {
  readonly custom: readonly CustomVersion[];
  readonly stored: CustomVersion;
}

function kindVersions(definition: Definition, { custom, stored, isTaken }: Versions): readonly KindVersion[] {
  const names = definition.status?.acceptedNames ?? {};
  return custom.map((version) => ({
    resource: resourceOf(definition, names, { version, stored }),
    served: version.definition.served === true && !isTaken(definition.spec.group ?? '', version.name),
    priority: definitionPriority,
  }));
}

interface Converting {
  readonly custom: readonly CustomVersion[];
  readonly stored: CustomVersion;
  readonly webhooks: Webhooks;
}

function converterOf(
  { metadata: { name: ofDefinition = '' }, spec: { conversion } }: Definition,
  { custom, stored, webhooks: { servers, metrics } }: Converting,
): Converter {
  const { webhook: { clientConfig, conversionReviewVersions: reviewVersions = [] } = {} } = conversion ?? {};
  if (conversion?.strategy !== 'Webhook' || clientConfig === undefined) {
    return sameInAllVersions((version) => custom.find(({ name }) => name === version)?.schema);
  }
  // Objects in the storage version need no pruning here: they are pruned on write.
  const schemaOf = (version: string): Schema | undefined =>
    version === stored.name ? undefined : custom.find(({ name }) => name === version)?.schema;
  const client = new WebhookClient(clientConfig, servers);
  return webhookConverter({ client, reviewVersions, schemaOf, name: ofDefinition, metrics });
}

export function isTerminating(definition: Definition): boolean {
  return definition.metadata.deletionTimestamp !== undefined || isTrue(definition, 'Terminating');
}

/** Schemas stay text until they are asked for. */
function customVersion(version: DefinitionVersion, schemas: SchemaTexts, keepsUnknown: boolean): CustomVersion {
  const { schema: _, ...definition } = version;
  const { name = '' } = definition;
  const text = schemas.get(name);
  let compiled: Schema | undefined;
  return {
    name,
    definition,
    defaults: text?.includes('"default":') === true,
    get schema() {
      // What has been written of one.
      const parsed = (): JsonSchema | undefined => (text === undefined ? undefined : (JSON.parse(text) as JsonSchema));
      compiled ??= customSchema(parsed(), metadataSchema(), { keepsUnknown });
      return compiled;
    },
  };
}

function metadataSchema(): Schema {
  return builtInSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
}

function builtInSchema(name: string): Schema {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no definition of ${name}`);
  return schema;
}

const verbs: readonly ResourceVerb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const partVerbs: readonly ResourceVerb[] = ['get', 'patch', 'update'];
const lastVerbs: readonly ResourceVerb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

function resourceOf(
  { spec, ...definition }: Definition,
  names: Names,
  { version, stored }: { readonly version: CustomVersion; readonly stored: CustomVersion },
): Resource {
  const { group = '', scope } = spec;
  const { plural = '', kind = '' } = names;
  return {
    group,
    version: version.name,
    plural,
    singular: names.singular ?? '',
    kind,
    listKind: names.listKind ?? '',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    ...selectableOf(version),
    verbs,
    ...(isTrue(definition, 'Terminating') ? { discoveryVerbs: lastVerbs } : {}),
    subresources: subresourcesOf(version, { group, kind }),
    storage: { prefix: `${group}/${plural}`, group, version: stored.name, kind },
    ...deprecationOf(spec, version),
    unstructured: true,
    get schema() {
      return version.schema;
    },
  };
}

function selectableOf({ definition }: CustomVersion): Pick<Resource, 'selectableFields'> {
  const fields = selectablePaths(definition).map(fieldName);
  return fields.length === 0 ? {} : { selectableFields: fields };
}

function subresourcesOf(
  version: CustomVersion,
  { group, kind }: { readonly group: string; readonly kind: string },
): Subresource[] {
  const { status, scale } = version.definition.subresources ?? {};
  const parts: Subresource[] = [];
  if (status !== undefined) {
    parts.push({
      name: 'status',
      verbs: partVerbs,
      group,
      version: version.name,
      kind,
      get schema() {
        return version.schema;
      },
    });
  }
  if (scale !== undefined) {
    parts.push({
      name: 'scale',
      verbs: partVerbs,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      get schema() {
        return builtInSchema('io.k8s.api.autoscaling.v1.Scale');
      },
    });
  }
  return parts;
}

/** The warning for a deprecated version. */
function deprecationOf(
  { group = '', names = {}, versions = [] }: Definition['spec'],
  version: CustomVersion,
): { deprecationWarning?: string } {
  const { deprecated, deprecationWarning } = version.definition;
  if (deprecated !== true) return {};
  if (deprecationWarning !== undefined) return { deprecationWarning };
  const text = `${group}/${version.name} ${names.kind} is deprecated`;
  const newer = versions
    .filter(
      ({ served, deprecated: old, name = '' }) =>
        served === true && old !== true && compareVersions(name, version.name) < 0,
    )
    .map(({ name = '' }) => name)
    .toSorted(compareVersions);
  return { deprecationWarning: newer[0] === undefined ? text : `${text}; use ${group}/${newer[0]} ${names.kind}` };
}

/**
 * The identity of a definition's kind as a string: definitions with the same string produce the same kind. Every change
 * of a specification has a generation of its own.
 */
export function definitionText({ metadata: { uid, generation }, status }: Definition): string {
  return JSON.stringify([uid, generation, status?.acceptedNames]);
}

/** Whether instances may have been stored under another specification. */
function hasChanged({ metadata: { generation = 1 } }: Pick<Definition, 'metadata'>): boolean {
  return generation !== 1;
}
