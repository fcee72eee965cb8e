import { goQuote } from '../../api/go/go-quote.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import type { JsonValue } from '../../api/json/json.ts';
import type { LogLine } from '../../api/contracts/log.ts';
import { lineErrorOf } from './line-error.ts';
import { fileName } from './verbosity.ts';

// klog's format:
//
//     I1129 00:44:23.123456   12345 httplog.ts:12] "HTTP" verb="GET" resp=200
//     W1129 00:44:23.123456   12345 call-hook.ts:12] Failed calling webhook ...

const letters = { info: 'I', warning: 'W', error: 'E' } as const;

/** `nowMs`: since the epoch, with a fraction. */
export function textLine(line: LogLine, nowMs: number): string {
  const { severity, site, message, isText = false } = line;
  const head = `${letters[severity]}${localTime(nowMs)} ${String(process.pid).padStart(7)} ${fileName(site)}:${site.line}] `;
  const text = isText ? message : goQuote(message);
  return `${head}${text}${valuesOf(line)}\n`;
}

function valuesOf({ error, values = {} }: LogLine): string {
  const failed = error === undefined ? undefined : lineErrorOf(error);
  const all = { ...(failed === undefined ? {} : { err: failed.text }), ...values, stack: failed?.stack };
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}${shown(value)}`)
    .join('');
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return `=${encodeRaw(value as JsonValue)}`; // values are plain data
  if (!value.includes('\n')) return `=${goQuote(value)}`;
  const lines = value.replace(/\n$/, '').split('\n');
  return `=<\n${lines.map((text) => `\t${text}\n`).join('')} >`;
}

/** `1129 00:44:23.123456` */
function localTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const micros = String(Math.floor((ms % 1_000) * 1_000)).padStart(6, '0');
  const day = `${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${micros}`;
}
