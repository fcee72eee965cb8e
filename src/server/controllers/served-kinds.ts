import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { ServedKind, ServedKinds } from '../../controllers/served-kinds.ts';
import type { Resource } from '../../schema/resource.ts';

/** The kinds of the current catalogue. */
export function servedKinds(catalogue: LiveCatalogue): ServedKinds {
  return {
    ofResource({ group, version, resource }) {
      const { current } = catalogue;
      const groups = group === '' ? current.groups.map(({ name }) => name) : [group];
      return groups.flatMap((name) => {
        const served = current.served(name, version, resource)?.resource;
        return served === undefined ? [] : kindOf(served);
      });
    },
    ofKind(kind) {
      const found = catalogue.current.resourceOf(kind)?.resource;
      return found === undefined ? undefined : kindOf(found);
    },
  };
}

function kindOf({ group, version, kind, schema }: Resource): ServedKind {
  return { group, version, kind, schema };
}
