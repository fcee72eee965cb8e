import { goQuote } from '../../api/go/go-quote.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import { cloneObject, type KubernetesObject } from '../../api/meta/object.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { parseOwnJson } from '../../codec/json.ts';
import { type ServedKind, servedNow } from '../../operations/resource-scope.ts';
import type { TableDefinition } from '../../registry/kinds/table.ts';
import { columnDefinitions, type TableRow, tableRow, tableRows } from '../../resources/table-rows.ts';
import { encodeJson, encodeJsonBytes } from '../../schema/encode-json.ts';
import type { Resource } from '../../schema/resource.ts';
import { type Bookmark, bookmarkObject, initialEventsEndAnnotation } from './bookmark.ts';
import type { FormRequest, Form } from './form.ts';
import { type ListMeta, unshardedMeta } from './list-meta.ts';
import { codecOf } from './shown-list.ts';
import { orderedPartial } from './partial-metadata-form.ts';

const group = 'meta.k8s.io';

/** Objects as rows of a Table (specification, "Table response shape"). */
export const tableForm: Form = {
  requested: { as: 'Table', group, versions: ['v1', 'v1beta1'] },
  mediaTypes: ['application/json', 'application/yaml'],
  printedOnly: true,
  ofStoredVersion: true,
  async object(wanted, object, served) {
    const printer = await tablePrinter(wanted, served);
    const list = { resourceVersion: object.metadata.resourceVersion ?? '' };
    return { object: printer.table({ objects: [object], list }), schema: undefined };
  },
  async list(wanted, { list, entries }) {
    const printer = await tablePrinter(wanted);
    if (!printer.rowByRow) return undefined;
    return {
      type: { group, version: wanted.format.version, kind: 'Table' },
      metadata: unshardedMeta(list),
      entries,
      stored: undefined,
      itemSchema: undefined,
      around() {
        const { rows: _, ...around } = printer.table({ objects: [], list });
        return { head: `${encodeRaw(around).slice(0, -1)},"rows":[`, tail: ']}' };
      },
      item: (entry) => printer.row(codecOf(wanted.scope).decode(entry)),
    };
  },
  async whole(wanted, list, objects) {
    const printer = await tablePrinter(wanted);
    const all: KubernetesObject[] = [];
    for await (const object of objects) all.push(object);
    return { object: printer.table({ objects: all, list }), schema: undefined };
  },
  /** Tables differ by client: only the first event has columns, and ages are relative to now. */
  async events(wanted) {
    const printer = await tablePrinter(wanted);
    let withoutColumns = false;
    const show = (object: KubernetesObject): { readonly object: JsonObject; readonly schema: undefined } => {
      const list = { resourceVersion: object.metadata.resourceVersion ?? '' };
      const table = printer.table({ objects: [object], list, single: true, withoutColumns });
      withoutColumns = true;
      return { object: table, schema: undefined };
    };
    const resource = wanted.scope.store?.resource ?? wanted.scope.resource;
    return { isShared: false, object: show, bookmark: (bookmark) => show(emptyObject(resource, bookmark)) };
  },
};

/** Go's zero value of the kind, for its columns; fields it encodes as null are absent. */
function emptyObject(resource: Resource, bookmark: Bookmark): KubernetesObject {
  const object = bookmarkObject(resource, bookmark);
  const dropNull = (_key: string, value: unknown): unknown => value ?? undefined;
  return JSON.parse(encodeJson(resource.schema, object), dropNull) as KubernetesObject;
}

/** Objects to print, in the storage version. */
interface TableRequest {
  readonly objects: readonly Readonly<KubernetesObject>[];
  readonly list: ListMeta;
  /** A single object rather than a list of one. */
  readonly single?: boolean;
  readonly withoutColumns?: boolean;
}

/** Prints the Tables of one request; shared parts are looked up once. */
interface TablePrinter {
  /** Whether each row depends on its object alone. */
  readonly rowByRow: boolean;
  table(request: TableRequest): JsonObject;
  /** The row of one object in a list. */
  row(object: Readonly<KubernetesObject>): JsonObject;
}

/** `printed` is the kind of the objects: subresources have their own. */
async function tablePrinter(wanted: FormRequest, printed: ServedKind = wanted.scope.resource): Promise<TablePrinter> {
  const { context, scope, format } = wanted;
  const include = includeObject(context.query);
  const definition = await scope.tableOf(printed);
  const rowObject = ({ object, cells, conditions }: TableRow): JsonObject => ({
    cells: [...cells],
    ...(conditions === undefined ? {} : { conditions: conditions.map((condition) => ({ ...condition })) }),
    object: embedded(object, { wanted, printed, include }),
  });
  const nowMs = (): number => context.clock.now();
  const clock = { nowMs: nowMs() };
  return {
    rowByRow: definition.list === undefined,
    table: (request) => ({
      kind: 'Table',
      apiVersion: `${group}/${format.version}`,
      metadata: unshardedMeta(request.list),
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

const includePolicies: ReadonlySet<string> = new Set(['', 'None', 'Metadata', 'Object']);

function includeObject(query: URLSearchParams): string {
  const include = query.get('includeObject') ?? '';
  if (!includePolicies.has(include)) {
    const why = `includeObject: Invalid value: ${goQuote(include)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: ${why}`);
  }
  return include;
}

function embedded(
  object: Readonly<KubernetesObject>,
  {
    wanted: { scope, format },
    printed,
    include,
  }: { readonly wanted: FormRequest; readonly printed: ServedKind; readonly include: string },
): JsonValue {
  // The end of the initial events is always sent.
  const endsInitialEvents = object.metadata.annotations?.[initialEventsEndAnnotation] === 'true';
  if (include === 'None' && !endsInitialEvents) return null;
  if (include !== 'Object') return orderedPartial(scope, object, format.version);
  const served = printed === scope.resource ? servedNow(scope, cloneObject(object)) : object;
  return parseOwnJson(encodeJsonBytes(printed.schema, served)).value;
}
