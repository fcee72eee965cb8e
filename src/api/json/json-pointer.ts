// Steps of JSON pointers (RFC 6901): `~` is written `~0`, and `/` is written `~1`.

export function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
