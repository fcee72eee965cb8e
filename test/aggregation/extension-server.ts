import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../../src/api/time/clock.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { startHttpsServer } from '../https-server.ts';

export const group = 'tides.example';
export const serviceName = 'tides';
export const serviceNamespace = 'harbor';

/** An API server of a test, behind a service, that reports its requests. */
export interface ExtensionServer extends AsyncDisposable {
  readonly port: number;
  /** PEM in Base64. */
  readonly caBundle: string;
  /** Files of a certificate that it believes. */
  readonly proxyFiles: { readonly certFile: string; readonly keyFile: string };
  /** Requests so far, by method and path. */
  readonly received: readonly string[];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export async function startExtensionServer(folder: string): Promise<ExtensionServer> {
  const clients = await openCertificateStore({
    folder: join(folder, 'proxy-pki'),
    serverNames: { dnsNames: [], ipAddresses: [] },
    clock: systemClock,
  });
  const proxyFiles = { certFile: join(folder, 'proxy.crt'), keyFile: join(folder, 'proxy.key') };
  await Promise.all([
    writeFile(proxyFiles.certFile, clients.admin.certificate),
    writeFile(proxyFiles.keyFile, clients.admin.key),
  ]);
  const received: string[] = [];
  const flood = objects();
  const options = {
    folder: join(folder, 'extension'),
    dnsNames: [`${serviceName}.${serviceNamespace}.svc`],
    clientAuthority: clients.authority,
    upgraded: echo,
  };
  const server = await startHttpsServer(options, (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    received.push(`${request.method} ${path}`);
    const answer = answers[path] ?? (path.startsWith(doomed) ? flood : tell);
    answer(request, response);
  });
  return {
    port: Number(new URL(server.url).port),
    caBundle: Buffer.from(server.authority).toString('base64'),
    proxyFiles,
    received,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const kind = { group, version: 'v1', kind: 'Tide' };

const aggregated: JsonObject = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [
    {
      metadata: { name: group },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'tides',
              responseKind: kind,
              scope: 'Namespaced',
              singularResource: 'tide',
              verbs: ['get', 'list', 'watch', 'create', 'delete'],
              shortNames: ['td'],
              subresources: [{ subresource: 'status', responseKind: kind, verbs: ['get'] }],
            },
          ],
          freshness: 'Current',
        },
      ],
    },
  ],
};

const resourceList: JsonObject = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/v1`,
  resources: [
    {
      name: 'tides',
      singularName: 'tide',
      namespaced: true,
      kind: 'Tide',
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
      shortNames: ['td'],
    },
    { name: 'tides/status', singularName: '', namespaced: true, kind: 'Tide', verbs: ['get'] },
  ],
};

const swagger: JsonObject = {
  swagger: '2.0',
  info: { title: 'Tides', version: 'v1' },
  paths: {
    [`/apis/${group}/v1/`]: { get: { operationId: 'getTidesResources', responses: { 200: { description: 'OK' } } } },
    [`/apis/${group}/v1/tides`]: {
      get: {
        operationId: 'listTides',
        responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/example.tides.Tide' } } },
      },
    },
    '/healthz': { get: { operationId: 'healthz', responses: { 200: { description: 'OK' } } } },
  },
  definitions: {
    'example.tides.Tide': {
      description: 'The height of the water.',
      type: 'object',
      properties: { height: { type: 'string' }, when: { $ref: '#/definitions/example.tides.When' } },
      'x-kubernetes-group-version-kind': [kind],
    },
    'example.tides.When': { type: 'object', properties: { hour: { type: 'integer' } } },
    'example.tides.Unused': { type: 'object' },
  },
};

const schemas: JsonObject = {
  openapi: '3.0.0',
  info: { title: 'Tides', version: 'v1' },
  paths: { [`/apis/${group}/v1/tides`]: { get: { responses: { 200: { description: 'OK' } } } } },
};

const base = `/apis/${group}/v1`;

const answers: { readonly [path: string]: Handler } = {
  '/apis': (_request, response) => sendJson(response, 200, aggregated, { 'content-type': aggregatedType }),
  [base]: (_request, response) => sendJson(response, 200, resourceList),
  '/openapi/v2': (_request, response) => sendJson(response, 200, swagger, { etag: '"tides-v2"' }),
  '/openapi/v3': (_request, response) =>
    sendJson(response, 200, {
      paths: { [`apis/${group}/v1`]: { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=TIDES` } },
    }),
  [`/openapi/v3/apis/${group}/v1`]: (_request, response) => sendJson(response, 200, schemas, { etag: '"TIDES"' }),
  [`${base}/redirect`]: (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end('gone'),
  [`${base}/broken`]: (request) => request.socket.destroy(),
  [`${base}/refused`]: (_request, response) =>
    sendJson(response, 409, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', code: 409 }),
  [`${base}/pieces`]: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', warning: '299 - "low water"' });
    response.write('{"type":"ADDED"}\n');
    setTimeout(() => response.end('{"type":"DELETED"}\n'), 50);
  },
  [`${base}/silent`]: () => undefined,
};

function sendJson(
  response: ServerResponse,
  code: number,
  body: JsonObject,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Headers that differ by client and by run. */
const left: ReadonlySet<string> = new Set(['connection', 'accept-encoding', 'user-agent', 'content-length', 'date']);

/** A namespace with one object, until it is deleted. */
const doomed = `${base}/namespaces/doomed/tides`;

function objects(): Handler {
  let items: JsonObject[] = [{ metadata: { name: 'flood', namespace: 'doomed' } }];
  return ({ method }, response) => {
    if (method === 'DELETE') items = [];
    sendJson(response, 200, { kind: 'TideList', apiVersion: `${group}/v1`, metadata: { resourceVersion: '1' }, items });
  };
}

/** The request and its user. */
function tell(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const headers = Object.fromEntries(
      Object.entries(request.headersDistinct)
        .filter(([name]) => !left.has(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    // A server with TLS.
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    sendJson(response, 200, {
      kind: 'Told',
      method: request.method ?? '',
      url: request.url ?? '',
      // Values of headers.
      headers: headers as JsonObject,
      body: Buffer.concat(chunks).toString(),
      client: subject?.CN?.toString() ?? '',
    });
  });
}

/** Echoes data once the protocol is agreed. */
function echo(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const user = request.headers['x-remote-user']?.toString() ?? '';
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n${user}\n`);
  socket.pipe(socket);
}
