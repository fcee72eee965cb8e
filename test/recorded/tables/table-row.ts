import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { ReferenceClient } from './reference-client.ts';

const tableAccept = 'application/json;as=Table;g=meta.k8s.io;v=v1';

/** A Table with whole objects, and a time within the second of the response. */
export interface RecordedTable {
  readonly nowMs: number;
  readonly columns: readonly JsonObject[];
  readonly rows: readonly RecordedRow[];
}

export interface RecordedRow {
  readonly object: JsonObject;
  readonly cells: JsonValue[];
  readonly conditions?: JsonValue;
}

/** Retries until request and response fall into the same second, so that ages are exact. */
export async function recordTable(client: ReferenceClient, path: string): Promise<RecordedTable> {
  for (;;) {
    const startMs = Date.now();
    const separator = path.includes('?') ? '&' : '?';
    const table = await client.must(`${path}${separator}includeObject=Object`, { accept: tableAccept });
    if (Math.trunc(startMs / 1_000) === Math.trunc(Date.now() / 1_000)) return readTable(table, startMs);
    await sleep(5);
  }
}

function readTable({ columnDefinitions, rows }: JsonObject, nowMs: number): RecordedTable {
  return {
    nowMs,
    // The shape of a Table.
    columns: columnDefinitions as JsonObject[],
    rows: ((rows ?? []) as JsonObject[]).map((row) => ({
      cells: row['cells'] as JsonValue[],
      ...(row['conditions'] !== undefined && { conditions: row['conditions'] }),
      object: compact(row['object'] as JsonObject),
    })),
  };
}

const omittedMetadata = new Set(['managedFields', 'uid', 'resourceVersion', 'generation']);

/** The in-memory object without metadata that no cell shows. */
function compact(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object;
  const kept = Object.entries(metadata as JsonObject).filter(([key]) => !omittedMetadata.has(key));
  return withoutNulls({ ...rest, metadata: Object.fromEntries(kept) }) as JsonObject;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}
