import { equalValues } from '../fieldmanagement/values.ts';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { soon, type Soon } from '../api/soon.ts';
import type { StoredCodec } from './stored-object.ts';
import { areWrittenDifferently } from './written-differently.ts';

/* An update that changes only the times in managedFields keeps the old times, so that it becomes a no-op. Ownership
   tracking cannot know what a strategy reverts later. */

/** Returns the bytes to store. */
export function encodeKeepingTimes(
  codec: Pick<StoredCodec, 'encodeSoon'>,
  object: KubernetesObject,
  { old, bytes }: { readonly old: Readonly<KubernetesObject>; readonly bytes: Uint8Array },
): Soon<Buffer> {
  return soon(codec.encodeSoon(object, { object: old, bytes }), (value) => {
    // Times have a fixed length: if every entry has one, a different total length means other changes.
    if (value.length !== bytes.length && haveTimes(old.metadata.managedFields ?? [])) return value;
    return soon(keptTimes(codec, object, old), (kept) => kept ?? value);
  });
}

/** The same of an object that is stored in another version, where conversion may hide changes. */
export function keepTimes(
  codec: Pick<StoredCodec, 'encodeSoon'>,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Soon<void> {
  return soon(keptTimes(codec, object, old), () => undefined);
}

/** The object with the old times, which it now has; undefined if more than times has changed, or nothing. */
function keptTimes(
  { encodeSoon }: Pick<StoredCodec, 'encodeSoon'>,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Soon<Buffer | undefined> {
  const managedFields = [...(old.metadata.managedFields ?? [])];
  const entries = object.metadata.managedFields ?? [];
  if (!haveOtherTimes(entries, managedFields)) return undefined;
  if (!haveSameFields(entries, managedFields) || haveOtherContents(object, old)) return undefined;
  const candidate = encodeSoon({ ...object, metadata: { ...object.metadata, managedFields } });
  return soon(candidate, (kept) =>
    soon(encodeSoon(old), (before) => {
      if (!kept.equals(before)) return undefined;
      object.metadata.managedFields = managedFields;
      return kept;
    }),
  );
}

function haveTimes(entries: readonly JsonObject[]): boolean {
  return entries.every(({ time }) => typeof time === 'string');
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
