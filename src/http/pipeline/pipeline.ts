import { PassOn } from '../request/lanes.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/**
 * Runs a request through the stages in order and passes errors to `onError`. Stages that have begun are notified when
 * the response starts and when the request has ended, last one first; errors they throw then go to `onNoticeError`.
 * Only failures of these two handlers escape. A stage that throws a `PassOn` has another thread serve the request.
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
      // Only subscribe to the exchange for stages that listen.
      if (stage.started !== undefined) {
        context.exchange.onStart ??= () =>
          tell(pipeline, { context, begun }, (observer) => observer.started?.(context));
      }
      const pending = stage.run(context);
      if (pending !== undefined) await pending;
      if (context.isAnswered) break;
    }
  } catch (error) {
    if (error instanceof PassOn) passOn(context, error);
    else {
      context.failure = error;
      await pipeline.onError(context, error);
    }
  } finally {
    context.end();
    const outcome = context.outcome();
    tell(pipeline, { context, begun }, (stage) =>
      context.isPassedOn ? stage.passedOn?.(context) : stage.end?.(context, outcome),
    );
  }
}

function passOn(context: RequestContext, { lane, begun }: PassOn): void {
  context.isPassedOn = true;
  context.exchange.onStart = undefined;
  lane.handOver(context.exchange, begun);
}

/** Notifies the stages that have begun. One that throws does not keep the others from being notified. */
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
