import type { KubernetesObject } from '../api/object.ts';
import type { InVersions } from './strategy.ts';

/** Where the answers about a kind are not those of most kinds. */
export interface KindAnswers {
  /** A deletion answers with the last state of the object instead of a Status. */
  readonly returnsDeletedObject?: InVersions;
  /** OpenAPI tells of a Status all the same. */
  readonly tellsOfDeletionStatus?: boolean;
  /** There is no Table of what its status answers. */
  readonly statusHasNoTable?: boolean;
  /** What the object says of which nothing is said, where that is more than its kind and name: bookmarks of watches show it. */
  emptyForm?(object: KubernetesObject): KubernetesObject;
}
