import { nameRules } from '../../api/meta/names.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Strategy } from './strategy.ts';

/** Members that have a default, by which kinds that leave them open behave like custom resources. */
type WithDefault =
  | 'nameRule'
  | 'knownNameRule'
  | 'validatesPrefixes'
  | 'generation'
  | 'setsStatusApart'
  | 'selectableMetadata'
  | 'selectableField'
  | 'subresources'
  | 'garbageCollection';

/** The strategy of an open kind: nothing that reads it has defaults of its own. */
export type CompleteStrategy = Strategy & Required<Pick<Strategy, WithDefault>>;

/** Fills in what a kind leaves open; `resource` is the version in which objects are seen. */
export function completeStrategy(strategy: Strategy, resource: Pick<Resource, 'subresources'>): CompleteStrategy {
  const hasStatus = resource.subresources.some(({ name }) => name === 'status');
  const nameRule = strategy.nameRule ?? nameRules.dnsSubdomain;
  return {
    nameRule,
    knownNameRule: nameRule,
    validatesPrefixes: new Set(),
    generation: 'none',
    setsStatusApart: () => hasStatus,
    selectableMetadata: 'name-and-namespace',
    selectableField: (name) => name,
    subresources: {},
    garbageCollection: 'background',
    ...strategy,
  };
}
