import { type PluginRow, pluginTable } from '../admission/plugin-table.ts';
import {
  type AuthenticatorRow,
  authenticatorTable,
  type TokenAuthenticatorRow,
  tokenAuthenticatorTable,
} from '../authentication/authenticator-table.ts';
import { type AuthorizerRow, authorizerTable } from '../authorization/authorizer-table.ts';
import type { BuiltInKindsOptions } from '../catalogue/built-in-kinds.ts';
import { type ControllerRow, controllerTable } from '../controllers/controller-table.ts';
import { serverControllerTable } from '../controllers/server-controller-table.ts';
import type { ConnectRow } from '../http/connect/connect-handler.ts';
import { connectTable } from '../http/connect/connect-table.ts';
import type { Encoding } from '../http/forms/encoding.ts';
import { encodingTable } from '../http/forms/encoding-table.ts';
import type { Form } from '../http/forms/form.ts';
import { formTable } from '../http/forms/form-table.ts';
import { type VerbRow, verbTable } from '../http/verbs/verb-table.ts';
import { builtInBehaviour } from '../resources/built-in-behaviour.ts';
import type { KindEnvironment } from '../resources/kind-environment.ts';
import { type ConfiguredRows, type HealthCheckRow, healthCheckTable } from './entry/health-checks.ts';
import { type StorageEngineRow, storageEngineTable } from './store/open-store.ts';
import { type StageRow, stageTable } from './entry/stages.ts';
import { type StartHookRow, startHookTable } from './start-hooks.ts';
import { type VirtualResourceRow, virtualResourceTable } from './kinds/virtual-resources.ts';

/** Everything a server is assembled from, one table per extension point. A row is all that a new one needs. */
export interface Wiring {
  readonly storageEngines: readonly StorageEngineRow[];
  readonly tokenAuthenticators: readonly TokenAuthenticatorRow[];
  readonly authenticators: readonly AuthenticatorRow[];
  readonly authorizers: readonly AuthorizerRow[];
  readonly admissionPlugins: readonly PluginRow[];
  readonly stages: readonly StageRow[];
  readonly verbs: readonly VerbRow[];
  readonly encodings: readonly Encoding[];
  readonly forms: readonly Form[];
  readonly virtualResources: readonly VirtualResourceRow[];
  readonly connects: readonly ConnectRow[];
  readonly startHooks: readonly StartHookRow[];
  readonly healthChecks: readonly (HealthCheckRow | ConfiguredRows)[];
  readonly controllers: readonly ControllerRow[];
  readonly serverControllers: readonly ControllerRow[];
  /** The behaviour of built-in kinds beyond their schemas; custom kinds bring their own. */
  readonly behaviour: (environment: KindEnvironment) => BuiltInKindsOptions['behaviourOf'];
}

export const builtInWiring: Wiring = {
  storageEngines: storageEngineTable,
  tokenAuthenticators: tokenAuthenticatorTable,
  authenticators: authenticatorTable,
  authorizers: authorizerTable,
  admissionPlugins: pluginTable,
  stages: stageTable,
  verbs: verbTable,
  encodings: encodingTable,
  forms: formTable,
  virtualResources: virtualResourceTable,
  connects: connectTable,
  startHooks: startHookTable,
  healthChecks: healthCheckTable,
  controllers: controllerTable,
  serverControllers: serverControllerTable,
  behaviour: builtInBehaviour,
};
