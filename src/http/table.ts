import type { JsonObject, JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { badRequest } from '../api/status-errors.ts';
import { goQuote } from '../api/go-quote.ts';
import { encodeJson } from '../schema/encode-json.ts';
import type { OutputFormat } from './negotiate.ts';
import { listMeta, type ListMeta, partialMetadata } from './partial-metadata.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceScope } from './resource-scope.ts';

/** How kinds print; wired by `server/`, loaded at the first Table. */
export interface TablePrinter {
  /** Column definitions of a kind, in wire form. */
  columns(scope: ResourceScope): JsonValue[];
  /** `cells` and, for some kinds, `conditions` of one row. */
  row(scope: ResourceScope, object: Readonly<KubernetesObject>): JsonObject;
}

const includePolicies: ReadonlySet<string> = new Set(['', 'None', 'Metadata', 'Object']);

/** A Table of objects in the served version (specification, "Table response shape"). */
export async function tableOf(
  context: RequestContext,
  scope: ResourceScope,
  request: {
    readonly objects: readonly Readonly<KubernetesObject>[];
    readonly list: ListMeta;
    readonly format: OutputFormat;
    /** Watches send the columns with their first event alone. */
    readonly withoutColumns?: boolean;
  },
): Promise<JsonObject> {
  const include = includeObject(context);
  const printer = await context.printer();
  const { asVersion } = request.format;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${asVersion}`,
    metadata: listMeta(request.list),
    columnDefinitions: request.withoutColumns === true ? [] : printer.columns(scope),
    rows: request.objects.map((object) => ({
      ...printer.row(scope, object),
      object: embedded(scope, object, include, asVersion),
    })),
  };
}

function includeObject(context: RequestContext): string {
  const include = context.query.get('includeObject') ?? '';
  if (!includePolicies.has(include)) {
    const why = `includeObject: Invalid value: ${goQuote(include)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: ${why}`);
  }
  return include;
}

function embedded(
  scope: ResourceScope,
  object: Readonly<KubernetesObject>,
  include: string,
  version: 'v1' | 'v1beta1',
): JsonValue {
  if (include === 'None') return null;
  if (include === 'Object')
    return JSON.parse(encodeJson(scope.resource.schema, object as unknown as JsonValue)) as JsonValue;
  return partialMetadata(object, version);
}
