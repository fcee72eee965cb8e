/** The tag of an image reference: `latest` when it has neither tag nor digest, empty when a digest alone says which. */
export function imageTag(image: string): string {
  const [named = '', digest] = image.split('@', 2);
  const colon = named.lastIndexOf(':');
  // A colon before the last slash belongs to the port of a registry.
  if (colon > named.lastIndexOf('/')) return named.slice(colon + 1);
  return digest === undefined ? 'latest' : '';
}
