/** Node decodes header values as Latin-1. */
export function headerText(value: string): string {
  return /[\u0080-\u00ff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** Decodes the key in a header name. Invalid percent-encoding stays as it is; invalid UTF-8 is replaced. */
export function unescapedKey(key: string): string {
  if (!key.includes('%') || /%(?![0-9a-f]{2})/i.test(key)) return key;
  const bytes = key.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
