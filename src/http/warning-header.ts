const maxTotalChars = 4096;
const maxItemChars = 256;

/** Values of the Warning headers (RFC 7234 section 5.5, code 299), shortened when there are many. */
export function warningHeaders(texts: Iterable<string>): string[] {
  const all = [...texts];
  const total = all.reduce((sum, text) => sum + text.length, 0);
  return all.map((text) => `299 - ${quote(total > maxTotalChars ? text.slice(0, maxItemChars) : text)}`);
}

/** A quoted-string of RFC 7230; control characters cannot stand in a header. */
function quote(text: string): string {
  const printable = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
  const bytes = Buffer.from(printable.replace(/["\\]/g, '\\$&'), 'utf8');
  // Headers carry bytes; node writes each character of a string as one.
  return `"${bytes.toString('latin1')}"`;
}
