const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Below npm, Ctrl+C delivers two signals: the terminal signals the whole process group, and npm forwards its own. So
 * only one after this delay counts as the second.
 */
const repeatAfterMs = process.env['npm_lifecycle_event'] === undefined ? 0 : 1_000;

/** Resolves at the first signal; the second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (): void => {
      const nowMs = performance.now();
      if (firstMs !== undefined && nowMs - firstMs >= repeatAfterMs) process.exit(1);
      firstMs ??= nowMs;
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
