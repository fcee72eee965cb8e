// Doubles as `format` prints them: English digit grouping, exponents as superscripts.

const superscripts = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';

/** `12,345.68` */
export function localizedFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const text = exactFixed(Math.abs(value), precision);
  const [whole = '', fraction] = text.split('.');
  const first = whole.length % 3;
  const groups = whole.slice(first).match(/\d{3}/g) ?? [];
  const grouped = [whole.slice(0, first), ...groups].filter((group) => group !== '').join(',');
  return `${signOf(value)}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `1.052033\u00d710\u2070\u00b3` */
export function localizedScientific(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential(6).split('e');
  const power = Math.abs(Number(exponent)).toString().padStart(2, '0');
  const raised = [...power].map((digit) => superscripts[Number(digit)] ?? '').join('');
  return `${signOf(value)}${digits}\u00d710${Number(exponent) < 0 ? '\u207b' : ''}${raised}`;
}

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '\u221e' : '-\u221e';
}

function signOf(value: number): string {
  return value < 0 ? '-' : '';
}

/** Exact decimal expansion, rounded half to even, unlike `toFixed`. */
export function exactFixed(value: number, precision: number): string {
  const { digits, exponent } = binaryParts(Math.abs(value));
  const scaled = digits * 10n ** BigInt(precision);
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : roundedShift(scaled, BigInt(-exponent));
  const text = rounded.toString().padStart(precision + 1, '0');
  const whole = text.slice(0, text.length - precision);
  return `${signOf(value)}${whole}${precision === 0 ? '' : `.${text.slice(text.length - precision)}`}`;
}

function roundedShift(value: bigint, shift: bigint): bigint {
  const half = 1n << (shift - 1n);
  const rest = value & ((1n << shift) - 1n);
  const floor = value >> shift;
  return rest > half || (rest === half && (floor & 1n) === 1n) ? floor + 1n : floor;
}

/** The double is `digits * 2^exponent`. */
function binaryParts(value: number): { readonly digits: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return biased === 0
    ? { digits: fraction, exponent: -1074 }
    : { digits: fraction | (1n << 52n), exponent: biased - 1075 };
}
