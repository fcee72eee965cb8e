import { goQuote } from '../../../api/go/go-quote.ts';
import { goAddress, GoValue } from '../../../api/json/go-value.ts';
import { civilTime } from '../../../cel/values/civil-time.ts';
import { findIn, isList, isMap, itemsOf, keysOf, MapValue } from '../../../cel/values/collections.ts';
import { ConstructedMessage, ConstructedObject, ConstructedPatch } from '../../../cel/values/constructed.ts';
import { goValueName } from '../../../cel/values/go-value-names.ts';
import { laterSeconds } from '../../../cel/values/times.ts';
import { goTypeName, valueText } from '../../../cel/values/texts.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isInt,
  LibraryValue,
  StoredTime,
  Timestamp,
  Uint,
  type Value,
} from '../../../cel/values/value.ts';
import { wrappedTypeName } from '../../../cel/values/wrapped-types.ts';
import { type GoField, goStructs } from './go-structs.ts';
import type { InputTypes } from './input-types.ts';

/** A value that JSON does not have, as the reference prints it. */
export function foreignValue(value: Value, types: InputTypes): GoValue {
  const printer = new Printer(types);
  return new GoValue({ type: typeOf(value), text: printer.text(value), syntax: printer.syntax(value) });
}

/** Why a key is none of a JSON object. */
export function keyProblem(key: Value): string {
  const shown = isInt(key)
    ? `'${goQuote(String.fromCodePoint(Number(key))).slice(1, -1)}'`
    : `%!q(${goTypeName(key)}=${valueText(key)})`;
  return `map key ${shown} is of type ${goTypeName(key)}, not string`;
}

/** Values that can only be called do not tell what they hold. */
function isOpaque(value: Value): boolean {
  return (
    value instanceof LibraryValue && wrappedTypeName(value.goType) === undefined && !value.goType.startsWith('cel.')
  );
}

function typeOf(value: Value): string {
  return isOpaque(value) || value instanceof CelError ? '*types.Err' : goValueName(value);
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

class Printer {
  readonly #types: InputTypes;

  constructor(types: InputTypes) {
    this.#types = types;
  }

  /** Go's `%v` of what a value holds; `isInner`: within a list or a map, where pointers are addresses. */
  text(value: Value, isInner = false): string {
    if (value === null) return 'NULL_VALUE';
    if (value instanceof StoredTime) return value.written;
    if (isOpaque(value)) return 'no such overload';
    if (value instanceof ConstructedMessage) return '';
    if (value instanceof ConstructedPatch) return goAddress;
    if (value instanceof LibraryValue && value.goType === 'cel.Format') return formatText(value);
    if (isList(value)) {
      const separator = isInner && this.#isWritten(value) ? ', ' : ' ';
      return `[${[...itemsOf(value)].map((item) => this.text(item, true)).join(separator)}]`;
    }
    const members = membersOf(value);
    if (members === undefined) return valueText(value);
    return `map[${members.map(([key, member]) => `${valueText(key)}:${this.text(member, true)}`).join(' ')}]`;
  }

  /** Go's `%#v` of it; `isInner`: within a list or a map that the expression writes, where values are not converted. */
  syntax(value: Value, isInner = false): string {
    if (value === null) return '0';
    if (typeof value === 'string') return goQuote(value);
    if (typeof value === 'boolean' || isInt(value) || value instanceof Double) return this.text(value);
    if (isBytes(value)) return `[]uint8{${Array.from(value, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
    if (value instanceof Uint) return `0x${value.value.toString(16)}`;
    if (value instanceof Duration) return String(value.nanos);
    if (value instanceof StoredTime) return goQuote(value.written);
    if (value instanceof Timestamp) return dateSyntax(value);
    if (value instanceof LibraryValue && value.syntax !== undefined) return value.syntax;
    if (isList(value)) return this.#listSyntax([...itemsOf(value)], this.#types(value), isInner);
    return this.#mapSyntax(value, isInner);
  }

  #fieldSyntax({ name, key, zero, shown }: GoField, members: readonly Member[]): string {
    const value = members.find(([given]) => given === key)?.[1];
    if (value === undefined) return `${name}:${zero}`;
    return `${name}:${shown === undefined ? this.syntax(value) : shown(value)}`;
  }

  #isWritten(value: object): boolean {
    return this.#types(value) === undefined;
  }

  #listSyntax(items: readonly Value[], type: string | undefined, isInner: boolean): string {
    if (type === undefined && isInner) return `(*types.baseList)(${goAddress})`;
    const name = type === undefined ? '[]ref.Val' : type === 'json' ? '[]interface {}' : type;
    return `${name}{${items.map((item) => this.syntax(item, type === undefined)).join(', ')}}`;
  }

  #mapSyntax(value: Value, isInner: boolean): string {
    const members = membersOf(value);
    if (members === undefined) return `(${typeOf(value)})(${goAddress})`;
    const isWritten = value instanceof MapValue;
    if (isWritten && isInner) return `(*types.baseMap)(${goAddress})`;
    const type = isMap(value) && !isWritten ? this.#types(value) : undefined;
    const fields = type === undefined ? undefined : goStructs[type];
    if (fields !== undefined) return `${type}{${fields.map((field) => this.#fieldSyntax(field, members)).join(', ')}}`;
    const other = type === undefined || type === 'json' ? 'map[string]interface {}' : type;
    const shown = members.map(([key, member]) => `${this.syntax(key)}:${this.syntax(member, isWritten)}`);
    return `${isWritten ? 'map[ref.Val]ref.Val' : other}{${shown.join(', ')}}`;
  }
}

function formatText(value: LibraryValue): string {
  const [, size = ''] = /MaxRegexSize:(\d+)/.exec(value.syntax ?? '') ?? [];
  return `{${value.text} ${goAddress} ${size}}`;
}

type Member = readonly [key: Value, member: Value];

/** In the order in which Go prints them; undefined for values without members. */
function membersOf(value: Value): readonly Member[] | undefined {
  const members = isMap(value)
    ? keysOf(value).map((key) => [key, findIn(value, key) ?? null] as const)
    : value instanceof ConstructedObject
      ? [...value.fields]
      : undefined;
  return members?.toSorted(([a], [b]) => (valueText(a) < valueText(b) ? -1 : 1));
}

function dateSyntax({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const local = civilTime(laterSeconds(seconds, offsetMinutes * 60));
  const day = `${local.year}, time.${months[local.month] ?? ''}, ${local.day}`;
  const time = `${local.hours}, ${local.minutes}, ${local.seconds}, ${nanos}`;
  return `time.Date(${day}, ${time}, ${offsetMinutes === 0 ? 'time.UTC' : 'time.Location("")'})`;
}
