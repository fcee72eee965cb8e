import { existsSync } from 'node:fs';
import {
  duplicateField,
  type FieldErrors,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../api/errors/field-error.ts';
import type {
  EgressConnection,
  EgressSelection,
  EgressTransport,
  ProxyTls,
  TcpTransport,
} from './egress-configuration.ts';

const path = 'service.connection';

/** The networks, in the order of errors. */
export const networks = ['cluster', 'controlplane', 'etcd'] as const;
export type Network = (typeof networks)[number];

/** Undefined: there is no such network. */
export function networkOf({ name = '' }: EgressSelection): Network | undefined {
  return networks.find((each) => each === name.toLowerCase());
}

/** The errors of kube-apiserver, whose paths do not say which selection is meant. */
export function* validateSelections(selections: readonly EgressSelection[]): FieldErrors {
  for (const { connection = {} } of selections) {
    const { proxyProtocol = '' } = connection;
    const validate = protocols.get(proxyProtocol);
    if (validate === undefined) yield notSupportedField(`${path}.protocol`, proxyProtocol, [...protocols.keys()]);
    else yield* validate(connection);
  }
  const seen = new Set<string>();
  for (const [index, selection] of selections.entries()) {
    const name = (selection.name ?? '').toLowerCase();
    if (seen.has(name)) yield duplicateField(`${path}[${index}]`, name);
    else if (networkOf(selection) === undefined) yield notSupportedField(path, name, networks);
    seen.add(name);
  }
}

const protocols: ReadonlyMap<string, (connection: EgressConnection) => FieldErrors> = new Map([
  ['Direct', validateDirect],
  ['HTTPConnect', validateHttpConnect],
  ['GRPC', validateGrpc],
]);

function* validateDirect({ transport }: EgressConnection): FieldErrors {
  if (transport !== undefined) {
    yield invalidField(`${path}.transport`, 'direct', 'config must be absent for direct connect');
  }
}

function* validateHttpConnect({ transport }: EgressConnection): FieldErrors {
  if (transport === undefined) {
    yield requiredField(`${path}.transport`, 'transport must be set for HTTPConnect');
    return;
  }
  const { tcp, uds } = transport;
  if (tcp !== undefined && uds !== undefined) {
    yield invalidField(`${path}.tcp`, shown(tcp), 'TCP and UDS cannot both be set');
  } else if (tcp !== undefined) yield* validateTcp(tcp);
  else if (uds !== undefined) yield* validateSocket(uds);
  else yield requiredField(`${path}.tcp`, 'One of TCP or UDS must be set');
}

function* validateGrpc({ transport }: EgressConnection): FieldErrors {
  if (transport === undefined) yield requiredField(`${path}.transport`, 'transport must be set for GRPC');
  else if (transport.uds === undefined) yield requiredField(`${path}.uds`, 'UDS must be set with GRPC');
  else yield* validateSocket(transport.uds);
}

function* validateSocket({ udsName = '' }: NonNullable<EgressTransport['uds']>): FieldErrors {
  if (udsName === '') yield invalidField(`${path}.udsName`, 'nil', 'must be present for UDS connections');
}

function* validateTcp({ url = '', tlsConfig }: TcpTransport): FieldErrors {
  if (url.startsWith('http://')) {
    if (tlsConfig !== undefined) {
      yield invalidField(`${path}.tlsConfig`, 'nil', 'config must not be present when using HTTP');
    }
  } else if (url.startsWith('https://')) {
    if (tlsConfig !== undefined) yield* validateTls(tlsConfig);
    else yield requiredField(`${path}.tlsConfig`, 'TLSConfig must be present when using HTTPS');
  } else yield invalidField(`${path}.url`, url, 'supported connection protocols are http:// and https://');
}

function* validateTls({ caBundle = '', clientCert = '', clientKey = '' }: ProxyTls): FieldErrors {
  const tls = `${path}.tlsConfig`;
  if (caBundle !== '' && !existsSync(caBundle)) {
    yield invalidField(`${tls}.caBundle`, caBundle, 'TLS config ca bundle does not exist');
  }
  if (clientCert === '') yield invalidField(`${tls}.clientCert`, 'nil', 'Using TLS requires clientCert');
  else if (!existsSync(clientCert)) {
    yield invalidField(`${tls}.clientCert`, clientCert, 'TLS client cert does not exist');
  }
  if (clientKey === '') yield invalidField(`${tls}.clientKey`, 'nil', 'Using TLS requires requires clientKey');
  else if (!existsSync(clientKey)) yield invalidField(`${tls}.clientKey`, clientKey, 'TLS client key does not exist');
}

/** As Go shows its structure. */
function shown({ url = '', tlsConfig }: TcpTransport) {
  const { caBundle = '', clientKey = '', clientCert = '', tlsServerName = '' } = tlsConfig ?? {};
  const tls = { CABundle: caBundle, ClientKey: clientKey, ClientCert: clientCert, TLSServerName: tlsServerName };
  return { URL: url, TLSConfig: tlsConfig === undefined ? null : tls };
}
