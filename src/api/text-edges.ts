// Patterns such as / +$/ take quadratic time: they begin anew at every blank.

/** A text without what it ends with of `chars`. */
export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without what it begins and ends with of `chars`. */
export function withoutEdges(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text.charAt(start))) start += 1;
  return withoutEnd(text.slice(start), chars);
}

/** Unicode's White_Space that is no control character; with those it is what Go takes for space. */
export const blanks =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
export const whiteSpace = `\t\n\v\f\r\u0085${blanks}`;
