const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * One press of Ctrl+C may arrive several times (the terminal signals the whole process group, and npm passes its own on),
 * so only a signal after this counts as a second wish.
 */
const repeatAfterMs = 1_000;

/** Resolves at the first signal to end; a second one ends the process at once. */
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
