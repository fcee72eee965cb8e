import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatApiVersion, parseApiVersion } from '../api/meta/group-version.ts';
import type { JsonValue } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { decodePlain } from '../schema/decode.ts';
import { currentRelease, isRemoved } from '../schema/kubernetes/api-enablement.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { builtInKind, kindTable } from './kind-table.ts';
import { columnDefinitions, tableRow, tableRows } from './table-rows.ts';
import type { TableDefinition } from '../registry/kinds/table.ts';

// Tables of the reference, recorded by `tools/record-tables`.
const testdata = join(import.meta.dirname, 'testdata');

interface RecordedRow {
  readonly object: KubernetesObject;
  readonly cells: readonly JsonValue[];
  readonly conditions?: JsonValue;
}

type Recorded = ({ readonly nowMs: number } & RecordedRow) | { readonly nowMs: number; readonly list: RecordedRow[] };

interface RecordedColumns {
  readonly apiVersion: string;
  readonly kind: string;
  readonly columns: readonly (readonly [name: string, type: string, format: string, priority: number])[];
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(join(testdata, `${file}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  // The recorder writes one value of the type T per line.
  return lines.map((line) => JSON.parse(line) as T);
}

function tableOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): Promise<TableDefinition> {
  return builtInKind(parseApiVersion(apiVersion)?.group ?? '', kind).table();
}

const schemas = new Map(
  builtInResources()
    .flatMap((resource) => [resource, ...resource.subresources])
    .map(({ group, version, kind, schema }) => [`${formatApiVersion(group, version)} ${kind}`, schema]),
);

/** The recorded object in its in-memory form. */
function decoded(object: KubernetesObject): KubernetesObject {
  const schema = schemas.get(`${object.apiVersion} ${object.kind}`);
  if (schema === undefined) throw new Error(`${title(object)} has no schema`);
  // Objects of the reference have kind, apiVersion and metadata.
  return decodePlain(schema, object as unknown as JsonValue).object as unknown as KubernetesObject;
}

function title({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiVersion} ${kind} ${metadata.name}`;
}

const allColumns = readLines<RecordedColumns>('columns');
const files = readdirSync(testdata)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace('.jsonl', ''))
  .filter((file) => file !== 'columns');

describe('columns', () => {
  it.each(allColumns)('match the reference for $apiVersion $kind', async (recorded) => {
    const columns = columnDefinitions(await tableOf(recorded));
    expect(columns.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual(recorded.columns);
  });

  it('have descriptions', async () => {
    const tables = await Promise.all(kindTable.map(({ table }) => table()));
    const silent = tables.flatMap(({ columns }) =>
      columns.filter(({ description }) => !/^\p{Lu}.*\.$/u.test(description)),
    );
    expect(silent).toEqual([]);
  });

  it('are recorded for every listable kind', () => {
    const recorded = new Set(allColumns.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
    const missing = builtInResources()
      .filter((resource) => resource.verbs.includes('list') && !isRemoved(resource, currentRelease))
      .map(({ group, version, kind }) => `${formatApiVersion(group, version)} ${kind}`)
      .filter((key) => !recorded.has(key));
    expect(missing).toEqual([]);
  });
});

describe.each(files)('rows of %s', (file) => {
  const recordings = readLines<Recorded>(file);

  it.each(recordings.map((recorded) => ({ name: 'list' in recorded ? 'a list' : title(recorded.object), recorded })))(
    'print $name as the reference does',
    async ({ recorded }) => {
      const { nowMs } = recorded;
      if ('list' in recorded) {
        const [first] = recorded.list;
        if (first === undefined) throw new Error('the recorded list is empty');
        // Sorted by name, like a list from storage.
        const objects = recorded.list.map(({ object }) => decoded(object)).toSorted(byName);
        const rows = tableRows(await tableOf(first.object), objects, { nowMs });
        expect(rows).toEqual(recorded.list.map((row) => ({ ...row, object: decoded(row.object) })));
      } else {
        const { nowMs: _, ...row } = recorded;
        const object = decoded(recorded.object);
        expect(tableRow(await tableOf(object), object, { nowMs })).toEqual({ ...row, object });
      }
    },
  );
});

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
