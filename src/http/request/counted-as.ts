import type { ResourceScope } from '../../operations/resource-scope.ts';

/** Labels of requests for a path of the server itself. */
export interface CountedPath {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly component?: string;
}

/** What metrics call the target of a request: a resource, or one of few paths. */
export type CountedAs = ResourceScope | CountedPath;
