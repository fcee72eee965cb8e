import { formatDuration } from '../../api/time/duration.ts';
import { floatText } from '../../api/json/go-print.ts';
import { civilTime, clockText, dateText } from './civil-time.ts';
import { findIn, isList, isMap, itemsOf, keysOf } from './collections.ts';
import { ConstructedValue } from './constructed.ts';
import { fractionText, laterSeconds } from './times.ts';
import { PreservedJson } from './typed.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isInt,
  LibraryValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';
import { typeText } from '../types/cel-type.ts';

// Values as the reference's messages print them: Go's `%v`, and Go type names for `%T`.

export function valueText(value: Value): string {
  if (value === null) return '0';
  if (typeof value === 'string') return value;
  if (isInt(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Double) return floatText(value.value);
  if (value instanceof Uint) return String(value.value);
  if (isBytes(value)) return `[${[...value].join(' ')}]`;
  if (isList(value)) return `[${[...itemsOf(value)].map(valueText).join(', ')}]`;
  if (isMap(value)) {
    return `{${keysOf(value)
      .map((key) => `${valueText(key)}: ${valueText(findIn(value, key) ?? null)}`)
      .join(', ')}}`;
  }
  return objectText(value);
}

function objectText(value: Value): string {
  if (value instanceof Duration) return formatDuration(BigInt(value.nanos));
  if (value instanceof Timestamp) return goTime(value);
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional(${valueText(value.value)})`;
  if (value instanceof TypeValue) return typeText(value.named);
  if (value instanceof CelError) return value.message;
  if (value instanceof LibraryValue) return value.text;
  return value instanceof PreservedJson ? String(value.json) : '';
}

/** `2023-01-01 00:00:00 +0000 UTC` */
function goTime({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const local = civilTime(laterSeconds(seconds, offsetMinutes * 60));
  const size = Math.abs(offsetMinutes);
  const digits = `${String(Math.trunc(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${digits}`;
  return `${dateText(local)} ${clockText(local)}${fractionText(nanos)} ${zone} ${offsetMinutes === 0 ? 'UTC' : zone}`;
}

/** Go type name of a value: `types.Int`. */
export function goTypeName(value: Value): string {
  if (value === null) return 'types.Null';
  if (typeof value === 'string') return 'types.String';
  if (typeof value === 'boolean') return 'types.Bool';
  if (isInt(value)) return 'types.Int';
  if (isBytes(value)) return 'types.Bytes';
  if (isList(value)) return '*types.baseList';
  if (value instanceof TypeValue) return '*types.Type';
  if (value instanceof Optional) return '*types.Optional';
  for (const known of [Double, Duration, Timestamp]) if (value instanceof known) return `types.${known.name}`;
  if (value instanceof Uint) return 'types.Uint';
  if (value instanceof LibraryValue || value instanceof ConstructedValue) return value.goType;
  return '*types.baseMap';
}
