import { methodVerbs, parseRequestInfo } from '../request/request-info.ts';
import type { Stage } from '../request/request-context.ts';
import type { Verb } from '../request/verb.ts';

/** Parses method, path and query. */
export function requestInfoStage(verbs: Iterable<Verb>): Stage {
  const byMethod = methodVerbs(verbs);
  return {
    name: 'request-info',
    run(context) {
      const { method, path } = context.exchange;
      context.info = parseRequestInfo({ method, path, query: context.query }, byMethod);
    },
  };
}
