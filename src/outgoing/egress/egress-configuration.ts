import { ConfigError } from '../../api/errors/config-error.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import {
  ConfigurationDocumentError,
  type ConfigurationForm,
  type NamedDocument,
  readConfigurationDocument,
} from '../../codec/configuration-document.ts';
import { field, list, struct, text } from '../../schema/plain-schema.ts';

/** `EgressSelectorConfiguration` of `apiserver.k8s.io/v1beta1`. */
export interface EgressConfiguration {
  readonly egressSelections?: readonly EgressSelection[] | null;
}

export interface EgressSelection {
  readonly name?: string;
  readonly connection?: EgressConnection;
}

export interface EgressConnection {
  readonly proxyProtocol?: string;
  readonly transport?: EgressTransport;
}

export interface EgressTransport {
  readonly tcp?: TcpTransport;
  readonly uds?: { readonly udsName?: string };
}

export interface TcpTransport {
  readonly url?: string;
  readonly tlsConfig?: ProxyTls;
}

/** Paths of PEM files, and the name that the certificate of the proxy must have. */
export interface ProxyTls {
  readonly caBundle?: string;
  readonly clientKey?: string;
  readonly clientCert?: string;
  readonly tlsServerName?: string;
}

const kind = 'EgressSelectorConfiguration';

/** Other configuration kinds, which kube-apiserver can decode but does not expect here. */
const others: ReadonlySet<string> = new Set(
  [
    ['AdmissionConfiguration', 'v1'],
    ['EncryptionConfiguration', 'v1'],
    ...['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'].flatMap((each) =>
      ['v1', 'v1beta1', 'v1alpha1'].map((version) => [each, version]),
    ),
  ].map(([each, version]) => `apiserver.config.k8s.io/${version}, Kind=${each}`),
);

/** Both versions are the same but for their names. */
function formOf(version: string): ConfigurationForm {
  const typed: typeof struct = (name, fields) => ({ ...struct(name, fields), goType: `${version}.${name}` });
  const texts = (...names: readonly string[]) => names.map((name) => field(name, text));
  const tls = typed('TLSConfig', texts('caBundle', 'clientKey', 'clientCert', 'tlsServerName'));
  const transport = typed('Transport', [
    field('tcp', typed('TCPTransport', [...texts('url'), field('tlsConfig', tls, true)]), true),
    field('uds', typed('UDSTransport', texts('udsName')), true),
  ]);
  const connection = typed('Connection', [...texts('proxyProtocol'), field('transport', transport, true)]);
  const selection = typed('EgressSelection', [...texts('name'), field('connection', connection)]);
  return {
    kind,
    versions: [`apiserver.k8s.io/${version}`],
    // An empty list differs from an absent one: issuers that name a network are refused in other words.
    schema: typed(kind, [
      ...texts('kind', 'apiVersion'),
      { ...field('egressSelections', list(selection)), omit: 'zero', pointer: true },
    ]),
    foreignError(claimed) {
      const named = `${formatApiVersion(claimed.group, claimed.version)}, Kind=${claimed.kind}`;
      return others.has(named) ? `unexpected config type: ${named}` : undefined;
    },
  };
}

/** Reads a document of either version. */
function readDocument(file: string): NamedDocument {
  try {
    return readConfigurationDocument(file, formOf('v1beta1'));
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError && error.isForeign)) throw error;
    return readConfigurationDocument(file, formOf('v1alpha1'));
  }
}

/** Throws a ConfigError in the reference's words. */
export function readConfiguration(file: string): EgressConfiguration {
  try {
    return withNewNames(readDocument(file).object as EgressConfiguration); // decoded by its schema
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError)) throw error;
    throw new ConfigError(`failed to read egress selector config: ${error.message}`, { cause: error });
  }
}

/** The control plane used to have another name. */
function withNewNames({ egressSelections, ...rest }: EgressConfiguration): EgressConfiguration {
  if (egressSelections === undefined || egressSelections === null) return rest;
  const renamed = egressSelections.map((each) => (each.name === 'master' ? { ...each, name: 'controlplane' } : each));
  return { ...rest, egressSelections: renamed };
}
