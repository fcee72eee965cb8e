import { StatusError } from '../../api/errors/status.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { KubeletAddressing } from './connect-handler.ts';
import { liveObject } from './live-object.ts';

interface NodeStatus {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
    readonly declaredFeatures?: readonly string[];
  };
}

export interface KubeletAddress extends CallAddress {
  /** Feature gates declared by the kubelet. */
  readonly features: readonly string[];
}

/** Where the kubelet of a node listens. Throws a 404 without the node, a 500 without an address of a wanted type. */
export async function kubeletAddress(
  context: RequestContext,
  name: string,
  { preferredAddressTypes, port }: KubeletAddressing,
): Promise<KubeletAddress> {
  const { status = {} } = await liveObject<NodeStatus>(context, { plural: 'nodes', namespace: '', name });
  const { addresses = [], daemonEndpoints, declaredFeatures = [] } = status;
  const host = preferredAddressTypes
    .map((type) => addresses.find((each) => each.type === type)?.address)
    .find((address) => address !== undefined);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    const message = `no preferred addresses found; known addresses: [${known}]`;
    throw new StatusError({ code: 500, reason: '', message });
  }
  return { host, port: daemonEndpoints?.kubeletEndpoint?.Port || port, features: declaredFeatures };
}
