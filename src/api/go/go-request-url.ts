/** Kept as they are, escaped or not. */
const plainPath = /^[\w\-.~$&+,/:;=@]*$/;
const plainQuery = /^[\w\-.~]*(?:=[\w\-.~]*)?$/;

/** A path as Go writes it once it has been decoded: with the fewest escapes. */
export function goPath(path: string): string {
  if (plainPath.test(path)) return path;
  try {
    return encodeURI(decodeURIComponent(path)).replaceAll(/[?#!'()*]/g, hex);
  } catch {
    // Escapes of no text.
    return path;
  }
}

/** A query as Go writes it once it has been read: sorted by name. */
export function goQuery(query: string): string {
  if (plainQuery.test(query)) return query.includes('=') || query === '' ? query : `${query}=`;
  const values = new URLSearchParams(query);
  values.sort();
  return [...values].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, hex)
    .replaceAll('%20', '+');
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
