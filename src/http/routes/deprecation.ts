import { formatApiVersion } from '../../api/group-version.ts';
import type { Resource } from '../../schema/resource.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Warns those who ask for a version that is on its way out (specification, "API version lifecycle"). */
export function warnOfDeprecation(context: RequestContext, resource: Resource): void {
  const { group, version, kind, deprecated, deprecationWarning, removed, replacement } = resource;
  if (deprecationWarning !== undefined) context.warnings.add(deprecationWarning);
  if (deprecated === undefined) return;
  let text = `${formatApiVersion(group, version)} ${kind} is deprecated in v${deprecated}+`;
  if (removed !== undefined) text += `, unavailable in v${removed}+`;
  if (replacement !== undefined)
    text += `; use ${formatApiVersion(replacement.group, replacement.version)} ${replacement.kind}`;
  context.warnings.add(text);
}
