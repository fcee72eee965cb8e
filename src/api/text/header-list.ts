import type { OutgoingHttpHeaders } from 'node:http2';

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
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [name = '', value = ''] = list.slice(at, at + 2);
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
