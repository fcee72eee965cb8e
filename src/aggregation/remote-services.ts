import { isDeepStrictEqual } from 'node:util';
import type { EgressWay } from '../api/contracts/egress.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { CatalogueChange } from '../catalogue/catalogue.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { RemoteVersion, AdvertisedOpenApi, AdvertisedResources } from '../catalogue/remote-version.ts';
import { type ClientCredentials, isSameServer, RemoteServer } from '../outgoing/remote-server.ts';
import type { EndpointsResolver } from '../outgoing/service-resolver.ts';
import { type ApiService, apiServices, isAvailable, type ServiceReference } from './api-service.ts';
import type { Checked } from './availability.ts';
import { clientResources, encodedResources } from './advertised-discovery.ts';

/** An APIService of another server. */
export interface RemoteService extends Checked {
  readonly group: string;
  readonly version: string;
  readonly entry: RemoteVersion;
}

export interface TellableResources {
  readonly resources?: readonly JsonObject[];
  readonly isFresh: boolean;
}

const nothingAdvertised: AdvertisedResources = { json: Buffer.from('[]'), byName: new Map(), isFresh: false };

export interface RemoteServicesOptions {
  readonly catalogue: LiveCatalogue;
  readonly resolve: EndpointsResolver;
  /** How connections to them are opened. */
  readonly egress?: EgressWay;
  readonly credentials: () => ClientCredentials | undefined;
}

/** The APIServices of other servers, each an entry of the catalogue. */
export class RemoteServices implements Disposable {
  readonly #options: RemoteServicesOptions;
  readonly #byName = new Map<string, RemoteService>();

  constructor(options: RemoteServicesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byName.size;
  }

  get(name: string): RemoteService | undefined {
    return this.#byName.get(name);
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Names of those behind a service, whose addresses are resolved again. */
  behind(namespace: string, name: string): readonly string[] {
    const found = [...this.#byName].filter(([, each]) => each.namespace === namespace && each.name === name);
    for (const [, { server }] of found) server.forgetAddresses();
    return found.map(([each]) => each);
  }

  set(name: string, service: ApiService, reference: ServiceReference): void {
    const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = service.spec;
    const before = this.#byName.get(name);
    const server = this.#serverOf(service, reference, before?.server);
    const entry: RemoteVersion = {
      group,
      version,
      server,
      isAvailable: isAvailable(service),
      priority: {
        group: groupPriorityMinimum,
        version: versionPriority,
      },
      ...(before?.entry.advertised === undefined ? {} : { advertised: before.entry.advertised }),
      ...(before?.entry.openApi === undefined ? {} : { openApi: before.entry.openApi }),
    };
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    this.#put(name, { ...placeOf(reference), path, server, group, version, entry });
    if (before !== undefined && before.server !== server) before.server[Symbol.dispose]();
  }

  /** The discovery of its server; without resources, those that are known. */
  async tell(name: string, { resources, isFresh }: TellableResources): Promise<void> {
    const queried = this.#byName.get(name);
    if (queried === undefined) return;
    const { advertised = nothingAdvertised } = queried.entry;
    const json = resources === undefined ? advertised.json : await encodedResources(resources);
    // Repeated requests mostly return the same.
    const isSame = resources === undefined || json.equals(advertised.json);
    if (isSame && queried.entry.advertised?.isFresh === isFresh) return;
    const known = isSame ? advertised : { json, byName: clientResources(queried, resources) };
    const service = this.#byName.get(name);
    if (service === undefined || service.server !== queried.server) return;
    this.#put(name, { ...service, entry: { ...service.entry, advertised: { ...known, isFresh } } });
  }

  /** Its OpenAPI documents. */
  tellOpenApi(name: string, openApi: AdvertisedOpenApi): void {
    const service = this.#byName.get(name);
    if (service === undefined) return;
    const { v2, v3 } = service.entry.openApi ?? {};
    if (v2 === openApi.v2 && isDeepStrictEqual(v3, openApi.v3)) return;
    this.#put(name, { ...service, entry: { ...service.entry, openApi } });
  }

  delete(name: string): void {
    const service = this.#byName.get(name);
    if (service === undefined) return;
    this.#byName.delete(name);
    this.#change({ removeRemote: [service.entry] }, service);
    service.server[Symbol.dispose]();
  }

  /** Closes connections with outdated credentials. */
  renewCredentials(): void {
    for (const [name, service] of this.#byName) {
      const server = new RemoteServer({ ...service.server.options, credentials: this.#options.credentials() });
      this.#put(name, { ...service, server, entry: { ...service.entry, server } });
      service.server[Symbol.dispose]();
    }
  }

  /** Ends what is asked of them. */
  [Symbol.dispose](): void {
    for (const { server } of this.#byName.values()) server.end();
  }

  #put(name: string, service: RemoteService): void {
    const before = this.#byName.get(name)?.entry;
    const isSame = before !== undefined && sameEntry(before, service.entry);
    this.#byName.set(name, isSame ? { ...service, entry: before } : service);
    if (!isSame) this.#change({ removeRemote: before ? [before] : [], addRemote: [service.entry] }, service);
  }

  /** As in the reference, no other server can serve APIServices: nobody could take its APIService away again. */
  #change(change: CatalogueChange, { group }: RemoteService): void {
    if (group !== apiServices.group) this.#options.catalogue.change(change);
  }

  #serverOf({ spec }: ApiService, reference: ServiceReference, before: RemoteServer | undefined): RemoteServer {
    const { caBundle = '', insecureSkipTLSVerify: isInsecure = false } = spec;
    const { resolve, credentials, egress } = this.#options;
    const authorities = Buffer.from(caBundle, 'base64').toString('latin1');
    const options = { ...placeOf(reference), authorities, isInsecure, resolve, egress, credentials: credentials() };
    return before !== undefined && isSameServer(before.options, options) ? before : new RemoteServer(options);
  }
}

function placeOf({
  namespace = '',
  name = '',
  port = 443,
}: ServiceReference): Pick<Checked, 'namespace' | 'name' | 'port'> {
  return { namespace, name, port };
}

function sameEntry(a: RemoteVersion, b: RemoteVersion): boolean {
  return (
    a.server === b.server &&
    a.isAvailable === b.isAvailable &&
    a.advertised === b.advertised &&
    a.openApi === b.openApi &&
    a.priority.group === b.priority.group &&
    a.priority.version === b.priority.version
  );
}
