import type { KubernetesObject } from '../../api/meta/object.ts';
import type { InVersions } from './strategy.ts';

/** Response details in which a kind differs from most others. */
export interface KindResponses {
  /** A deletion returns the last state of the object instead of a Status. */
  readonly returnsDeletedObject?: InVersions;
  /** OpenAPI documents a Status all the same. */
  readonly tellsOfDeletionStatus?: boolean;
  /** Responses of the status subresource are not available as a Table. */
  readonly statusHasNoTable?: boolean;
  /**
   * Annotations that stand for fields of the reference's internal objects, from which it makes Tables and partial
   * metadata: neither shows them.
   */
  readonly annotatedFields?: readonly string[];
  /** An empty object as Go encodes it, if it has more than kind and name: bookmarks show it. */
  emptyForm?(object: KubernetesObject): KubernetesObject;
}
