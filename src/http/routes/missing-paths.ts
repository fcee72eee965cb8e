import type { Catalogue } from '../../catalogue/catalogue.ts';
import { isUnstructured } from '../../schema/unstructured.ts';

/** Whether what is not there in a group is answered with a page: in groups of the release it is a Status. */
export function hasPagesForMissing(catalogue: Catalogue, group: string): boolean {
  const [first] = catalogue.group(group)?.versions[0]?.resources ?? [];
  return first === undefined || isUnstructured(first.schema);
}
