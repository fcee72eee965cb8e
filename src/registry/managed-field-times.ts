import { equalValues } from '../fieldmanagement/values.ts';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { soon, type Soon } from '../api/soon.ts';
import type { StoreKind } from './store-kind.ts';
import { areWrittenDifferently } from './written-differently.ts';

/**
 * An update that changes only the times in managedFields keeps the old times, so that it becomes a no-op.
 * Ownership tracking cannot know what a strategy reverts later. Returns the bytes to store.
 */
export function encodeKeepingTimes(
  kind: Pick<StoreKind, 'codec'>,
  object: KubernetesObject,
  { old, bytes }: { readonly old: Readonly<KubernetesObject>; readonly bytes: Uint8Array },
): Soon<Buffer> {
  const { seen } = kind.codec;
  return soon(kind.codec.encodeSoon(object, { object: old, bytes }), (value) => {
    const managedFields = [...(old.metadata.managedFields ?? [])];
    const entries = object.metadata.managedFields ?? [];
    if (!haveOtherTimes(entries, managedFields)) return value;
    // Times have a fixed length: if every entry has one, a different total length means other changes.
    const isComparable = seen === undefined;
    if (isComparable && value.length !== bytes.length && managedFields.every(({ time }) => typeof time === 'string'))
      return value;
    if (!haveSameFields(entries, managedFields) || haveOtherContents(object, old)) return value;
    const { encodeSoon } = seen?.codec ?? kind.codec;
    const candidate = encodeSoon({ ...object, metadata: { ...object.metadata, managedFields } });
    return soon(candidate, (kept) =>
      soon(encodeSoon(old), (before) => {
        if (!kept.equals(before)) return value;
        object.metadata.managedFields = managedFields;
        return seen === undefined ? kept : kind.codec.encodeSoon(object);
      }),
    );
  });
}

function haveOtherTimes(after: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return before.length === after.length && after.some(({ time }, index) => time !== before[index]?.['time']);
}

/** Whether anything but managedFields certainly differs. */
function haveOtherContents(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): boolean {
  const contents = ({ metadata, ...rest }: Readonly<KubernetesObject>): JsonObject =>
    ({ metadata: { ...metadata, managedFields: null }, ...rest }) as unknown as JsonObject; // JSON-shaped
  return areWrittenDifferently(contents(object), contents(old));
}

function haveSameFields(after: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return after.every((entry, index) => equalValues({ ...entry, time: null }, { ...before[index], time: null }));
}
