import { expect, test } from 'vitest';
import { runPipeline } from './pipeline.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/** The part of a context that the pipeline touches. */
function contextOf(): RequestContext {
  const context = { failure: undefined, end: () => undefined, outcome: () => ({ code: 200 }) };
  return context as unknown as RequestContext;
}

async function told(stages: readonly Stage[], heard: string[]): Promise<readonly string[]> {
  const pipeline = {
    stages,
    onError: async (_: RequestContext, error: unknown) => void heard.push(`failure ${String(error)}`),
    onEndError: (_: RequestContext, error: unknown) => void heard.push(`failed end ${String(error)}`),
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
  await told([stageOf('a', heard), { name: 'b', run: () => undefined }, stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'c', 'end of c', 'end of a']);
});

test('a stage that throws ends as well, after the answer, and those behind it never begin', async () => {
  const heard: string[] = [];
  const fail = (): Promise<void> => Promise.reject(new RangeError('no'));
  await told([stageOf('a', heard), stageOf('b', heard, fail), stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'b', 'failure RangeError: no', 'end of b', 'end of a']);
});

test('an end that fails keeps no other from its own', async () => {
  const heard: string[] = [];
  const failing: Stage = {
    name: 'b',
    run: () => undefined,
    end() {
      throw new RangeError('late');
    },
  };
  await told([stageOf('a', heard), failing, stageOf('c', heard)], heard);
  expect(heard).toEqual(['a', 'c', 'end of c', 'failed end RangeError: late', 'end of a']);
});
