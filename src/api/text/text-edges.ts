// Patterns such as / +$/ take quadratic time: they restart at every blank.

/** Strips trailing characters of `chars`. */
export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Strips leading and trailing characters of `chars`. */
export function withoutEdges(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text.charAt(start))) start += 1;
  return withoutEnd(text.slice(start), chars);
}

/** Unicode White_Space without control characters; together with those it is Go's notion of space. */
export const blanks =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
export const whiteSpace = `\t\n\v\f\r\u0085${blanks}`;
