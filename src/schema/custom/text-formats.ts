import { isIP } from 'node:net';
import { parseDuration } from '../../api/time/duration.ts';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';

/** Whether a string has a format. */
type Check = (text: string) => boolean;

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const matches =
  (expression: RegExp): Check =>
  (text) =>
    expression.test(text);

/** String formats that custom resources are validated against, named without dashes. */
const formats: { readonly [name: string]: Check } = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  // With or without a display name.
  email: matches(/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@"(),:;[\]\\]+@[^\s<>@"(),:;[\]\\]+)$/),
  hostname: isHostname,
  ipv4: (text) => isIP(withoutLeadingZeros(text)) === 4 || (text.includes('.') && isIP(text) === 6),
  ipv6: (text) => isIP(text) === 6 && !text.includes('%'),
  cidr: isCidr,
  mac: isMac,
  uuid: matches(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: (text) => rgbColor.test(text),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  k8sshortname: (text) => text.length <= 63 && label.test(text),
  k8slongname: (text) => text.length <= 253 && text.split('.').every((part) => label.test(part)),
};

export function isTextFormat(format: string): boolean {
  return Object.hasOwn(formats, format.replaceAll('-', ''));
}

/** Whether a string has a format; undefined for unknown formats. */
export function hasFormat(format: string, text: string): boolean | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) ? formats[name]?.(text) : undefined;
}

const hardwareAddress =
  /^(?:[0-9a-f]{2}(?::[0-9a-f]{2})*|[0-9a-f]{2}(?:-[0-9a-f]{2})*|[0-9a-f]{4}(?:\.[0-9a-f]{4})*|(?:[0-9a-f]{2})*)$/i;

/** A MAC address of 6, 8 or 20 bytes, with one kind of separator or none. */
function isMac(text: string): boolean {
  return hardwareAddress.test(text) && [12, 16, 40].includes(text.replaceAll(/[:.-]/g, '').length);
}

function isRequestUri(text: string): boolean {
  if (text === '') return false;
  try {
    const { scheme } = parseGoUrl(text.replaceAll('#', '%23'));
    return scheme !== '' || text.startsWith('/') || text === '*';
  } catch (error) {
    if (error instanceof GoUrlError) return false;
    throw error;
  }
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  const fits = Buffer.byteLength(text) <= 255 && text.split('.').every((part) => Buffer.byteLength(part) <= 63);
  return fits && hostname.test(text);
}

function withoutLeadingZeros(address: string): string {
  return address.replace(/(^|\.)0+(?=\d)/g, '$1');
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address.includes(':') ? address : withoutLeadingZeros(address));
  return more.length === 0 && family > 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

const digits = (text: string): number[] => [...text].map((char) => (char === 'X' ? 10 : Number(char)));

function isIsbn10(text: string): boolean {
  const plain = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(plain)) return false;
  return digits(plain).reduce((sum, digit, index) => sum + (index + 1) * digit, 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const plain = text.replace(/[\s-]+/g, '');
  return (
    /^[0-9]{13}$/.test(plain) &&
    digits(plain).reduce((sum, digit, index) => sum + (index % 2 ? 3 : 1) * digit, 0) % 10 === 0
  );
}

const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const plain = text.replace(/\D+/g, '');
  const sum = digits(plain)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 ? ((digit * 2) % 10) + Math.floor(digit / 5) : digit), 0);
  return creditCard.test(plain) && sum % 10 === 0;
}

const rgbPart = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';
const rgbColor = new RegExp(`^rgb\\(${rgbPart},${rgbPart},${rgbPart}\\)$`);

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.slice(1).map(Number) ?? [];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [hours = '', minutes = '', seconds = ''] =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time)?.slice(1) ?? [];
  return hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

const durationUnit = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

/** `1h30m`, and Scala's form: `2 hours`. */
function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    // Any parse error means that it is in the other form.
    for (const [, unit = ''] of text.matchAll(/\d\s*([A-Za-zµ]+)/g)) if (durationUnit.test(unit)) return true;
    return false;
  }
}
