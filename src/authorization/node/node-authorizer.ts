import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  GrantedRules,
} from '../../api/contracts/authorization.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { nodeNameOf } from '../../api/contracts/node-identity.ts';
import { bootstrapPolicy } from '../rbac/bootstrap/policy-objects.ts';
import { RuleIndex } from '../rbac/rule-index.ts';
import type { FollowedGraph } from './followed-graph.ts';
import type { NodeGraph } from './node-graph.ts';
import { nodeRules } from './node-rules.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };
const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' };

const unresolved: GrantedRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  errors: ['node authorizer does not support user rule resolution'],
};

/** `--authorization-mode=Node`: a kubelet may read what the pods on its node need, and write its own objects. */
export function nodeAuthorizer(graph: FollowedGraph, gates: ReadonlyMap<string, boolean>): Authorizer {
  const rulesByResource = nodeRules(gates);
  const rules = rulesOfNodes(gates);
  const authorize = (attributes: AuthorizationAttributes, node: string, known: NodeGraph): AuthorizationResult => {
    const special = attributes.isResourceRequest
      ? rulesByResource.get(`${attributes.group}/${attributes.resource}`)
      : undefined;
    if (special !== undefined) return special({ ...attributes, node }, known);
    const found = attributes.isResourceRequest
      ? rules.find(attributes)
      : rules.findPath(attributes.verb, attributes.path);
    return found === undefined ? noOpinion : allowed;
  };
  return {
    authorize(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return noOpinion;
      if (node === '') {
        return { decision: 'no-opinion', reason: `unknown node for user ${goQuote(attributes.user.name)}` };
      }
      const { index } = graph;
      return index === undefined
        ? graph.ready().then((late) => authorize(attributes, node, late))
        : authorize(attributes, node, index);
    },
    rulesOf: (user) => (nodeNameOf(user) === undefined ? nothing : unresolved),
  };
}

const nothing: GrantedRules = { ...unresolved, incomplete: false, errors: [] };

/** Rules of the role that all nodes were bound to before this authorizer existed. */
function rulesOfNodes(gates: ReadonlyMap<string, boolean>): RuleIndex<true> {
  const index = new RuleIndex<true>();
  const role = bootstrapPolicy(gates).roles.find(({ metadata }) => metadata?.name === 'system:node');
  for (const rule of role?.rules ?? []) index.add(rule, true);
  return index;
}
