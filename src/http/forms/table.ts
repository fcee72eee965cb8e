import { goQuote } from '../../api/go-quote.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { badRequest } from '../../api/status-errors.ts';
import { columnDefinitions, type TableRow, tableRow, tableRows } from '../../resources/table-rows.ts';
import type { TableDefinition } from '../../registry/table.ts';
import { parseJson } from '../../codec/json.ts';
import { encodeJsonBytes } from '../../schema/encode-json.ts';
import type { OutputFormat } from '../negotiation/negotiate.ts';
import { listMeta, type ListMeta, partialMetadata } from './partial-metadata.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ResourceScope, type ServedKind, servedNow } from '../../operations/resource-scope.ts';
import { initialEventsEndAnnotation } from '../answers/watch-bookmarks.ts';

/** Objects to print, in the stored version. */
export interface TableRequest {
  readonly objects: readonly Readonly<KubernetesObject>[];
  readonly list: ListMeta;
  /** The kind of the objects where it is not the resource's own. */
  readonly printed?: ServedKind;
  /** The object stands alone and is no list of one. */
  readonly single?: boolean;
  /** Watches send the columns with their first event alone. */
  readonly withoutColumns?: boolean;
}

const includePolicies: ReadonlySet<string> = new Set(['', 'None', 'Metadata', 'Object']);

/** A Table of objects (specification, "Table response shape"). */
export async function tableOf(
  context: RequestContext,
  scope: ResourceScope,
  request: TableRequest & { readonly format: OutputFormat },
): Promise<JsonObject> {
  const printer = await tablePrinter(context, scope, request);
  return printer.table(request);
}

/** What prints the Tables of one request. */
export interface TablePrinter {
  /** Whether each row is of its object alone. */
  readonly rowByRow: boolean;
  table(request: TableRequest): JsonObject;
  /** The row of one object of a list. */
  row(object: Readonly<KubernetesObject>): JsonObject;
}

/** The same for many Tables of one request: what they share is looked up once. */
export async function tablePrinter(
  context: RequestContext,
  scope: ResourceScope,
  {
    format: { asVersion },
    printed = scope.resource,
  }: Pick<TableRequest, 'printed'> & { readonly format: OutputFormat },
): Promise<TablePrinter> {
  const include = includeObject(context);
  const definition = await scope.tableOf(printed);
  const rowObject = ({ object, cells, conditions }: TableRow): JsonObject => ({
    cells: [...cells],
    ...(conditions === undefined ? {} : { conditions: conditions.map((condition) => ({ ...condition })) }),
    object: embedded(object, { scope, printed, include, version: asVersion }),
  });
  const nowMs = (): number => context.clock.now();
  const clock = { nowMs: nowMs() };
  return {
    rowByRow: definition.list === undefined,
    table: (request) => ({
      kind: 'Table',
      apiVersion: `meta.k8s.io/${asVersion}`,
      metadata: listMeta(request.list),
      columnDefinitions: request.withoutColumns === true ? null : columnDefinitions(definition),
      rows:
        request.objects.length === 0 && definition.nullRows === true
          ? null
          : rowsOf(definition, request, nowMs()).map(rowObject),
    }),
    row: (object) => rowObject(tableRow(definition, object, clock)),
  };
}

function rowsOf(
  definition: TableDefinition,
  { objects, single = false }: TableRequest,
  nowMs: number,
): readonly TableRow[] {
  const context = { nowMs };
  return single
    ? objects.map((object) => tableRow(definition, object, context))
    : tableRows(definition, objects, context);
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
  object: Readonly<KubernetesObject>,
  {
    scope,
    printed,
    include,
    version,
  }: {
    readonly scope: ResourceScope;
    readonly printed: ServedKind;
    readonly include: string;
    readonly version: 'v1' | 'v1beta1';
  },
): JsonValue {
  // The end of the initial events is told whatever is left out.
  const told = object.metadata.annotations?.[initialEventsEndAnnotation] === 'true';
  if (include === 'None' && !told) return null;
  if (include !== 'Object') return partialMetadata(object, version);
  const served = printed === scope.resource ? servedNow(scope, cloneObject(object)) : object;
  return parseJson(encodeJsonBytes(printed.schema, served as unknown as JsonValue)).value;
}
