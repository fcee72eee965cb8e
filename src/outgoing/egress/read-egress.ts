import { readFileSync } from 'node:fs';
import { ConfigError } from '../../api/errors/config-error.ts';
import type { Egress, EgressWay } from '../../api/contracts/egress.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { allOf } from '../../api/errors/findings.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { keyPairError } from '../../codec/x509/key-pair.ts';
import { pemBlocks } from '../../codec/x509/pem.ts';
import type { CallAddress } from '../call-address.ts';
import { type EgressConnection, type ProxyTls, readConfiguration, type TcpTransport } from './egress-configuration.ts';
import { egressMetrics, type Measured, type ProxySteps } from './egress-metrics.ts';
import type { Tunnel } from './grpc-tunnel.ts';
import { networkOf, validateSelections } from './egress-validation.ts';
import { httpConnect, type HttpProxy, type ProxyCredentials } from './http-connect.ts';

/**
 * Reads an EgressSelectorConfiguration, and the files it names, once. Undefined for one without selections. Throws a
 * ConfigError in the reference's words.
 */
export async function readEgress(path: string, context: Pick<PartContext, 'metric'>): Promise<Egress | undefined> {
  const { egressSelections: selections } = readConfiguration(
    readText(path, (why) => {
      const what = `unable to read egress selector configuration from ${goQuote(path)} [${why}]`;
      return `failed to read egress selector config: ${what}`;
    }),
  );
  if (selections === undefined || selections === null) return undefined;
  const errors = allOf(validateSelections(selections)).map(fieldErrorText);
  if (errors.length > 0) {
    throw new ConfigError(`failed to validate egress selector configuration: ${joinedErrors(errors)}`);
  }
  const measured = egressMetrics(context);
  return Object.fromEntries(
    selections.map((selection) => {
      const network = networkOf(selection) ?? '';
      try {
        return [network, wayOf(selection.connection ?? {}, measured)];
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const what = `failed to create dialer for egressSelection ${goQuote(network)}: ${error.message}`;
        throw new ConfigError(`failed to setup egress selector: ${what}`, { cause: error });
      }
    }),
  );
}

/** `connection` has been validated. */
function wayOf({ proxyProtocol, transport: { uds, tcp = {} } = {} }: EgressConnection, measured: Measured): EgressWay {
  if (proxyProtocol === 'Direct') return 'direct';
  if (proxyProtocol === 'GRPC')
    return measured({ protocol: 'grpc', transport: 'uds' }, konnectivity(uds?.udsName ?? ''));
  const transport = uds === undefined ? 'tcp' : 'uds';
  const proxy = uds === undefined ? proxyOf(tcp) : { name: uds.udsName ?? '', place: uds.udsName ?? '' };
  return measured({ protocol: 'http_connect', transport }, httpConnect(proxy));
}

/** gRPC is loaded with the first connection. */
function konnectivity(path: string): ProxySteps<Tunnel> {
  return {
    connect: async () => (await import('./grpc-tunnel.ts')).openTunnel(path),
    proxy: async (tunnel, address) => (await import('./grpc-tunnel.ts')).dialThrough(tunnel, address),
  };
}

function proxyOf({ url = '', tlsConfig }: TcpTransport): HttpProxy {
  const tls = tlsConfig === undefined ? undefined : credentialsOf(tlsConfig);
  const name = hostOf(url);
  return { name, place: addressOf(name), ...(tls === undefined ? {} : { tls }) };
}

function hostOf(url: string): string {
  try {
    return parseGoUrl(url).host;
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    throw new ConfigError(`invalid proxy server url ${goQuote(url)}: ${error.message}`, { cause: error });
  }
}

function addressOf(host: string): CallAddress {
  const [, name = '', port = ''] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(host) ?? [];
  return { host: name, port: Number(port) };
}

/** The files of a proxy's TLS. */
function credentialsOf({
  caBundle = '',
  clientCert = '',
  clientKey = '',
  tlsServerName = '',
}: ProxyTls): ProxyCredentials {
  const pair = (why: string): string => `failed to read key pair ${clientCert} & ${clientKey}, got ${why}`;
  const [certificate, key] = [readText(clientCert, pair), readText(clientKey, pair)];
  const problem = keyPairError(certificate, key);
  if (problem !== undefined) throw new ConfigError(pair(problem));
  const authorities =
    caBundle === '' ? undefined : readText(caBundle, (why) => `failed to read cert file ${caBundle}, got ${why}`);
  if (authorities !== undefined && !pemBlocks(authorities).some(({ type }) => type === 'CERTIFICATE')) {
    throw new ConfigError('failed to append CA cert to the cert pool');
  }
  return { authorities, certificate, key, serverName: tlsServerName };
}

const fileFailures: ReadonlyMap<string, (path: string) => string> = new Map([
  ['ENOENT', (path) => `open ${path}: no such file or directory`],
  ['EACCES', (path) => `open ${path}: permission denied`],
  ['EISDIR', (path) => `read ${path}: is a directory`],
]);

/** `wrap`: the message of a ConfigError, by Go's words of the failure. */
function readText(path: string, wrap: (why: string) => string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : '';
    throw new ConfigError(wrap(fileFailures.get(code)?.(path) ?? error.message), { cause: error });
  }
}
