import { isIP } from 'node:net';
import { withoutEdges } from '../api/text/text-edges.ts';
import type { PortRange } from '../server/config.ts';

/** Parses all occurrences of one flag, in order, as pflag does. Throws a FlagValueError. */
export type FlagType<T> = (texts: readonly string[]) => T;

/** A flag value of the wrong type; the message is a clause such as `"x" is not an integer`. */
export class FlagValueError extends Error {
  override readonly name = 'FlagValueError';
  readonly code = 'FLAG_VALUE';
}

/** A type whose last occurrence wins. */
function last<T>(read: (text: string) => T): FlagType<T> {
  return (texts) => read(texts.at(-1) ?? '');
}

export const string: FlagType<string> = last((text) => text);

/** Go's `strconv.ParseBool`. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

export function parseBoolean(text: string): boolean {
  const value = booleans.get(text);
  if (value === undefined) throw new FlagValueError(`"${text}" is neither true nor false`);
  return value;
}

export const boolean: FlagType<boolean> = last(parseBoolean);

const integerPattern = /^[+-]?(?:0x[0-9a-f]+|0b[01]+|0o?[0-7]*|[1-9][0-9]*)$/i;

/** Go's `strconv.ParseInt` with base 0: a leading 0 means octal. */
function parseInteger(text: string): number {
  if (!integerPattern.test(text)) throw new FlagValueError(`"${text}" is not an integer`);
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[+-]/, '').replace(/^0(?=[0-7])/, '0o');
  const value = sign * Number(digits);
  if (!Number.isSafeInteger(value)) throw new FlagValueError(`"${text}" is out of range`);
  return value;
}

export const integer: FlagType<number> = last(parseInteger);

/** Comma-separated; repetitions append. */
export const integers: FlagType<readonly number[]> = (texts) =>
  texts.flatMap((text) => text.split(',')).map((text) => parseInteger(text.trim()));

/** Checks a value. Throws a FlagValueError. */
export function port(value: number): number {
  if (value < 0 || value > 65_535) throw new FlagValueError(`${value} is not a port`);
  return value;
}

/** Go's `strconv.ParseFloat`, in decimal. */
export const number: FlagType<number> = last((text) => {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
    throw new FlagValueError(`"${text}" is not a number`);
  return Number(text);
});

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Go's `time.ParseDuration`, in milliseconds. */
export const duration: FlagType<number> = last((text) => {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) {
    throw new FlagValueError(`"${text}" is not a duration such as 1m30s`);
  }
  const parts = unsigned.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/gy);
  const totalMs = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0);
  return text.startsWith('-') ? -totalMs : totalMs;
});

export const ipAddress: FlagType<string> = last((text) => {
  const trimmed = text.trim();
  if (isIP(trimmed) === 0) throw new FlagValueError(`"${text}" is not an IP address`);
  return trimmed;
});

/** Comma-separated; double-quoted parts may contain commas; repetitions append. */
export const strings: FlagType<readonly string[]> = (texts) => texts.flatMap(splitCsv);

function splitCsv(text: string): readonly string[] {
  if (text === '') return [];
  // Each field with the comma before it: empty ones would not be matched otherwise.
  const fields = [...`,${text}`.matchAll(/,(?:"((?:[^"]|"")*)"(?=,|$)|([^",]*))/gy)];
  const consumed = fields.reduce((length, [match]) => length + match.length, 0);
  if (consumed !== text.length + 1) throw new FlagValueError(`"${text}" has a misplaced quote`);
  return fields.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '');
}

/** Each occurrence is one value, including commas. */
export const stringArray: FlagType<readonly string[]> = (texts) => texts;

/**
 * `key=value,"key=value,value"`: pairs with commas are quoted, but for one that stands alone; repetitions add, a later
 * value of a key wins.
 */
export const quotedStringMap: FlagType<ReadonlyMap<string, string>> = (texts) =>
  new Map(
    texts
      .flatMap((text) => (text.split('=').length === 2 ? [withoutEdges(text, '"')] : splitCsv(text)))
      .map((pair) => splitPair(pair)),
  );

/** `key=value,key=value`; repetitions add, a later value of a key wins. */
export const stringMap: FlagType<ReadonlyMap<string, string>> = (texts) =>
  new Map(pairsOf(texts).map((pair) => splitPair(pair)));

function splitPair(pair: string): readonly [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at === -1) throw new FlagValueError(`"${pair}" is not of the form key=value`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** `key=value,key`: keys may lack a value; repetitions add, a later value of a key wins. */
export const configurationMap: FlagType<ReadonlyMap<string, string>> = (texts) =>
  new Map(pairsOf(texts).map((pair) => splitPair(pair.includes('=') ? pair : `${pair}=`)));

function pairsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
}

/** `name.namespace=host:port,name.namespace:443=[::1]:port`; names may end with `.svc`. */
export const serviceAddresses: FlagType<ReadonlyMap<string, { readonly host: string; readonly port: number }>> = (
  texts,
) => new Map([...stringMap(texts)].map(([service, address]) => [serviceName(service), hostAndPort(address)]));

function serviceName(text: string): string {
  const [host = '', port] = text.split(':');
  const name = host.endsWith('.svc') ? host.slice(0, -'.svc'.length) : host;
  if (name.split('.').length !== 2) throw new FlagValueError(`"${text}" is not of the form name.namespace[:port]`);
  return port === undefined ? name : `${name}:${port}`;
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const url = URL.parse(`https://${text}`);
  const at = text.lastIndexOf(':');
  const port = Number(text.slice(at + 1));
  if (url === null || url.pathname !== '/' || at === -1 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new FlagValueError(`"${text}" is not of the form host:port`);
  }
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port };
}

/**
 * `Gate=true,kube:Gate=false`: a component may precede the gate. Binnacle is the component `kube`, which is the
 * default; other components are an error.
 */
export const componentStrings: FlagType<readonly string[]> = (texts) =>
  texts
    .flatMap((text) => text.split(','))
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf(':');
      const component = part.slice(0, Math.max(at, 0)).trim();
      if (component !== '' && component !== 'kube') throw new FlagValueError(`unknown component "${component}"`);
      return part.slice(at + 1).trim();
    });

/** `30000-32767`, `30000+100` or `30000`. */
export const portRange: FlagType<PortRange> = last((text) => {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  if (!match) throw new FlagValueError(`"${text}" is not a port range such as 30000-32767`);
  const base = Number(match[1]);
  const highest = match[2] === '+' ? base + Number(match[3]) : Number(match[3] ?? base);
  if (highest < base || highest > 65_535) throw new FlagValueError(`"${text}" is not a range of ports up to 65535`);
  return { base, size: highest - base + 1 };
});
