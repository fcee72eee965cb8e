import { join } from 'node:path';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';

/** A server of a store that lacks an API version, and knows the others by their certificates. */
export function lacking(version: string, hostName: string, pki: string): Partial<ServerConfig> {
  const { authentication, aggregation } = configDefaults;
  const file = (name: string): string => join(pki, name);
  return {
    api: { ...configDefaults.api, runtimeConfig: new Map([[version, false]]) },
    serving: {
      ...configDefaults.serving,
      bindAddress: '127.0.0.1',
      advertiseAddress: '127.0.0.1',
      securePort: 0,
      tlsCertFile: file('apiserver.crt'),
      tlsPrivateKeyFile: file('apiserver.key'),
    },
    peers: { ...configDefaults.peers, caFile: file('ca.crt'), hostName },
    authentication: {
      ...authentication,
      clientCaFile: file('ca.crt'),
      requestHeader: {
        ...authentication.requestHeader,
        clientCaFile: file('front-proxy-ca.crt'),
        allowedNames: ['front-proxy-client'],
        usernameHeaders: ['X-Remote-User'],
        groupHeaders: ['X-Remote-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-'],
      },
    },
    aggregation: {
      ...aggregation,
      proxyClientCertFile: file('front-proxy-client.crt'),
      proxyClientKeyFile: file('front-proxy-client.key'),
    },
  };
}
