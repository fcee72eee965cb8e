import type { RequestContext, Stage } from '../request/request-context.ts';

/**
 * Runs a request through the stages in order and hands what any of them throws to `onError`. Those that have begun are told when the
 * answer starts and when the request has ended, the last first; what they throw then goes to `onNoticeError`. Nothing escapes but
 * failures of these two.
 */
export interface Pipeline {
  readonly stages: readonly Stage[];
  onError(context: RequestContext, error: unknown): Promise<void>;
  onNoticeError(context: RequestContext, error: unknown): void;
}

export async function runPipeline(pipeline: Pipeline, context: RequestContext): Promise<void> {
  const { stages } = pipeline;
  let begun = 0;
  try {
    for (const stage of stages) {
      begun += 1;
      // Only stages that want to know it make an exchange tell.
      if (stage.started !== undefined) {
        context.exchange.onStart ??= () => tell(pipeline, { context, begun }, (told) => told.started?.(context));
      }
      const pending = stage.run(context);
      if (pending !== undefined) await pending;
    }
  } catch (error) {
    context.failure = error;
    await pipeline.onError(context, error);
  } finally {
    context.end();
    const outcome = context.outcome();
    tell(pipeline, { context, begun }, (stage) => stage.end?.(context, outcome));
  }
}

/** Tells the stages that have begun. One that fails keeps no other from hearing it. */
function tell(
  pipeline: Pipeline,
  { context, begun }: { readonly context: RequestContext; readonly begun: number },
  notice: (stage: Stage) => void,
): void {
  for (let index = begun - 1; index >= 0; index -= 1) {
    const stage = pipeline.stages[index];
    try {
      if (stage !== undefined) notice(stage);
    } catch (error) {
      pipeline.onNoticeError(context, error);
    }
  }
}
