/** A deprecated annotation and its warning. */
export interface DeprecatedAnnotation {
  readonly key: string;
  readonly text: string;
}

/** Warnings about deprecated annotations. */
export function annotationWarnings(
  path: string,
  annotations: { readonly [key: string]: string } = {},
  deprecated: readonly DeprecatedAnnotation[],
): string[] {
  const warnings: string[] = [];
  for (const { key, text } of deprecated) {
    if (annotations[key] !== undefined) warnings.push(`${path}[${key}]: ${text}`);
  }
  return warnings;
}
