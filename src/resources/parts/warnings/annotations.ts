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
  return deprecated.flatMap(({ key, text }) => (annotations[key] === undefined ? [] : [`${path}[${key}]: ${text}`]));
}
