/** Rules match decoded paths. Paths with invalid percent-encoding are matched unchanged. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
