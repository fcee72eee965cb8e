import type { OutgoingHttpHeaders } from 'node:http2';

// Headers as node reads and writes them: a flat list of names and values, in the order of the message.

const noValues: readonly string[] = [];

/** Names and values, one after the other. */
export function* headerFields(list: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < list.length; index += 2) yield [list[index] ?? '', list[index + 1] ?? ''];
}

/** The values of a header, by its lower-case name; runs for every request and response. */
export function headerValues(list: readonly string[], wanted: string): readonly string[] {
  let found: string[] | undefined;
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = list[index] ?? '';
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    (found ??= []).push(list[index + 1] ?? '');
  }
  return found ?? noValues;
}

/** Whether any header name starts with `prefix`, in lower case; runs for every request. */
export function hasHeaderLike(list: readonly string[], prefix: string): boolean {
  const initial = prefix.charCodeAt(0);
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] ?? '';
    // A letter differs from its lower case only in bit 0x20.
    if ((name.charCodeAt(0) | 0x20) === initial && name.toLowerCase().startsWith(prefix)) return true;
  }
  return false;
}

/** Lower-case names, and values, of the headers whose names start with `prefix`. */
export function headersLike(list: readonly string[], prefix: string): (readonly [name: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase();
    if (name.startsWith(prefix)) found.push([name, list[index + 1] ?? '']);
  }
  return found;
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const takesLists = major > 24 || (major === 24 && minor >= 7) || (major === 22 && minor >= 20);

/**
 * Headers for `node:http2`, from a list of names and values. It makes a frame of a list at once, and copies an object
 * first, which costs a tenth of a small get; releases of Node before 22.20 and 24.7 take nothing but objects.
 */
export const http2Headers: (list: readonly string[]) => OutgoingHttpHeaders | readonly string[] = takesLists
  ? (list) => list
  : headersAsObject;

/** Values of a name that occurs several times become an array. */
export function headersAsObject(list: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of headerFields(list)) {
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
