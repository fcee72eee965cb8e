// What Node 22 lacks of explicit resource management: the bundle refers to these in place of the globals. `using`
// itself becomes other statements when it is built, and the symbols exist.

const disposed = () => new ReferenceError('the stack is disposed');

/** Disposers in order of their addition, which run in reverse order, all of them, whatever some throw. */
class Stack {
  #disposers = [];
  #isDisposed = false;

  get disposed() {
    return this.#isDisposed;
  }

  defer(disposer) {
    if (typeof disposer !== 'function') throw new TypeError('the disposer is not a function');
    this.add(disposer);
  }

  adopt(value, disposer) {
    if (typeof disposer !== 'function') throw new TypeError('the disposer is not a function');
    this.add(() => disposer(value));
    return value;
  }

  move() {
    const moved = new this.constructor();
    for (const disposer of this.take()) moved.add(disposer);
    return moved;
  }

  add(disposer) {
    if (this.#isDisposed) throw disposed();
    this.#disposers.push(disposer);
  }

  take() {
    if (this.#isDisposed) throw disposed();
    this.#isDisposed = true;
    const taken = this.#disposers;
    this.#disposers = [];
    return taken;
  }
}

/** What several disposers throw: the last error, which knows of those before. */
function suppressing(error, before) {
  if (before === undefined) return { error };
  const suppressed = before.error;
  return { error: Object.assign(new Error('An error was suppressed'), { name: 'SuppressedError', error, suppressed }) };
}

function methodOf(value, symbol) {
  const method = value[symbol];
  if (typeof method !== 'function') throw new TypeError('the value cannot be disposed');
  return method;
}

class DisposableStackOfOurs extends Stack {
  get [Symbol.toStringTag]() {
    return 'DisposableStack';
  }

  use(value) {
    if (value === null || value === undefined) return value;
    const method = methodOf(value, Symbol.dispose);
    this.add(() => method.call(value));
    return value;
  }

  dispose() {
    if (this.disposed) return;
    let failure;
    for (const disposer of this.take().reverse()) {
      try {
        disposer();
      } catch (error) {
        failure = suppressing(error, failure);
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

class AsyncDisposableStackOfOurs extends Stack {
  get [Symbol.toStringTag]() {
    return 'AsyncDisposableStack';
  }

  use(value) {
    if (value === null || value === undefined) return value;
    // The result of a synchronous method is not waited for.
    const isAsync = value[Symbol.asyncDispose] !== null && value[Symbol.asyncDispose] !== undefined;
    const method = methodOf(value, isAsync ? Symbol.asyncDispose : Symbol.dispose);
    this.add(isAsync ? () => method.call(value) : () => void method.call(value));
    return value;
  }

  async disposeAsync() {
    if (this.disposed) return;
    let failure;
    for (const disposer of this.take().reverse()) {
      try {
        await disposer();
      } catch (error) {
        failure = suppressing(error, failure);
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  [Symbol.asyncDispose]() {
    return this.disposeAsync();
  }
}

export const ownDisposableStack = DisposableStackOfOurs;
export const ownAsyncDisposableStack = AsyncDisposableStackOfOurs;
const DisposableStack = globalThis.DisposableStack ?? DisposableStackOfOurs;
const AsyncDisposableStack = globalThis.AsyncDisposableStack ?? AsyncDisposableStackOfOurs;
export { AsyncDisposableStack, DisposableStack };
