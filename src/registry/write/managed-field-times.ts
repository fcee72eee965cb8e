import { equalValues } from '../../fieldmanagement/values.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { StoredCodec } from '../stored/stored-object.ts';
import { areWrittenDifferently } from '../stored/written-differently.ts';

/* An update that changes only the times in managedFields keeps the old times, so that it becomes a no-op. Ownership
   tracking cannot know what a strategy reverts later. */

/** Returns the bytes to store. */
export async function encodeKeepingTimes(
  codec: StoredCodec,
  object: KubernetesObject,
  { old, bytes }: { readonly old: Readonly<KubernetesObject>; readonly bytes: Uint8Array },
): Promise<Buffer> {
  const value = await codec.encode(object, { object: old, bytes });
  // Times have a fixed length: if every entry has one, a different total length means other changes.
  if (value.length !== bytes.length && haveTimes(old.metadata.managedFields ?? [])) return value;
  return (await keptTimes(codec, object, old)) ?? value;
}

/** Keeps the times of an object that is stored in another version, where conversion may hide changes. */
export async function keepTimes(
  codec: StoredCodec,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Promise<void> {
  await keptTimes(codec, object, old);
}

/** The object with the old times, which it now has; undefined if more than times has changed, or nothing. */
async function keptTimes(
  codec: StoredCodec,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Promise<Buffer | undefined> {
  const managedFields = [...(old.metadata.managedFields ?? [])];
  const entries = object.metadata.managedFields ?? [];
  if (!haveOtherTimes(entries, managedFields)) return undefined;
  if (!haveSameFields(entries, managedFields) || haveOtherContents(object, old)) return undefined;
  const kept = await codec.encode({ ...object, metadata: { ...object.metadata, managedFields } });
  if (!kept.equals(await codec.encode(old))) return undefined;
  object.metadata.managedFields = managedFields;
  return kept;
}

function haveTimes(entries: readonly JsonObject[]): boolean {
  return entries.every(({ time }) => typeof time === 'string');
}

function haveOtherTimes(after: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return before.length === after.length && after.some(({ time }, index) => time !== before[index]?.['time']);
}

/** Whether anything but managedFields certainly differs. */
function haveOtherContents(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): boolean {
  const contents = ({ metadata, ...rest }: Readonly<KubernetesObject>): JsonObject => ({
    metadata: { ...metadata, managedFields: null },
    ...rest,
  });
  return areWrittenDifferently(contents(object), contents(old));
}

function haveSameFields(after: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return after.every((entry, index) => equalValues({ ...entry, time: null }, { ...before[index], time: null }));
}
