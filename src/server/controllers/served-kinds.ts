import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { ServedKinds } from '../../controllers/served-kinds.ts';
import { clientResource } from '../../client/in-process-client.ts';

/** The kinds of the current catalogue. */
export function servedKinds(catalogue: LiveCatalogue): ServedKinds {
  return {
    ofResource({ group, version, resource }) {
      const { current } = catalogue;
      const groups = group === '' ? current.groups.map(({ name }) => name) : [group];
      return groups.flatMap((name) => {
        const served = current.served(name, version, resource)?.resource;
        return served ?? [];
      });
    },
    ofKind: (kind) => catalogue.current.resourceOf(kind)?.resource,
    preferred({ group, resource }) {
      const { current } = catalogue;
      const versions = current.group(group)?.versions ?? [];
      const found = versions
        .map(({ version }) => current.served(group, version, resource))
        .find((each) => each !== undefined);
      return found === undefined ? undefined : clientResource(found.resource);
    },
  };
}
