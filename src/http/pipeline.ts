import type { RequestContext, Stage } from './request-context.ts';

/**
 * Runs a request through the stages in order and hands what any of them throws to `onError`; nothing escapes.
 * `onFinish` runs once at the end, whatever happened.
 */
export interface Pipeline {
  readonly stages: readonly Stage[];
  onError(context: RequestContext, error: unknown): Promise<void>;
  onFinish(context: RequestContext): void;
}

export async function runPipeline(pipeline: Pipeline, context: RequestContext): Promise<void> {
  try {
    for (const stage of pipeline.stages) {
      const pending = stage.run(context);
      if (pending !== undefined) await pending;
    }
  } catch (error) {
    await pipeline.onError(context, error);
  } finally {
    context.end();
    pipeline.onFinish(context);
  }
}
