/** The time passed since `performance.now()` was `beganMs`, in seconds. */
export function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000;
}
