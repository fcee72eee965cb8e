/** A vertex of the graph. Cluster-scoped objects have an empty namespace. */
export interface GraphObject {
  /** Plural, such as `secrets`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The edges that an object contributes. */
export interface Relations {
  /** The node that it belongs to, and what that node may read in consequence. */
  readonly ofNode?: { readonly node: string; readonly objects: readonly GraphObject[] };
  /** Nodes that may read the followed object may read its follower. */
  readonly follows?: readonly Following[];
}

export interface Following {
  readonly follower: GraphObject;
  readonly followed: GraphObject;
}

/** An object with edges. */
class Vertex {
  readonly key: string;
  /** Nodes that may read it, with the number of reasons for each. */
  readonly nodes = new Map<string, number>();
  readonly followers = new Map<Vertex, number>();
  /** Number of edges that refer to it. */
  relations = 0;

  constructor(key: string) {
    this.key = key;
  }
}

type Edge =
  | { readonly node: string; readonly object: Vertex }
  | { readonly follower: Vertex; readonly followed: Vertex };

/**
 * Which nodes may read which objects. The graph is maintained when objects change, so a check is two lookups:
 *
 *     pod p on node n, with claim c         ->  p: n    c: n
 *     volume v of claim c, with secret s    ->  v follows c, s follows v:  v: n    s: n
 *     p is deleted                          ->  n loses access to all of them
 */
export class NodeGraph {
  readonly #vertices = new Map<string, Vertex>();
  /** By the key of the contributing object. */
  readonly #edges = new Map<string, readonly Edge[]>();

  mayRead(node: string, object: GraphObject): boolean {
    return this.#vertices.get(keyOf(object))?.nodes.has(node) === true;
  }

  /** Replaces everything that `object` contributed before. */
  set(object: GraphObject, relations: Relations): void {
    const key = keyOf(object);
    const former = this.#edges.get(key) ?? [];
    // Edges that stay are never removed in between.
    const edges = [...this.#edgesOf(relations)];
    this.#change(edges, 1);
    this.#change(former, -1);
    if (edges.length === 0) this.#edges.delete(key);
    else this.#edges.set(key, edges);
  }

  delete(object: GraphObject): void {
    this.set(object, {});
  }

  *#edgesOf({ ofNode, follows = [] }: Relations): Generator<Edge> {
    for (const object of ofNode?.objects ?? []) yield { node: ofNode?.node ?? '', object: this.#vertexOf(object) };
    for (const { follower, followed } of follows) {
      yield { follower: this.#vertexOf(follower), followed: this.#vertexOf(followed) };
    }
  }

  #change(edges: readonly Edge[], by: 1 | -1): void {
    for (const edge of edges) {
      if ('node' in edge) changeNode(edge.object, edge.node, by);
      else changeFollower(edge, by);
      for (const vertex of 'node' in edge ? [edge.object] : [edge.follower, edge.followed]) {
        vertex.relations += by;
        if (vertex.relations === 0) this.#vertices.delete(vertex.key);
      }
    }
  }

  #vertexOf(object: GraphObject): Vertex {
    const key = keyOf(object);
    const known = this.#vertices.get(key);
    if (known !== undefined) return known;
    const vertex = new Vertex(key);
    this.#vertices.set(key, vertex);
    return vertex;
  }
}

function keyOf({ resource, namespace, name }: GraphObject): string {
  return `${resource}/${namespace}/${name}`;
}

/** Followers are updated when the first reason is added or the last one removed. */
function changeNode(vertex: Vertex, node: string, by: 1 | -1): void {
  if (!count(vertex.nodes, node, by)) return;
  for (const follower of vertex.followers.keys()) changeNode(follower, node, by);
}

function changeFollower({ follower, followed }: { readonly follower: Vertex; readonly followed: Vertex }, by: 1 | -1) {
  if (!count(followed.followers, follower, by)) return;
  for (const node of followed.nodes.keys()) changeNode(follower, node, by);
}

/** Returns whether the key was added or removed. */
function count<K>(counts: Map<K, number>, key: K, by: 1 | -1): boolean {
  const before = counts.get(key) ?? 0;
  if (before + by > 0) counts.set(key, before + by);
  else counts.delete(key);
  return before === 0 || before + by === 0;
}
