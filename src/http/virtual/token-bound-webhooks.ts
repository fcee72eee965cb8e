import type { JsonObject } from '../../api/json/json.ts';
import { badRequest, forbidden } from '../../api/errors/status-errors.ts';
import { accountUser } from '../../authentication/service-account/account-users.ts';
import { webhookGate } from '../../authentication/service-account/account-tokens.ts';
import { reviewedGroupsKey } from '../../authentication/service-account/claims.ts';
import { forbiddenError } from '../../api/contracts/forbidden-request.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import {
  type BinderRow,
  type BindingParts,
  type Bound,
  referenceTo,
  type Stored,
  type WantedBinding,
} from './token-binding.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const mostSeconds = 600;

interface WebhookKind {
  readonly key: 'validatingWebhook' | 'mutatingWebhook';
  readonly kind: string;
  readonly plural: string;
}

const webhookKinds: readonly WebhookKind[] = [
  { key: 'validatingWebhook', kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
  { key: 'mutatingWebhook', kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
];

/** Webhooks that an API server asks in the name of an account, by `apiVersion/kind`. */
export const webhookBinders: ReadonlyMap<string, BinderRow> = new Map(
  webhookKinds.map((row) => [
    `${apiVersion}/${row.kind}`,
    { key: row.key, bind: (parts, account, wanted) => bindWebhook(row, parts, { account, ...wanted }) },
  ]),
);

async function bindWebhook(
  { key, kind, plural }: WebhookKind,
  parts: BindingParts,
  { account, name, spec }: WantedBinding & { readonly account: Stored },
): Promise<Bound> {
  const { tokens, stored, nowMs } = parts;
  if (!tokens.bindsWebhooks) {
    const why = `feature gate ${webhookGate} is disabled`;
    throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind} (${why})`);
  }
  if (spec.audiences.some((audience) => tokens.audiences.includes(audience))) {
    throw badRequest('api server audiences are invalid for webhook token requests');
  }
  // There is one of each: that has been checked.
  const [group = ''] = spec.attestations?.[reviewedGroupsKey] ?? [];
  const [audience = ''] = spec.audiences;
  await permitReviews(parts, account, group);
  const [version, own] = ['v1', 'admissionregistration.k8s.io'];
  const found = await stored.get({ group: own, version, plural }, { namespace: '', name });
  if (found === undefined || isGone(found, nowMs) || !(group === '*' || asks(found, { group, audience }))) {
    // Nobody learns here which webhooks there are.
    const resource = { group: '', resource: 'serviceaccounts/token' };
    throw forbidden(resource, account.metadata.name ?? '', 'token request denied');
  }
  return { [key]: referenceTo(found), attestations: spec.attestations as JsonObject, mostSeconds };
}

/** Throws a 403 unless the account may tell webhooks that it asks for reviews of the group. */
async function permitReviews({ authorizer }: BindingParts, account: Stored, group: string): Promise<void> {
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const attributes = {
    user: accountUser({
      namespace,
      account: {
        name,
        uid,
      },
    }),
    verb: 'attest',
    isResourceRequest: true,
    path: '',
    group: 'authentication.k8s.io',
    version: '*',
    resource: reviewedGroupsKey,
    subresource: '',
    namespace: '',
    name: group,
  };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return;
  throw forbiddenError(attributes, [error, reason].filter((text) => text !== undefined && text !== '').join(': '));
}

function isGone({ metadata: { deletionTimestamp } }: Stored, nowMs: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs;
}

/** Whether one of its webhooks is asked at the audience for reviews of the group. */
function asks(
  configuration: Stored,
  { group, audience }: { readonly group: string; readonly audience: string },
): boolean {
  // Decoded by the schema of the kind; both kinds have what is read here.
  const { webhooks = [] } = configuration as ValidatingWebhookConfiguration & MutatingWebhookConfiguration;
  return webhooks.some(({ clientConfig = {}, rules = [] }) => {
    const groups = rules.flatMap(({ apiGroups = [] }) => apiGroups);
    return (groups.includes('*') || groups.includes(group)) && audiencesOf(clientConfig).includes(audience);
  });
}

function audiencesOf({ url, service }: WebhookClientConfig): readonly string[] {
  const audiences = url === undefined ? [] : [url];
  if (service === undefined) return audiences;
  const { name = '', namespace = '', port = 443, path = '/' } = service;
  return [...audiences, `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? '' : '/'}${path}`];
}
