import { FormatValue } from '../../../src/cel/libraries/formats.ts';
import { findIn, isList, isMap, itemsOf, keysOf } from '../../../src/cel/values/collections.ts';
import { timestampText } from '../../../src/cel/values/times.ts';
import { floatText } from '../../../src/api/json/go-print.ts';
import { CidrValue, IpValue } from '../../../src/cel/libraries/addresses.ts';
import { QuantityValue } from '../../../src/cel/libraries/quantities.ts';
import { UrlValue } from '../../../src/cel/libraries/url-value.ts';
import { SemverValue } from '../../../src/cel/libraries/versions.ts';
import { type CelType, declaredName } from '../../../src/cel/types/cel-type.ts';
import { typeOf } from '../../../src/cel/values/type-of.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isInt,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../../../src/cel/values/value.ts';

const libraryValues = [
  ['quantity', QuantityValue],
  ['url', UrlValue],
  ['ip', IpValue],
  ['cidr', CidrValue],
  ['semver', SemverValue],
  ['format', FormatValue],
] as const;

/** A value in the oracle's format. */
export function render(value: Value): string {
  if (value === null || typeof value === 'boolean' || isInt(value)) return String(value);
  if (typeof value === 'string') return quoteAscii(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return `double(${floatText(value.value)})`;
  if (isBytes(value)) return `bytes(${Buffer.from(value).toString('hex')})`;
  if (value instanceof Timestamp) return `timestamp(${timestampText(value)})`;
  if (value instanceof Duration) return `duration(${value.nanos})`;
  if (value instanceof Optional) return value.value === undefined ? 'none' : `optional(${render(value.value)})`;
  if (value instanceof TypeValue) return `type(${value.named.name})`;
  if (value instanceof CelError) return `error(${value.message})`;
  for (const [name, type] of libraryValues) if (value instanceof type) return `${name}(${value.text})`;
  if (isList(value)) return `[${[...itemsOf(value)].map(render).join(', ')}]`;
  if (isMap(value)) {
    const entries = [...keysOf(value)].map((key) => `${render(key)}: ${render(findIn(value, key) ?? null)}`);
    return `{${entries.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join(', ')}}`;
  }
  return `other(${typeOf(value).name})`;
}

const escapes: { readonly [char: string]: string } = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

function quoteAscii(text: string): string {
  const escaped = text.replace(/["\\]|[^ -~]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (escapes[char] !== undefined) return escapes[char];
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

/** A type as Go prints it. */
export function typeName(type: CelType): string {
  if (type.kind === 'param') return `<${type.name}>`;
  if (type.params.length === 0) return declaredName(type);
  return `${declaredName(type)}(${type.params.map(typeName).join(', ')})`;
}
