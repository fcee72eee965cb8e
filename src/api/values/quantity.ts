import { withoutEnd } from '../text/text-edges.ts';

/**
 * resource.Quantity: a decimal number with a suffix. Outside of arithmetic only the canonical text matters, so objects
 * in memory hold strings, parsed only for calculation.
 *
 * | format | suffixes | example |
 * |---|---|---|
 * | DecimalSI | n u m (none) k M G T P E | 100m |
 * | BinarySI | Ki Mi Gi Ti Pi Ei | 128Mi |
 * | DecimalExponent | e or E and digits | 12e6 |
 */
export interface Quantity {
  /** The number is `unscaled * 10^exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The source text if it is canonical. */
  readonly text?: string;
}

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

const formatMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Thrown for invalid quantities; clients see the message. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
  readonly code = 'QUANTITY';
}

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const decimalSuffixes = new Map([...decimalExponents].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = new Map([...binaryExponents].map(([suffix, exponent]) => [exponent / 10, suffix]));

const maxInt64 = 2n ** 63n - 1n;
/** The smallest unit is a billionth. */
const nano = -9;

// Sign, integer digits, fraction, suffix letters, exponent. The suffix is validated afterwards.
const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

/** Most objects use the same few quantities. */
const parsed = new Map<string, Quantity>();
const maxParsed = 1000;
const maxParsedLength = 16;

/** Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const quantity = readQuantity(text);
  if (text.length <= maxParsedLength) {
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(text, quantity);
  }
  return quantity;
}

function readQuantity(text: string): Quantity {
  const match = text === '' ? null : shape.exec(text);
  if (match === null) throw new QuantityError(formatMessage);
  const [, sign = '', integer = '', fraction = '', suffix = ''] = match;
  const { exponent, format } = parseSuffix(suffix);
  const digits = integer.replace(/^0+/, '') || '0';
  const shifted = digits + fraction;
  const unscaled = BigInt(shifted) * (sign === '-' ? -1n : 1n);
  if (format === 'BinarySI') return binaryQuantity({ text, digits, fraction, unscaled, exponent });
  const scale = exponent - fraction.length;
  if (scale < nano || digits.length + fraction.length > 18) {
    return roundedQuantity({ unscaled, exponent: scale, format });
  }
  const canonical = scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return canonical ? { unscaled, exponent: scale, format, text } : { unscaled, exponent: scale, format };
}

function parseSuffix(suffix: string): { exponent: number; format: QuantityFormat } {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return { exponent: binary, format: 'BinarySI' };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(suffix)?.[1];
  const value = exponent === undefined ? undefined : BigInt(exponent);
  if (value === undefined || value > maxInt64 || value < -maxInt64 - 1n) {
    throw new QuantityError("unable to parse quantity's suffix");
  }
  return { exponent: Number(BigInt.asIntN(32, value)), format: 'DecimalExponent' };
}

interface BinaryParts {
  readonly text: string;
  readonly digits: string;
  readonly fraction: string;
  readonly unscaled: bigint;
  readonly exponent: number;
}

function binaryQuantity({ text, digits, fraction, unscaled, exponent }: BinaryParts): Quantity {
  const value = unscaled * 2n ** BigInt(exponent);
  const format = 'BinarySI';
  if (fraction === '') {
    // The reference keeps the text of numbers that fit 64 bits and cannot be a multiple of 1024.
    const precision = 15 - digits.length - Math.trunc(exponent * 0.3) - 1;
    const fits = value <= maxInt64 && value >= -maxInt64;
    if (precision >= 0 && fits && (unscaled & 7n) !== 0n) return { unscaled: value, exponent: 0, format, text };
    if (fits) return { unscaled: value, exponent: 0, format };
  }
  const rounded = roundedQuantity({ unscaled: value, exponent: -fraction.length, format });
  const magnitude = rounded.unscaled < 0n ? -rounded.unscaled : rounded.unscaled;
  const size: Quantity = { ...rounded, unscaled: magnitude };
  const capped = compareQuantities(size, { unscaled: maxInt64, exponent: 0, format }) > 0;
  if (capped) return { unscaled: unscaled < 0n ? -maxInt64 : maxInt64, exponent: 0, format };
  const belowOne = magnitude !== 0n && compareQuantities(size, { unscaled: 1n, exponent: 0, format }) < 0;
  return belowOne ? { ...rounded, format: 'DecimalSI' } : rounded;
}

/** Rounded away from zero to billionths. */
function roundedQuantity(quantity: Quantity): Quantity {
  return roundUpQuantity(quantity, nano);
}

/** Rounded away from zero to a multiple of `10^exponent`. */
export function roundUpQuantity(quantity: Quantity, exponent: number): Quantity {
  const { unscaled, format } = quantity;
  const places = exponent - quantity.exponent;
  if (places <= 0 || unscaled === 0n) return quantity;
  const sign = unscaled < 0n ? -1n : 1n;
  const magnitude = unscaled * sign;
  // More places than digits: rounds to one unit, without computing a huge power of ten.
  if (places > magnitude.toString().length) return { unscaled: sign, exponent, format };
  const step = 10n ** BigInt(places);
  return { unscaled: sign * ((magnitude + step - 1n) / step), exponent, format };
}

/** The canonical text: the largest suffix that leaves no fraction. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { unscaled, exponent, format } = quantity;
  if (unscaled === 0n) return '0';
  if (format === 'BinarySI') {
    const whole = wholeNumber(quantity);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return formatBinary(whole);
  }
  return formatDecimal(unscaled, exponent, format === 'DecimalExponent' ? 'DecimalExponent' : 'DecimalSI');
}

function wholeNumber({ unscaled, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const step = 10n ** BigInt(-exponent);
  return unscaled % step === 0n ? unscaled / step : undefined;
}

function formatBinary(value: bigint): string {
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${binarySuffixes.get(power) ?? ''}`;
}

function formatDecimal(unscaled: bigint, exponent: number, format: QuantityFormat): string {
  const all = unscaled.toString();
  let digits = withoutEnd(all, '0');
  let power = exponent + all.length - digits.length;
  while (power % 3 !== 0) {
    digits += '0';
    power--;
  }
  // There is no suffix beyond E, and the reference prints none.
  if (format === 'DecimalSI') return digits + (decimalSuffixes.get(power) ?? '');
  return power === 0 ? digits : `${digits}e${power}`;
}

// Canonical texts, which most are.
const canonicalDecimal = /^(?:[1-9][0-9]{0,12}|0)$|^[1-9][0-9]{0,12}[mkMG]$/;

/** The canonical form of `text`. Throws QuantityError. */
export function canonicalQuantity(text: string): string {
  if (canonicalDecimal.test(text) && !/000[mkMG]?$/.test(text)) return text;
  return formatQuantity(parseQuantity(text));
}

/** Negative, zero or positive. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const signA = sign(a.unscaled);
  const signB = sign(b.unscaled);
  if (signA !== signB || signA === 0) return signA - signB;
  if (a.exponent === b.exponent) return a.unscaled === b.unscaled ? 0 : a.unscaled < b.unscaled ? -1 : 1;
  const [nearA, nearB] = [nearly(a), nearly(b)];
  const difference = Math.abs(nearA - nearB);
  if (difference < Infinity && difference > Math.abs(nearA) * clearDifference) return nearA < nearB ? -1 : 1;
  // Magnitudes far apart are decided by digit counts, without huge powers of ten.
  const reach = a.unscaled.toString().length + a.exponent - (b.unscaled.toString().length + b.exponent);
  if (Math.abs(reach) > 1) return Math.sign(reach) * signA;
  const [x, y] = aligned(a, b);
  return x === y ? 0 : x < y ? -1 : 1;
}

/** Relative to the operands; the error of `nearly` is far smaller. */
const clearDifference = 1e-9;

/** Infinite, or no number, for what exceeds a double on the way. */
function nearly({ unscaled, exponent }: Quantity): number {
  return Number(unscaled) * 10 ** exponent;
}

/** The sum; a zero takes the other's format. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [x, y, exponent] = aligned(a, b);
  return { unscaled: x + y, exponent, format: a.unscaled === 0n ? b.format : a.format };
}

/** The difference; a zero takes the other's format. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  const [x, y, exponent] = aligned(a, b);
  return { unscaled: x - y, exponent, format: a.unscaled === 0n ? b.format : a.format };
}

/** No meaningful quantity has a larger exponent; beyond it nothing is calculated. */
const largestExponent = 100;

/** The value in units, rounded up (away from zero) and capped to 64 bits, as the reference's `Value()`. */
export function quantityValue(quantity: Quantity): bigint {
  const { unscaled, exponent } = roundUpQuantity(quantity, 0);
  if (unscaled === 0n) return 0n;
  const size = exponent > largestExponent ? maxInt64 + 1n : unscaled * 10n ** BigInt(Math.max(exponent, 0));
  if (size > maxInt64 || size < -maxInt64) return unscaled < 0n ? -maxInt64 : maxInt64;
  return size;
}

/** The value in thousandths, as the reference's `MilliValue()`. */
export function quantityMilliValue({ unscaled, exponent, format }: Quantity): bigint {
  return quantityValue({ unscaled, exponent: exponent + 3, format });
}

function sign(value: bigint): number {
  return value === 0n ? 0 : value < 0n ? -1 : 1;
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  if (a.exponent === b.exponent) return [a.unscaled, b.unscaled, a.exponent];
  if (Math.abs(a.exponent - b.exponent) > largestExponent && a.unscaled !== 0n && b.unscaled !== 0n) {
    // The smaller operand is negligible: avoids a huge power of ten.
    return a.exponent > b.exponent ? [a.unscaled, 0n, a.exponent] : [0n, b.unscaled, b.exponent];
  }
  if (a.unscaled === 0n) return [0n, b.unscaled, b.exponent];
  if (b.unscaled === 0n) return [a.unscaled, 0n, a.exponent];
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.unscaled * 10n ** BigInt(a.exponent - exponent),
    b.unscaled * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ];
}
