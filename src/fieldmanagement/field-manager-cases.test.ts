import { describe, expect, it } from 'vitest';
import { parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { applyWithOwners } from './apply.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { applyConflict } from './conflict-error.ts';
import { managedAfterUpdate, type ManagedKind, type ManagedObject } from './field-manager.ts';
import { compareEntries, decodeManaged, encodeManaged, managerId } from './managed-entries.ts';
import { entriesAfterScale, entriesOfScale } from './scale-owners.ts';
import { mergeTypeOf } from './schema-type.ts';
import { casesOf } from './testdata/read-schema.ts';

/** One call of the reference and its result. Timestamps set by a call are those of the recording. */
interface ManagerCase {
  readonly op: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly subresource?: string;
  readonly live?: JsonObject;
  readonly object?: JsonObject;
  readonly manager?: string;
  readonly force?: boolean;
  /** Maximum number of Update managers. */
  readonly cap?: number;
  readonly result?: JsonValue;
  readonly error?: string;
  readonly status?: JsonObject;
  readonly conflicts?: readonly { readonly manager: string; readonly path: readonly string[] }[];
  readonly entries?: readonly JsonObject[] | null;
  readonly entry?: JsonObject;
  readonly parent?: readonly JsonObject[] | null;
  readonly scale?: readonly JsonObject[] | null;
  readonly paths?: { readonly [apiVersion: string]: string };
}

const cases = casesOf<ManagerCase>('field-manager.jsonl');
const casesWith = (op: string): (readonly [number, ManagerCase])[] =>
  cases.filter((each) => each.op === op).map((each, index) => [index + 1, each] as const);

function kindOf({ apiVersion = '', kind = '', subresource = '' }: ManagerCase): ManagedKind {
  const parsed = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const resource = builtInResources().find(
    (each) => each.kind === kind && each.group === parsed.group && each.version === parsed.version,
  );
  return {
    kind: { ...parsed, kind },
    subresource,
    type: mergeTypeOf(resource?.schema),
    filterOf: () => undefined,
    convert: (object) => object,
  };
}

function viewOf(object: JsonObject): ManagedObject {
  const { managedFields, ...metadata } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return {
    object: { ...object, ...(object['metadata'] === undefined ? {} : { metadata }) },
    // Recorded as such.
    entries: Array.isArray(managedFields) ? (managedFields as JsonObject[]) : undefined,
  };
}

/** The object as compared: empty metadata counts as absent. */
function shown(object: JsonValue | undefined, entries: readonly JsonObject[] | undefined): JsonObject {
  const value = isJsonObject(object) ? object : {};
  const { managedFields: _managedFields, ...metadata } = isJsonObject(value['metadata']) ? value['metadata'] : {};
  return { ...value, metadata, managedFields: [...(entries ?? [])] };
}

/** The time of a call: the latest in its result. */
function timeOf(result: JsonValue | undefined): string {
  const times = entriesIn(result).map(({ time }) => (typeof time === 'string' ? time : ''));
  return times.toSorted().at(-1) ?? '2026-01-01T00:00:00Z';
}

function entriesIn(object: JsonValue | undefined): readonly JsonObject[] {
  return isJsonObject(object) ? (viewOf(object).entries ?? []) : [];
}

function shownValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

describe('updates', () => {
  it.each(casesWith('update'))('case %i', async (_, each) => {
    const { live = {}, object = {}, manager = '', result, cap } = each;
    const views = { live: viewOf(live), updated: viewOf(object), manager, now: timeOf(result) };
    let entries = await managedAfterUpdate(kindOf(each), views);
    if (cap !== undefined) {
      const managed = decodeManaged(entries);
      capUpdateManagers(managed, cap);
      entries = encodeManaged(managed);
    }
    expect(shown(object, entries)).toEqual(shown(result, entriesIn(result)));
  });
});

describe('applies', () => {
  it.each(casesWith('apply'))('case %i', async (_, each) => {
    const { live = {}, object: patch = {}, manager = '', force = false, result, apiVersion = '', kind = '' } = each;
    const run = async () => {
      const view = viewOf(live);
      const request = { live: view, empty: { apiVersion, kind }, patch, manager, force, now: timeOf(result) };
      const { object, entries } = await applyWithOwners(kindOf(each), request);
      return shown(object ?? view.object, entries);
    };
    if (each.error === undefined) {
      expect(await run()).toEqual(shown(result, entriesIn(result)));
      return;
    }
    let thrown: unknown;
    try {
      await run();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StatusError);
    expect((thrown as StatusError).message).toBe(each.error);
    if (each.status !== undefined) expect((thrown as StatusError).status).toMatchObject(statusOf(each.status));
  });
});

function statusOf({ code, reason, details }: JsonObject): object {
  return { code, reason, ...(details === undefined ? {} : { details }) };
}

describe('conflicts', () => {
  it.each(casesWith('conflict'))('case %i', (_, { conflicts = [], status = {} }) => {
    const { metadata: _metadata, ...expected } = status;
    expect(applyConflict(conflicts).status).toMatchObject(expected);
  });
});

describe('entries', () => {
  it.each(casesWith('entries'))('case %i', (_, { entries, error, result }) => {
    const run = (): readonly JsonObject[] => encodeManaged(decodeManaged(entries ?? [])) ?? [];
    if (error === undefined) expect(run()).toEqual(result ?? []);
    else expect(run).toThrow(error);
  });
  it.each(casesWith('identifier'))('identifier %i', (_, { entry = {}, result }) => {
    const { manager = '', operation, apiVersion = '', subresource = '' } = entry;
    const identity = {
      manager: shownValue(manager),
      operation: operation === 'Apply' ? ('Apply' as const) : ('Update' as const),
      apiVersion: shownValue(apiVersion),
      subresource: shownValue(subresource),
    };
    expect(managerId(identity)).toBe(result);
  });
  it.each(casesWith('sort'))('order %i', (_, { entries, result }) => {
    expect([...(entries ?? [])].sort(compareEntries)).toEqual(result ?? []);
  });
});

describe('scales', () => {
  const scaled = ({ paths = {}, apiVersion = '' }: ManagerCase) => ({
    apiVersion,
    replicasIn: (version: string) =>
      paths[version] === undefined
        ? undefined
        : paths[version]
            .split('.')
            .filter(Boolean)
            .map((name) => `f:${name}`),
  });
  it.each(casesWith('scale'))('of an object %i', (_, each) => {
    expect(entriesOfScale(each.parent ?? [], scaled(each)) ?? []).toEqual(each.result ?? []);
  });
  it.each(casesWith('parent'))('to an object %i', (_, each) => {
    expect(entriesAfterScale(each.parent ?? [], each.scale ?? [], scaled(each)) ?? []).toEqual(each.result ?? []);
  });
});
