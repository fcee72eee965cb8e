import { goQuote } from '../../api/go/go-quote.ts';
import { formatGroupVersionKind, parseApiVersion } from '../../api/meta/group-version.ts';
import { badRequest, conflict, notFound } from '../../api/errors/status-errors.ts';
import {
  type BinderRow,
  type BindingParts,
  type Bound,
  referenceTo,
  type Stored,
  type WantedBinding,
} from './token-binding.ts';
import { type CompleteSpec, refusePathName } from './token-request-validation.ts';
import { webhookBinders } from './token-bound-webhooks.ts';

const core = (plural: string) => ({ group: '', version: 'v1', plural });

/** What a token can be bound to, by kind. */
const binders: ReadonlyMap<string, BinderRow> = new Map<string, BinderRow>([
  ['Pod', { key: 'pod', bind: bindPod }],
  ['Secret', { key: 'secret', bind: bindSecret }],
  ['Node', { key: 'node', bind: bindNode }],
]);

async function bindSecret(parts: BindingParts, { metadata }: Stored, { name }: WantedBinding): Promise<Bound> {
  return { secret: referenceTo(await existing(parts, 'secrets', { namespace: metadata.namespace ?? '', name })) };
}

async function bindNode(parts: BindingParts, _account: Stored, { name }: WantedBinding): Promise<Bound> {
  return { node: referenceTo(await existing(parts, 'nodes', { namespace: '', name })) };
}

/** What the token that is asked for is bound to. Throws StatusErrors. */
export async function boundObjects(parts: BindingParts, account: Stored, spec: CompleteSpec): Promise<Bound> {
  if (spec.boundObjectRef === undefined) return {};
  const { apiVersion = '', kind: boundKind = '', name = '', uid = '' } = spec.boundObjectRef;
  // What is no version counts as none.
  const { group, version } = parseApiVersion(apiVersion === '/' ? '' : apiVersion) ?? { group: '', version: '' };
  const binder = group === '' ? binders.get(boundKind) : webhookBinders.get(`${apiVersion}/${boundKind}`);
  if (binder === undefined) {
    const type = formatGroupVersionKind({ group, version, kind: boundKind });
    throw badRequest(`cannot bind token to object of type ${type}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const bound = await binder.bind(parts, account, { name, spec });
  const own = bound[binder.key]?.uid ?? '';
  if (uid === '' || uid === own) return bound;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group, resource: boundKind }, name, why);
}

/** The token of a pod says, too, on which node the pod is. */
async function bindPod(parts: BindingParts, { metadata }: Stored, { name }: WantedBinding): Promise<Bound> {
  const pod = await existing(parts, 'pods', { namespace: metadata.namespace ?? '', name });
  const { serviceAccountName, nodeName = '' } = (pod['spec'] ?? {}) as {
    readonly serviceAccountName?: string;
    readonly nodeName?: string;
  };
  if (serviceAccountName !== metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(metadata.name ?? '')} to pod running with different serviceaccount name.`,
    );
  }
  if (nodeName === '') return { pod: referenceTo(pod) };
  const node = await parts.stored.get(core('nodes'), { namespace: '', name: nodeName });
  return { pod: referenceTo(pod), node: node === undefined ? { name: nodeName, uid: '' } : referenceTo(node) };
}

async function existing(
  { stored }: BindingParts,
  plural: string,
  place: { readonly namespace: string; readonly name: string },
): Promise<Stored> {
  refusePathName(place.name);
  const found = await stored.get(core(plural), place);
  if (found === undefined) throw notFound({ group: '', resource: plural }, place.name);
  return found;
}
