import { childPath, invalidField, keyPath, tooLongField } from '../../../api/errors/field-error.ts';
import { writtenEmpty } from '../../../api/json/written-notes.ts';
import type { Device, DeviceAttribute } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { isSet } from '../../parts/rules/set-fields.ts';
import { late } from '../late-errors.ts';

const maxValueBytes = 64;

const version =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

const lists = ['bools', 'ints', 'strings', 'versions'] as const;

/** The value of an attribute of a device, or the list of its values. */
export function* deviceAttribute(attribute: DeviceAttribute, path: string): Errors {
  const { string: text, version: written } = attribute;
  if (text !== undefined && Buffer.byteLength(text) > maxValueBytes) {
    yield tooLongField(childPath(path, 'string'), maxValueBytes);
  }
  if (written !== undefined) yield* versionText(written, childPath(path, 'version'));
  for (const name of lists) {
    const at = childPath(path, name);
    if (writtenEmpty(attribute, name) !== undefined) yield invalidField(at, [], 'must not be empty if specified');
    for (const [index, item] of (attribute[name] ?? []).entries()) {
      if (name === 'versions') yield* versionText(String(item), keyPath(at, index));
    }
  }
  const given = valueNames.filter((name) => isSet(attribute, name));
  if (given.length > 1 && given.filter((name) => !isEmpty(attribute[name])).length === 1) {
    const shown = internalValue('resource.DeviceAttribute', attribute);
    yield invalidField(path, shown, 'exactly one value must be specified');
  }
  yield* late(oneValue(attribute, path));
  for (const [index, item] of (attribute.strings ?? []).entries()) {
    const at = keyPath(childPath(path, 'strings'), index);
    if (Buffer.byteLength(item) > maxValueBytes) yield* late([tooLongField(at, maxValueBytes)]);
  }
}

function* versionText(text: string, path: string): Errors {
  if (!version.test(text)) yield invalidField(path, text, 'must be a string compatible with semver.org spec 2.0.0');
  if (Buffer.byteLength(text) > maxValueBytes) yield tooLongField(path, maxValueBytes);
}

const valueNames = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const;

function* oneValue(attribute: DeviceAttribute, path: string): Errors {
  const set = valueNames.filter((name) => !isEmpty(attribute[name]));
  const all = valueNames.map((name) => `\`${name}\``).join(', ');
  if (set.length === 0) yield invalidField(path, '', `must specify one of: ${all}`);
  if (set.length > 1) yield invalidField(path, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`);
}

function isEmpty(value: DeviceAttribute[(typeof valueNames)[number]]): boolean {
  return Array.isArray(value) ? value.length === 0 : value === undefined;
}

/** The values of all attributes: each item of a list counts. */
export function valueCount({ attributes = {} }: Device): number {
  return Object.values(attributes)
    .map((attribute) => lists.reduce((count, name) => count + (attribute[name]?.length ?? 0), 0) || 1)
    .reduce((sum, count) => sum + count, 0);
}
