import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { parseIpRange } from '../../../api/values/ip-address.ts';
import { portNameErrors } from '../../../api/meta/names.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { ipRange } from '../../parts/addresses/addresses.ts';
import { each, type Errors, formErrors, isEmpty, oneOf, portNumber } from '../../parts/rules/rules.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';

export function* networkPolicy({ spec = {} }: networking.NetworkPolicy, old?: networking.NetworkPolicy): Errors {
  const known = new Set(
    peersOf(old).flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])] : [])),
  );
  yield* labelSelector(spec.podSelector, 'spec.podSelector');
  for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
    yield* each(policyPort)(ports, `spec.ingress[${index}].ports`);
    yield* each(policyPeer(known))(from, `spec.ingress[${index}].from`);
  }
  for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
    yield* each(policyPort)(ports, `spec.egress[${index}].ports`);
    yield* each(policyPeer(known))(to, `spec.egress[${index}].to`);
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) yield invalidField('spec.policyTypes', types, 'may not specify more than two policyTypes');
  else yield* each<string>(oneOf(['Ingress', 'Egress']))(types, 'spec.policyTypes');
  yield* missingRanges({ spec });
}

function peersOf(policy: networking.NetworkPolicy | undefined): networking.NetworkPolicyPeer[] {
  const { ingress: incoming = [], egress = [] } = policy?.spec ?? {};
  return [...incoming.flatMap(({ from }) => from ?? []), ...egress.flatMap(({ to }) => to ?? [])];
}

function* missingRanges({ spec = {} }: networking.NetworkPolicy): Errors {
  for (const [list, member] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec[list] ?? []).entries()) {
      const peers =
        member === 'from'
          ? (rule as networking.NetworkPolicyIngressRule).from
          : (rule as networking.NetworkPolicyEgressRule).to;
      for (const [number, { ipBlock }] of (peers ?? []).entries()) {
        if (ipBlock && isEmpty(ipBlock.cidr))
          yield requiredField(`spec.${list}[${index}].${member}[${number}].ipBlock.cidr`);
      }
    }
  }
}

function* policyPort({ protocol, port, endPort }: networking.NetworkPolicyPort, path: string): Errors {
  const [portPath, endPath] = [childPath(path, 'port'), childPath(path, 'endPort')];
  yield* oneOf(['TCP', 'UDP', 'SCTP'])(protocol, childPath(path, 'protocol'));
  if (typeof port === 'number') {
    yield* portNumber(port, portPath);
    if (endPort === undefined) return;
    if (endPort < port) yield invalidField(endPath, endPort, 'must be greater than or equal to `port`');
    yield* portNumber(endPort, endPath);
    return;
  }
  const missing = port === undefined ? 'not specified' : 'non-numeric';
  if (endPort !== undefined) yield invalidField(endPath, endPort, `may not be specified when \`port\` is ${missing}`);
  if (port !== undefined) yield* formErrors(portPath, port, portNameErrors(port));
}

function policyPeer(known: ReadonlySet<string>) {
  return function* ({ podSelector, namespaceSelector, ipBlock }: networking.NetworkPolicyPeer, path: string): Errors {
    yield* labelSelector(podSelector, childPath(path, 'podSelector'));
    yield* labelSelector(namespaceSelector, childPath(path, 'namespaceSelector'));
    if (ipBlock) yield* block(ipBlock, childPath(path, 'ipBlock'), known);
    if (!podSelector && !namespaceSelector && !ipBlock) yield requiredField(path, 'must specify a peer');
    if (ipBlock && (podSelector || namespaceSelector)) {
      yield forbiddenField(path, 'may not specify both ipBlock and another peer');
    }
  };
}

function* block({ cidr = '', except = [] }: networking.IPBlock, path: string, known: ReadonlySet<string>): Errors {
  if (cidr === '') return;
  yield* ipRange(cidr, childPath(path, 'cidr'), known);
  const range = parseIpRange(cidr);
  if (range === undefined) return;
  for (const [index, text] of except.entries()) {
    const exceptPath = keyPath(childPath(path, 'except'), index);
    yield* ipRange(text, exceptPath, known);
    const inner = parseIpRange(text);
    if (inner === undefined) continue;
    const bits = BigInt((range.network.family === 4 ? 32 : 128) - range.prefixLength);
    const inside =
      inner.network.family === range.network.family && inner.network.value >> bits === range.network.value >> bits;
    if (!inside || range.prefixLength >= inner.prefixLength) {
      yield invalidField(exceptPath, text, 'must be a strict subset of `cidr`');
    }
  }
}
