import type { Outcome, RequestContext, Stage } from '../request/request-context.ts';

/**
 * Runs a request through the stages in order and hands what any of them throws to `onError`. Then those that began hear of the
 * end, the last first, whatever happened; what an end throws goes to `onEndError`. Nothing escapes but failures of these two.
 */
export interface Pipeline {
  readonly stages: readonly Stage[];
  onError(context: RequestContext, error: unknown): Promise<void>;
  onEndError(context: RequestContext, error: unknown): void;
}

export async function runPipeline(pipeline: Pipeline, context: RequestContext): Promise<void> {
  const { stages } = pipeline;
  let begun = 0;
  try {
    for (const stage of stages) {
      begun += 1;
      const pending = stage.run(context);
      if (pending !== undefined) await pending;
    }
  } catch (error) {
    context.failure = error;
    await pipeline.onError(context, error);
  } finally {
    context.end();
    const outcome = context.outcome();
    for (let index = begun - 1; index >= 0; index -= 1) {
      if (stages[index]?.end !== undefined) endStage(pipeline, stages[index], { context, outcome });
    }
  }
}

/** One that fails keeps no other from its end. */
function endStage(
  pipeline: Pipeline,
  stage: Stage | undefined,
  { context, outcome }: { readonly context: RequestContext; readonly outcome: Outcome },
): void {
  try {
    stage?.end?.(context, outcome);
  } catch (error) {
    pipeline.onEndError(context, error);
  }
}
