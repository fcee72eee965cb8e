import { FollowedIndex, type FollowedIndexOptions, type IndexReader } from '../../api/client/followed-index.ts';
import { NodeGraph } from './node-graph.ts';
import { relatingKinds } from './object-relations.ts';

/** The graph of what nodes may read, kept up to date with the store. */
export type FollowedGraph = FollowedIndex<NodeGraph>;

/** Follows the served kinds. */
export function followedGraph(options: Pick<FollowedIndexOptions<NodeGraph>, 'client' | 'onError'>): FollowedGraph {
  const served = options.client.resources();
  const readers = relatingKinds.flatMap(({ group, resource: plural, relationsOf }): IndexReader<NodeGraph>[] => {
    const resource = served.find((candidate) => candidate.group === group && candidate.resource === plural);
    if (resource === undefined) return [];
    return [
      {
        resource,
        set(graph, object) {
          const { namespace = '', name = '' } = object.metadata;
          graph.set({ resource: plural, namespace, name }, relationsOf(object));
        },
        remove: (graph, name) => graph.delete({ resource: plural, ...name }),
      },
    ];
  });
  return new FollowedIndex({ ...options, make: () => new NodeGraph(), readers });
}
