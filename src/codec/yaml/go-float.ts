// Floats as Go's `%g` prints them: with an exponent below 1e-4 and from 1e6 on.

/** The shortest text that identifies a double. */
export function goFloatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  return arranged(value, value.toExponential());
}

/** The shortest text that identifies a 32-bit float, as mapping keys are written. */
export function goFloat32Text(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return Number.isNaN(single) ? '.nan' : single > 0 ? '.inf' : '-.inf';
  let scientific = single.toExponential(8);
  for (let digits = 0; digits < 8; digits++) {
    if (Math.fround(Number(single.toExponential(digits))) !== single) continue;
    scientific = single.toExponential(digits);
    break;
  }
  return arranged(single, scientific);
}

/** An exponent is used only where `%g` does. */
function arranged(value: number, scientific: string): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = scientific.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < -4 || exponent >= 6) {
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const sign = value < 0 ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}
