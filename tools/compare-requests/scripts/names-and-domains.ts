import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'domains';
const slices = `/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices`;
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const slice = (name: string, addresses: unknown): object => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name },
  addressType: 'FQDN',
  endpoints: [{ addresses }],
  ports: [{ name: 'a', port: 80 }],
});

const domains: { readonly [name: string]: string } = {
  'one label': 'bad',
  'two labels': 'a.b',
  'a dot at the end': 'a.b.',
  'two dots at the end': 'a.b..',
  'one label with a dot': 'bad.',
  nothing: '',
  'a dot': '.',
  'an empty label': 'a..b',
  'an upper case': 'A.b',
  'a dash first': '-a.b',
  'a dash last': 'a.b-',
  'an address': '1.2.3.4',
  'an IPv6 address': 'fd00::1',
  'a long label': `${'x'.repeat(64)}.b`,
  'two long labels': `a.${'x'.repeat(64)}.${'y'.repeat(64)}`,
  'a long domain': `${'x'.repeat(60)}.`.repeat(5),
  'a star': '*.a.b',
  'an underscore': 'a_b.c',
  'another letter': 'ü.b',
  'a blank': 'a b.c',
};

const nobody = { request: '', signerName: 'a.io/b', usages: [] };
// Its names, key and signature are random; nobody verifies the latter.
const somebody = {
  request: Buffer.from(
    '-----BEGIN CERTIFICATE REQUEST-----\n' +
      'MIHIMHACAQAwDjEMMAoGA1UEAwwDYWJjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEoaQVGELkKm3t+mQi5xZDuR4/\n' +
      '-----END CERTIFICATE REQUEST-----\n',
  ).toString('base64'),
  signerName: 'a.io/b',
  usages: ['any'],
};
const names: readonly string[] = ['a/b', 'a%b', '..', '.', 'A_b', 'a b', 'a'.repeat(300)];

const named = (name: string, index: number): readonly Step[] => [
  post(`request ${index}: nothing right`, requests, { metadata: { name }, spec: nobody }),
  post(`request ${index}: and a label`, requests, { metadata: { name, labels: { 'a b': 'c' } }, spec: nobody }),
  post(`request ${index}: what cannot be read`, requests, { metadata: { name }, spec: somebody }),
];

/** Reports: what names and addresses may be. */
export const namesAndDomains = script(
  'names-and-domains',
  inNamespace(space),
  post('base', slices, slice('base', ['a.b'])),
  forEach(domains, (domain, name) => [
    post(`${name}: post`, slices, slice(`s-${name.replaceAll(' ', '-').toLowerCase()}`, [domain])),
    post(`${name}: post beside another`, `${slices}?dryRun=All`, slice('t', ['a.b', domain])),
    put(`${name}: put`, `${slices}/base?dryRun=All`, slice('base', [domain])),
    patch(`${name}: merge`, 'merge', `${slices}/base?dryRun=All`, { endpoints: [{ addresses: [domain] }] }),
    apply(`${name}: apply`, `${slices}/base?dryRun=All`, slice('base', [domain]), 'one&force=true'),
  ]),
  get('the base', `${slices}/base`),
  names.flatMap(named),
);
