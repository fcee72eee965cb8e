/** Node hands the bytes of header values out as Latin-1. */
export function headerText(value: string): string {
  return /[\u0080-\u00ff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** A key out of the name of a header. What is not percent-encoded properly stays as it is. */
export function unescapedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
