import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { noLog } from '../../api/contracts/log.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { ruleTimes } from '../../cel/rules/rule-times.ts';
import { conversionMetrics } from '../../extensions/conversion-metrics.ts';
import { DefinitionFollower } from '../../extensions/definition-follower.ts';
import { webhookCertificates } from '../../outgoing/certificate-counts.ts';
import { anyAddress, routedServices, type ServiceRouting } from '../../outgoing/service-resolver.ts';
import { InProcessClient, type InProcessClientOptions } from '../../client/in-process-client.ts';
import { serverManager, systemUser } from '../../system/system-operation.ts';

export interface FollowedDefinitions extends AsyncDisposable {
  /** Resolves when all stored definitions are served, or with `stopWaiting`. */
  readonly settled: Promise<void>;
  /** False until all stored definitions have been read: one that is unreadable hides the others. */
  readonly isComplete: boolean;
  stopWaiting(): void;
}

/** Serves the kinds of the stored definitions and follows them until the result is disposed of. */
export async function followDefinitions(
  {
    metric,
    routing,
    egress,
    log = noLog,
    ...options
  }: Omit<InProcessClientOptions, 'user' | 'manager'> &
    Pick<PartContext, 'metric' | 'egress' | 'log'> & { readonly routing: ServiceRouting },
  catalogue: LiveCatalogue,
  onError: (error: unknown) => void,
): Promise<FollowedDefinitions> {
  const client = new InProcessClient({ ...options, user: systemUser, manager: serverManager });
  const metrics = conversionMetrics(metric);
  const certificates = webhookCertificates(metric);
  const webhooks = { services: anyAddress(routedServices(client, routing)), egress, log, certificates };
  const { clock } = options;
  const shared = { metrics, times: ruleTimes(metric), webhooks };
  const follower = new DefinitionFollower({ client, catalogue, clock, onError, ...shared });
  await follower.begin();
  return follower;
}
