export const ownDisposableStack: typeof DisposableStack;
export const ownAsyncDisposableStack: typeof AsyncDisposableStack;
