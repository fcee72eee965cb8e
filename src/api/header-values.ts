/** Node decodes header values as Latin-1. */
export function headerText(value: string): string {
  return /[\u0080-\u00ff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** Decodes the key in a header name. Invalid percent-encoding stays as it is. */
export function unescapedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
