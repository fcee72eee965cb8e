import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/api/json/json.ts';
import { oneOf, someOf } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, patch, post, remove, type Step, type Subject } from './subject.ts';

const collection = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const texts = JSON.parse(
  readFileSync(new URL('../../test/controllers/testdata/requests.json', import.meta.url), 'utf8'),
) as { readonly [name: string]: string };

const signers = ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'legacy-unknown'];
const usages = ['digital signature', 'key encipherment', 'client auth', 'server auth', 'signing', 'any'];
/** What the signers take. */
const usual: { readonly [signer: string]: readonly string[] } = {
  'kube-apiserver-client': ['digital signature', 'key encipherment', 'client auth'],
  'kube-apiserver-client-kubelet': ['digital signature', 'key encipherment', 'client auth'],
  'kubelet-serving': ['digital signature', 'key encipherment', 'server auth'],
  'legacy-unknown': ['digital signature', 'signing', 'client auth'],
};

function conditions(random: Random): JsonObject[] {
  const condition = (type: string): JsonObject => ({ type, status: 'True', reason: 'Test', message: 'so' });
  const types = random.pick([['Approved'], ['Approved'], ['Denied'], ['Approved', 'Failed'], ['Failed'], []]) ?? [];
  return types.map(condition);
}

function deeds(random: Random, space: string): Deeds {
  const names = [`${space}-a`, `${space}-b`, `${space}-c`];
  const steps: Step[] = [];
  for (const name of names) {
    const signer = random.pick(signers) ?? '';
    const [, text = ''] = random.pick(Object.entries(texts)) ?? [];
    const chosen = random.chance(0.65) ? (usual[signer] ?? []) : usages.filter(() => random.chance(0.4));
    steps.push(
      post(collection, {
        metadata: { name, ...someOf(random, { finalizers: [0.05, oneOf(['example.com/f'])] }) },
        spec: {
          request: Buffer.from(text).toString('base64'),
          signerName: random.chance(0.95) ? `kubernetes.io/${signer}` : 'example.com/other',
          usages: random.chance(0.3) ? chosen.slice(1) : [...chosen],
          ...someOf(random, { expirationSeconds: [0.5, oneOf(600, 3600, 7200, 86_400, 99_999_999)] }),
        },
      }),
    );
    if (random.chance(0.4)) steps.push({ pauseMs: 1000 });
    const more = conditions(random);
    const part = more.some(({ type }) => type === 'Failed') ? 'status' : 'approval';
    if (random.chance(0.85)) steps.push(patch(`${collection}/${name}/${part}`, { status: { conditions: more } }));
    if (random.chance(0.1)) steps.push(remove(`${collection}/${name}`));
  }
  return { steps, reads: names.map((name) => `${collection}/${name}`) };
}

/** Requests for certificates of all signers. */
export const certificates: Subject = { name: 'certificates', setUp: [], deeds };
