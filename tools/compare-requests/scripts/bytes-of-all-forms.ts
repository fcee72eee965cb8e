import { configMap, instance, places, secret } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, protobufType, put } from '../steps.ts';

const space = 'bytes-of-all-forms';
const bytes = { type: 'string', format: 'byte' };
const custom = {
  group: 'bytes.example.com',
  plural: 'lumps',
  kind: 'Lump',
  properties: {
    spec: {
      type: 'object',
      properties: {
        plain: bytes,
        short: { ...bytes, maxLength: 4 },
        long: { ...bytes, minLength: 4 },
        formed: { ...bytes, pattern: '^[a-z]+$' },
        known: { ...bytes, enum: ['eA==', ''] },
        filled: { ...bytes, default: 'eA==' },
        none: { ...bytes, nullable: true },
        list: { type: 'array', items: bytes, 'x-kubernetes-list-type': 'set' },
        map: { type: 'object', additionalProperties: bytes },
      },
    },
  },
} as const;
const lumps = places.custom(custom.group, custom.plural, space);
const [secrets, maps] = [places.secrets(space), places.configMaps(space)];
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const texts: { readonly [name: string]: string } = {
  one: 'eA==',
  two: 'eHk=',
  three: 'eHl6',
  none: '',
  'without padding': 'eA',
  'half of the padding': 'eA=',
  'padding within': 'eA==eA==',
  'for URLs': 'eH-_',
  'for URLs without padding': 'eH-',
  'a line break at the end': 'eA==\n',
  'line breaks': 'e\nA\n=\n=',
  'a carriage return': 'eA==\r',
  'a tab': 'eA\t==',
  'a blank at the end': 'eA== ',
  'a null character': 'eA==\u0000',
  'no ASCII': 'é',
  'zero bytes': 'AAAA',
  'high bytes': '////',
  'half a character': 'w4==',
  'stray bits': 'eB==',
  'a mark of order': '77u/eA==',
};

const forms: { readonly [form: string]: Partial<Step> } = {
  YAML: { form: 'yaml' },
  CBOR: { form: 'cbor' },
};

function textSteps(text: string, name: string): readonly Step[] {
  const own = name.replaceAll(' ', '-').toLowerCase();
  const fieldsOf = (value: unknown): object => ({ plain: value, none: value, list: [value], map: { k: value } });
  return [
    post(`secret: ${name}`, secrets, secret(`s-${own}`, { data: { k: text } })),
    get(`secret in protobuf: ${name}`, `${secrets}/s-${own}`, { accept: protobufType }),
    get(`secret in CBOR: ${name}`, `${secrets}/s-${own}`, { accept: 'application/cbor' }),
    get(`secret in YAML: ${name}`, `${secrets}/s-${own}`, { accept: 'application/yaml' }),
    patch(`is it that: ${name}`, 'json', `${secrets}/s-${own}`, [{ op: 'test', path: '/data/k', value: text }]),
    put(`put again: ${name}`, `${secrets}/s-${own}`, secret(`s-${own}`, { data: { k: text } })),
    apply(`apply to it: ${name}`, `${secrets}/s-${own}`, secret(`s-${own}`, { data: { k: text } }), 'two'),
    ...Object.entries(forms).flatMap(([form, more]) => [
      post(`secret from ${form}: ${name}`, `${secrets}?dryRun=All`, secret('f', { data: { k: text } }), more),
      post(
        `config map from ${form}: ${name}`,
        `${maps}?dryRun=All`,
        { ...configMap('f'), binaryData: { k: text } },
        more,
      ),
      post(`lump from ${form}: ${name}`, `${lumps}?dryRun=All`, instance(custom, 'f', { spec: fieldsOf(text) }), more),
    ]),
    post(`lump: ${name}`, `${lumps}?dryRun=All`, instance(custom, 'f', { spec: fieldsOf(text) })),
    ...['short', 'long', 'formed', 'known', 'filled'].map((field) =>
      post(`lump, ${field}: ${name}`, `${lumps}?dryRun=All`, instance(custom, 'f', { spec: { [field]: text } })),
    ),
    post(`request for a certificate: ${name}`, `${requests}?dryRun=All`, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'f' },
      spec: { signerName: 'example.com/x', usages: ['client auth'], request: text },
    }),
    post(`bundle of a webhook: ${name}`, `${webhooks}?dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'f' },
      webhooks: [
        {
          name: 'a.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://127.0.0.1:1', caBundle: text },
        },
      ],
    }),
  ];
}

const binaries: { readonly [name: string]: string } = {
  tagged: '!!binary eA==',
  'tagged as a block': '!!binary |\n    eA==\n    eHk=',
  'tagged, not base64': '!!binary "!!!"',
  'tagged, no text': '!!binary 5',
  'a number': '1234',
  'a number in quotes': '"1234"',
  'a boolean': 'true',
  'a null': 'null',
  'a tilde': '~',
  'a block': '|\n    eA==',
  'a folded block': '>\n    eA\n    ==',
  'a list': '[eA==]',
  'a map': '{a: eA==}',
  nothing: '',
};

/** Reports: bytes that come in another form than they are asked for. */
export const bytesOfAllForms = script(
  space,
  inNamespace(space),
  define(custom),
  forEach(texts, textSteps),
  forEach(binaries, (text, name) => [
    post(
      `data in YAML: ${name}`,
      `${secrets}?dryRun=All`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: y}\ndata:\n  k: ${text}\n`,
      {
        contentType: 'application/yaml',
      },
    ),
    post(
      `texts in YAML: ${name}`,
      `${secrets}?dryRun=All`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: y}\nstringData:\n  k: ${text}\n`,
      {
        contentType: 'application/yaml',
      },
    ),
    post(
      `lump in YAML: ${name}`,
      `${lumps}?dryRun=All`,
      `apiVersion: bytes.example.com/v1\nkind: Lump\nmetadata: {name: y}\nspec:\n  plain: ${text}\n`,
      {
        contentType: 'application/yaml',
      },
    ),
  ]),
  post('a secret that stays', secrets, secret('still', { immutable: true, data: { k: 'eA==' } })),
  forEach({ same: 'eA==', 'same with a break': 'eA\n==', other: 'eHk=', empty: '', null: null }, (text, name) => [
    put(
      `put what stays: ${name}`,
      `${secrets}/still?dryRun=All`,
      secret('still', { immutable: true, data: { k: text } }),
    ),
    patch(`merge what stays: ${name}`, 'merge', `${secrets}/still?dryRun=All`, { data: { k: text } }),
    patch(`text of what stays: ${name}`, 'merge', `${secrets}/still?dryRun=All`, { stringData: { k: text } }),
  ]),
);
