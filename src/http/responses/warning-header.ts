const maxTotalChars = 4096;
const maxItemChars = 256;

/** Values of the Warning headers (RFC 7234 section 5.5, code 299), truncated beyond a total length. */
export function warningHeaders(texts: Iterable<string>): string[] {
  let kept: string[] = [];
  let total = 0;
  let shortens = false;
  for (const text of texts) {
    if (shortens && total >= maxTotalChars) break;
    kept.push(shortens ? shortened(text) : text);
    total += lengthOf(kept.at(-1) ?? '');
    if (shortens || total <= maxTotalChars) continue;
    // The first text over the limit truncates the earlier ones as well.
    shortens = true;
    kept = kept.map(shortened);
    total = kept.reduce((sum, item) => sum + lengthOf(item), 0);
  }
  return kept.filter(isPrintable).map((text) => `299 - ${quote(text)}`);
}

function shortened(text: string): string {
  return text.length > maxItemChars ? [...text].slice(0, maxItemChars).join('') : text;
}

/** In characters; texts that cannot go into a header count as empty. */
function lengthOf(text: string): number {
  return isPrintable(text) ? [...text].length : 0;
}

function isPrintable(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

/** A quoted-string of RFC 7230. */
function quote(text: string): string {
  const bytes = Buffer.from(text.replace(/["\\]/g, '\\$&'), 'utf8');
  // Header values are bytes; node writes each character as one byte.
  return `"${bytes.toString('latin1')}"`;
}
