/** Splits a type name into package and name; unqualified names belong to `packageKey`. */
export function splitTypeName(expression: string, packageKey: string): { packageKey: string; name: string } {
  const dot = expression.lastIndexOf('.');
  return dot === -1
    ? { packageKey, name: expression }
    : { packageKey: expression.slice(0, dot), name: expression.slice(dot + 1) };
}

/**
 * Formats a type expression of the table like Go's reflection: `[]Container` of `core/v1` is `[]v1.Container`,
 * `map[ResourceName]resource.Quantity` is `map[v1.ResourceName]resource.Quantity`, `[]byte` is `[]uint8`.
 */
export function goTypeText(expression: string, packageKey: string): string {
  return expression.replaceAll(/[\w./-]+(?:\{\})?/g, (whole) => {
    const name = afterSlash(whole);
    if (name.endsWith('{}') || name === 'any') return 'interface {}';
    if (name.includes('.')) return name;
    if (name === 'byte') return 'uint8';
    return /^[A-Z]/.test(name) ? `${afterSlash(packageKey)}.${name}` : whole;
  });
}

function afterSlash(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
