import { describe, expect, test } from 'vitest';
import { ownAsyncDisposableStack, ownDisposableStack } from '../../scripts/disposable-stacks.mjs';

/** What a stack does, as lines; the same plays on Node's classes and on ours. */
type Play<T> = (stack: T, log: (line: unknown) => void) => unknown;

function failing(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

const plays: { readonly [title: string]: Play<DisposableStack> } = {
  'disposes in reverse order, once': (stack, log) => {
    stack.defer(() => log('deferred'));
    log(stack.adopt(1, (value) => log(['adopted', value])));
    stack.use({ [Symbol.dispose]: () => log('used') });
    log(stack.use(null));
    log(stack.disposed);
    stack.dispose();
    stack[Symbol.dispose]();
    log(stack.disposed);
    stack.defer(() => log('late'));
  },
  'moves its contents': (stack, log) => {
    stack.defer(() => log('moved'));
    const moved = stack.move();
    stack.dispose();
    log([stack.disposed, moved.disposed, moved[Symbol.toStringTag]]);
    moved.dispose();
    stack.move();
  },
  'disposes of all even if some fail': (stack, log) => {
    stack.defer(() => log('first'));
    stack.defer(failing('second'));
    stack.defer(() => log('third'));
    stack.defer(failing('fourth'));
    stack.defer(failing('fifth'));
    stack.dispose();
  },
  'refuses what cannot be disposed of': (stack) => stack.use({} as Disposable),
  'refuses what is no function': (stack) => stack.defer(1 as never),
};

/** Plays with a stack whose disposers are waited for. */
const asyncPlays: { readonly [title: string]: Play<AsyncDisposableStack> } = {
  'waits for each disposer': async (stack, log) => {
    stack.defer(async () => {
      await Promise.resolve();
      log('deferred');
    });
    stack.use({ [Symbol.asyncDispose]: async () => log(await Promise.resolve('used')) });
    stack.use({ [Symbol.dispose]: () => log('used at once') });
    log(stack.adopt(1, async (value) => log([await Promise.resolve('adopted'), value])));
    const moved = stack.move();
    await stack.disposeAsync();
    log('moved');
    await moved[Symbol.asyncDispose]();
    log([stack.disposed, moved.disposed, moved[Symbol.toStringTag]]);
    stack.defer(() => log('late'));
  },
  'disposes of all even if some fail': async (stack, log) => {
    stack.defer(() => log('first'));
    stack.defer(() => Promise.reject(new Error('second')));
    stack.defer(failing('third'));
    await stack.disposeAsync();
  },
};

/** Names and what they tell of each other, but not the messages of the engine. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name !== 'SuppressedError') return error.name === 'Error' ? error.message : error.name;
  const { error: last, suppressed } = error as SuppressedError; // by its name
  return { last: describeError(last), suppressed: describeError(suppressed) };
}

async function played<T>(play: Play<T>, make: () => T): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  try {
    await play(make(), (line) => lines.push(line));
  } catch (error) {
    lines.push({ thrown: describeError(error) });
  }
  return lines;
}

describe('what Node 22 is given does what newer releases do', () => {
  test.each(Object.entries(plays))('a stack %s', async (_title, play) => {
    const wanted = await played(play, () => new DisposableStack());
    expect(wanted.length).toBeGreaterThan(0);
    expect(await played(play, () => new ownDisposableStack())).toEqual(wanted);
  });

  test.each(Object.entries(asyncPlays))('an asynchronous stack %s', async (_title, play) => {
    const wanted = await played(play, () => new AsyncDisposableStack());
    expect(wanted.length).toBeGreaterThan(0);
    expect(await played(play, () => new ownAsyncDisposableStack())).toEqual(wanted);
  });
});
