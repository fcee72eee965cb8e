import type { AuthorizationAttributes, AuthorizationResult } from '../../api/contracts/authorization.ts';
import type { NodeGraph } from './node-graph.ts';

/** The attributes of a node's request. */
export interface NodeQuestion extends AuthorizationAttributes {
  readonly node: string;
}

type NodeRule = (question: NodeQuestion, graph: NodeGraph) => AuthorizationResult;

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };

/** No opinion: others may still allow it. */
function refused(reason: string): AuthorizationResult {
  return { decision: 'no-opinion', reason };
}

/** Resources that nodes may access in part, by `group/resource`. All others are up to the role of nodes. */
export function nodeRules(gates: ReadonlyMap<string, boolean>): ReadonlyMap<string, NodeRule> {
  const isOn = (gate: string): boolean => gates.get(gate) === true;
  const readsAccounts = isOn('KubeletServiceAccountTokenForCredentialProviders') || isOn('PodCertificateRequest');
  return new Map<string, NodeRule>([
    ['/secrets', authorizeRead],
    ['/configmaps', authorizeRead],
    ['/persistentvolumeclaims', authorizeClaim],
    ['/persistentvolumes', authorizeGet],
    ['resource.k8s.io/resourceclaims', authorizeGet],
    ['storage.k8s.io/volumeattachments', authorizeGet],
    ['/serviceaccounts', (question, graph) => authorizeAccount(question, graph, readsAccounts)],
    ['coordination.k8s.io/leases', authorizeLease],
    ['storage.k8s.io/csinodes', (question) => authorizeCsiNode(question, isOn('CSIVolumeHealth'))],
    ['resource.k8s.io/resourceslices', authorizeSlice],
    ['/nodes', authorizeNode],
    ['/pods', authorizePod],
    [
      'certificates.k8s.io/podcertificaterequests',
      isOn('PodCertificateRequest') ? authorizeCertificateRequest : () => refused(''),
    ],
  ]);
}

/** Lists and watches must select a single object by name. */
function authorizeRead(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  const { verb, subresource, namespace } = question;
  if (!isOneOf(verb, 'get', 'list', 'watch')) return refused('can only read resources of this type');
  if (subresource !== '') return refused('cannot read subresource');
  if (namespace === '') return refused('can only read namespaced object of this type');
  return authorizeRelated(question, graph);
}

function authorizeGet(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  if (question.verb !== 'get') return refused('can only get individual resources of this type');
  if (question.subresource !== '') return refused('cannot get subresource');
  return authorizeRelated(question, graph);
}

function authorizeRelated(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  return question.name === '' ? refused('No Object name found') : authorizeKnown(question, graph);
}

function authorizeKnown(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  const { node } = question;
  if (graph.mayRead(node, question)) return allowed;
  return refused(`no relationship found between node '${node}' and this object`);
}

function authorizeClaim(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  if (question.subresource !== 'status') return authorizeGet(question, graph);
  if (!isOneOf(question.verb, 'update', 'patch')) return refused('can only get/update/patch this type');
  return authorizeRelated(question, graph);
}

function authorizeAccount(question: NodeQuestion, graph: NodeGraph, readsAccounts: boolean): AuthorizationResult {
  const { verb, subresource, name } = question;
  if (verb === 'get' && subresource === '') {
    return readsAccounts ? authorizeRead(question, graph) : refused('not allowed to get service accounts');
  }
  if (verb !== 'create' || name === '') return refused('can only create tokens for individual service accounts');
  if (subresource !== 'token') return refused('can only create token subresource of serviceaccount');
  return authorizeKnown(question, graph);
}

/** The name of an object being created is unknown here: NodeRestriction checks it. */
function isOthers({ verb, name, node }: NodeQuestion): boolean {
  return verb !== 'create' && name !== node;
}

function authorizeLease(question: NodeQuestion): AuthorizationResult {
  if (!isOneOf(question.verb, 'get', 'create', 'update', 'patch', 'delete'))
    return refused('can only get, create, update, patch, or delete a node lease');
  if (question.namespace !== 'kube-node-lease')
    return refused('can only access leases in the "kube-node-lease" system namespace');
  if (isOthers(question)) return refused('can only access node lease with the same name as the requesting node');
  return allowed;
}

function authorizeCsiNode(question: NodeQuestion, reportsHealth: boolean): AuthorizationResult {
  const { verb, subresource } = question;
  if (subresource === 'status') {
    if (!reportsHealth) return refused('CSINode status access requires CSIVolumeHealth feature');
    if (!isOneOf(verb, 'get', 'update', 'patch')) return refused('can only get, update, or patch CSINode status');
  } else if (subresource !== '') {
    return refused('cannot authorize CSINode subresources');
  } else if (!isOneOf(verb, 'get', 'create', 'update', 'patch', 'delete')) {
    return refused('can only get, create, update, patch, or delete a CSINode');
  }
  if (isOthers(question)) return refused('can only access CSINode with the same name as the requesting node');
  return allowed;
}

function authorizeSlice(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  const { verb, subresource } = question;
  if (subresource !== '') return refused('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return allowed;
  if (isOneOf(verb, 'get', 'update', 'patch', 'delete')) return authorizeRelated(question, graph);
  if (isOneOf(verb, 'watch', 'list', 'deletecollection')) {
    if (selectsOwn(question, 'spec.nodeName')) return allowed;
    return refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }
  return refused(
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  );
}

function authorizeCertificateRequest(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  const { verb, subresource } = question;
  if (subresource !== '') return refused('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return allowed;
  if (verb === 'get') return authorizeRelated(question, graph);
  if (!isOneOf(verb, 'list', 'watch')) return refused(`nodes may not ${verb} podcertificaterequests`);
  if (selectsOwn(question, 'spec.nodeName')) return allowed;
  return refused('can only list/watch podcertificaterequests with nodeName field selector');
}

/** A node may access its own object before it exists. */
function authorizeNode({ verb, subresource, name, node }: NodeQuestion): AuthorizationResult {
  if (subresource === 'status') return isOneOf(verb, 'update', 'patch') ? allowed : refused('');
  if (subresource !== '') return refused('');
  if (isOneOf(verb, 'create', 'update', 'patch')) return allowed;
  if (!isOneOf(verb, 'get', 'list', 'watch')) return refused('');
  if (name === node) return allowed;
  return refused(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

const podSubresources: ReadonlyMap<string, readonly string[]> = new Map([
  ['status', ['update', 'patch']],
  ['eviction', ['create']],
]);

function authorizePod(question: NodeQuestion, graph: NodeGraph): AuthorizationResult {
  const { verb, subresource, name } = question;
  if (subresource !== '') return podSubresources.get(subresource)?.includes(verb) === true ? allowed : refused('');
  if (isOneOf(verb, 'create', 'delete')) return allowed;
  if (verb === 'get') return authorizeRelated(question, graph);
  if (!isOneOf(verb, 'list', 'watch')) return refused('');
  if (selectsOwn(question, 'spec.nodeName')) return allowed;
  if (name !== '') return authorizeRelated(question, graph);
  return refused('can only list/watch pods with spec.nodeName field selector');
}

function selectsOwn({ selectors, node }: NodeQuestion, field: string): boolean {
  return (selectors?.fields ?? []).some(
    (requirement) => requirement.field === field && requirement.operator === '=' && requirement.value === node,
  );
}

function isOneOf(verb: string, ...verbs: readonly string[]): boolean {
  return verbs.includes(verb);
}
