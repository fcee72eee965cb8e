/** An annotation that has been replaced, and what is said of it. */
export interface DeprecatedAnnotation {
  readonly key: string;
  readonly text: string;
}

/** Warnings of the deprecated ones among the annotations. */
export function annotationWarnings(
  path: string,
  annotations: { readonly [key: string]: string } = {},
  deprecated: readonly DeprecatedAnnotation[],
): string[] {
  return deprecated.flatMap(({ key, text }) => (annotations[key] === undefined ? [] : [`${path}[${key}]: ${text}`]));
}
