import { expect, test } from 'vitest';
import { runPipeline } from './pipeline.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/** The part of a context that the pipeline uses. */
function contextOf(): RequestContext {
  const exchange = { onStart: undefined };
  const context = { exchange, failure: undefined, end: () => undefined, outcome: () => ({ code: 200 }) };
  return context as unknown as RequestContext;
}

async function logOf(stages: readonly Stage[], heard: string[]): Promise<readonly string[]> {
  const pipeline = {
    stages,
    onError: async (_: RequestContext, error: unknown) => void heard.push(`failure ${String(error)}`),
    onNoticeError: (_: RequestContext, error: unknown) => void heard.push(`failed notice ${String(error)}`),
  };
  await runPipeline(pipeline, contextOf());
  return heard;
}

const stageOf = (name: string, heard: string[], run: Stage['run'] = () => undefined): Stage => ({
  name,
  run(context) {
    heard.push(name);
    return run(context);
  },
  end: () => void heard.push(`end of ${name}`),
});

test('stages end in reverse order', async () => {
  const heard: string[] = [];
  await logOf([stageOf('a', heard), { name: 'b', run: () => undefined }, stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'c', 'end of c', 'end of a']);
});

test('a stage that throws ends as well, after the response, and later ones never begin', async () => {
  const heard: string[] = [];
  const fail = (): Promise<void> => Promise.reject(new RangeError('no'));
  await logOf([stageOf('a', heard), stageOf('b', heard, fail), stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'b', 'failure RangeError: no', 'end of b', 'end of a']);
});

test('an end that throws does not keep others from ending', async () => {
  const heard: string[] = [];
  const failing: Stage = {
    name: 'b',
    run: () => undefined,
    end() {
      throw new RangeError('late');
    },
  };
  await logOf([stageOf('a', heard), failing, stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'c', 'end of c', 'failed notice RangeError: late', 'end of a']);
});

test('stages that have begun are notified when the response starts, last first, whatever one of them does', async () => {
  const heard: string[] = [];
  const hearing = (name: string, run?: Stage['run']): Stage => ({
    ...stageOf(name, heard, run),
    started() {
      heard.push(`start after ${name}`);
      if (name === 'b') throw new RangeError('late');
    },
  });
  const answer: Stage['run'] = ({ exchange }) => exchange.onStart?.();
  await logOf([hearing('a'), stageOf('deaf', heard), hearing('b'), hearing('c', answer), hearing('d')], heard);
  expect(heard.slice(0, heard.indexOf('d'))).toEqual([
    'a',
    'deaf',
    'b',
    'c',
    'start after c',
    'start after b',
    'failed notice RangeError: late',
    'start after a',
  ]);
});

test('nothing is notified if no stage listens', async () => {
  const heard: string[] = [];
  let isNotified = true;
  await logOf([stageOf('a', heard, ({ exchange }) => void (isNotified = exchange.onStart !== undefined))], heard);
  expect(isNotified).toBe(false);
});
