import { checkHealth, checkOne, type HealthCheck, type HealthObserver } from './health.ts';
import { notFoundPage, type PathHandler } from './non-resource-routes.ts';
import { respondText } from '../responses/respond.ts';

/** Handler of a health endpoint and its individual checks, such as `/livez` and `/livez/ping`. */
export function healthHandler(
  endpoint: string,
  { checks, observe }: { readonly checks: () => readonly HealthCheck[]; readonly observe: HealthObserver },
): PathHandler {
  return async (context) => {
    const { path } = context;
    if (path === `/${endpoint}`) {
      const excluded = new Set(context.query.getAll('exclude'));
      const query = { verbose: context.query.has('verbose'), excluded, observe };
      const { code, body } = await checkHealth(endpoint, checks(), query);
      respondText(context, code, body);
      return;
    }
    const name = path.slice(endpoint.length + 2);
    const check = checks().find((candidate) => candidate.name === name);
    if (check === undefined) return notFoundPage(context);
    const { code, body } = await checkOne(check);
    respondText(context, code, body, { sniff: code === 200 });
  };
}
