import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeGraph, type GraphObject, type Relations } from './node-graph.ts';

const pod = (name: string): GraphObject => ({ resource: 'pods', namespace: 'n', name });
const secret = (name: string): GraphObject => ({ resource: 'secrets', namespace: 'n', name });
const claim = (name: string): GraphObject => ({ resource: 'persistentvolumeclaims', namespace: 'n', name });
const volume = (name: string): GraphObject => ({ resource: 'persistentvolumes', namespace: '', name });

function podOn(node: string, name: string, ...objects: readonly GraphObject[]): Relations {
  return { ofNode: { node, objects: [pod(name), ...objects] } };
}

function volumeOf(name: string, claimName: string, ...secrets: readonly GraphObject[]): Relations {
  const own = secrets.map((follower) => ({ follower, followed: volume(name) }));
  return { follows: [{ follower: volume(name), followed: claim(claimName) }, ...own] };
}

describe('a node may read', () => {
  test('what its pods refer to, as long as one of them does', () => {
    const graph = new NodeGraph();
    graph.set(pod('a'), podOn('one', 'a', secret('s')));
    graph.set(pod('b'), podOn('one', 'b', secret('s')));
    expect(graph.mayRead('one', secret('s'))).toBe(true);
    expect(graph.mayRead('two', secret('s'))).toBe(false);
    graph.delete(pod('a'));
    expect(graph.mayRead('one', secret('s'))).toBe(true);
    graph.delete(pod('b'));
    expect(graph.mayRead('one', secret('s'))).toBe(false);
  });

  test('a volume and its secrets, whichever comes first', () => {
    const graph = new NodeGraph();
    graph.set(volume('v'), volumeOf('v', 'c', secret('s')));
    graph.set(pod('a'), podOn('one', 'a', claim('c')));
    expect(graph.mayRead('one', secret('s'))).toBe(true);
    graph.set(volume('v'), volumeOf('v', 'other', secret('s')));
    expect(graph.mayRead('one', volume('v'))).toBe(false);
    expect(graph.mayRead('one', secret('s'))).toBe(false);
    graph.set(volume('v'), volumeOf('v', 'c'));
    expect(graph.mayRead('one', volume('v'))).toBe(true);
    expect(graph.mayRead('one', secret('s'))).toBe(false);
  });

  test('nothing of a pod that was recreated on another node', () => {
    const graph = new NodeGraph();
    graph.set(pod('a'), podOn('one', 'a', secret('s')));
    graph.set(pod('a'), podOn('two', 'a', secret('s')));
    expect([graph.mayRead('one', pod('a')), graph.mayRead('two', secret('s'))]).toEqual([false, true]);
  });
});

/** A naive search along the edges, as an oracle. */
function mayReadSlowly(said: ReadonlyMap<string, Relations>, node: string, object: GraphObject): boolean {
  const same = (other: GraphObject): boolean => other.resource === object.resource && other.name === object.name;
  return [...said.values()].some(
    ({ ofNode, follows = [] }) =>
      (ofNode?.node === node && ofNode.objects.some(same)) ||
      follows.some(({ follower, followed }) => same(follower) && mayReadSlowly(said, node, followed)),
  );
}

const names = fc.constantFrom('a', 'b', 'c');
const step = fc.record({
  subject: fc.oneof(names.map(pod), names.map(volume)),
  node: fc.constantFrom('one', 'two'),
  claim: names,
  secret: names,
  gone: fc.boolean(),
});

test('after any changes results match a naive search', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const graph = new NodeGraph();
      const said = new Map<string, Relations>();
      for (const { subject, gone, ...at } of steps) {
        const isPod = subject.resource === 'pods';
        const relations = isPod
          ? podOn(at.node, subject.name, claim(at.claim), secret(at.secret))
          : volumeOf(subject.name, at.claim, secret(at.secret));
        graph.set(subject, gone ? {} : relations);
        said.set(`${subject.resource}/${subject.name}`, gone ? {} : relations);
        for (const node of ['one', 'two']) {
          for (const object of ['a', 'b', 'c'].flatMap((name) => [
            pod(name),
            secret(name),
            claim(name),
            volume(name),
          ])) {
            expect(graph.mayRead(node, object)).toBe(mayReadSlowly(said, node, object));
          }
        }
      }
    }),
    { numRuns: 200 },
  );
});
