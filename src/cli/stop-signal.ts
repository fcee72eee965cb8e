const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ctrl+C may deliver several signals (the terminal signals the whole process group, and npm forwards its own),
 * so only a signal after this delay counts as the second.
 */
const repeatAfterMs = 1_000;

/** Resolves at the first signal; the second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (): void => {
      const nowMs = performance.now();
      firstMs ??= nowMs;
      if (nowMs - firstMs > repeatAfterMs) process.exit(1);
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
