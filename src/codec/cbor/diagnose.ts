import { isUtf8 } from 'node:buffer';
import { ItemReader } from './item-reader.ts';
import { indefinite, majorTypes } from './major-types.ts';

/** Well-formed CBOR in diagnostic notation (RFC 8949 section 8), as errors show it. */
export function diagnose(bytes: Uint8Array): string {
  return item(new ItemReader(bytes));
}

function item(reader: ItemReader): string {
  const { major, info } = reader;
  switch (major) {
    case majorTypes.positive:
      return String(reader.bigHead());
    case majorTypes.negative:
      return String(-1n - reader.bigHead());
    case majorTypes.bytes:
      return info === indefinite ? openString(reader, "''_") : bytesText(reader);
    case majorTypes.text:
      return info === indefinite ? openString(reader, '""_') : quoted(diagnosticText(reader), '"');
    case majorTypes.array:
      return `[${items(reader, () => item(reader))}]`;
    case majorTypes.map:
      return `{${items(reader, () => `${item(reader)}: ${item(reader)}`)}}`;
    case majorTypes.tag:
      return `${reader.bigHead()}(${item(reader)})`;
    default:
      return info >= 25 ? floatText(reader.float()) : simpleText(reader.head());
  }
}

/** The contents of an array or map; indefinite-length ones begin with an underscore. */
function items(reader: ItemReader, next: () => string): string {
  const count = reader.count();
  const parts: string[] = [];
  for (let i = 0; count === undefined ? !reader.atBreak() : i < count; i++) parts.push(next());
  return `${count === undefined ? '_ ' : ''}${parts.join(', ')}`;
}

function openString(reader: ItemReader, empty: string): string {
  reader.at++;
  if (reader.atBreak()) return empty;
  const parts: string[] = [];
  while (!reader.atBreak()) parts.push(item(reader));
  return `(_ ${parts.join(', ')})`;
}

function bytesText(reader: ItemReader): string {
  const bytes = Buffer.concat(reader.chunks());
  return bytes.length > 0 && isUtf8(bytes) ? quoted(bytes.toString('utf8'), "'") : `h'${bytes.toString('hex')}'`;
}

function diagnosticText(reader: ItemReader): string {
  return Buffer.concat(reader.chunks()).toString('utf8');
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
]);

function quoted(text: string, quote: '"' | "'"): string {
  let out = quote as string;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === quote) out += `\\${quote}`;
    else if (char >= ' ' && char <= '~' && char !== '\\') out += char;
    else out += shortEscapes.get(char) ?? `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return out + quote;
}

const simpleTexts: ReadonlyMap<number, string> = new Map([
  [20, 'false'],
  [21, 'true'],
  [22, 'null'],
  [23, 'undefined'],
]);

function simpleText(value: number): string {
  return simpleTexts.get(value) ?? `simple(${value})`;
}

/** JavaScript's shortest form, marked as a float. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (text.includes('.')) return text;
  const exponent = text.indexOf('e');
  return exponent === -1 ? `${text}.0` : `${text.slice(0, exponent)}.0${text.slice(exponent)}`;
}
