import {
  childPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { findingsOfItems, joined } from '../../../api/errors/findings.ts';
import { httpHeaderNameErrors, portNameErrors } from '../../../api/meta/names.ts';
import type {
  Container,
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  SleepAction,
  TCPSocketAction,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import {
  type Count,
  enumOrEmpty,
  type Errors,
  formErrors,
  nonNegative,
  oneOf,
  portNumber,
  required,
} from '../rules/rules.ts';

// Probes and lifecycle hooks.

/** A port number, or the name of a container port. */
export function portOrName(port: number | string | undefined, path: string): Errors {
  return typeof port === 'string' ? formErrors(path, port, portNameErrors(port)) : portNumber(port ?? 0, path);
}

const present = required();

function exec({ command }: ExecAction, path: string): Errors {
  return present(command, childPath(path, 'command'));
}

const urlScheme = enumOrEmpty(['HTTP', 'HTTPS']);

function httpGet(action: HTTPGetAction, path: string): Errors {
  const headersPath = childPath(path, 'httpHeaders');
  return joined(
    present(action.path, childPath(path, 'path')),
    portOrName(action.port, childPath(path, 'port')),
    urlScheme(action.scheme, childPath(path, 'scheme')),
    findingsOfItems(action.httpHeaders ?? [], ({ name = '' }) =>
      formErrors(headersPath, name, httpHeaderNameErrors(name)),
    ),
    action.protocol === undefined ? [] : httpProtocol(action.protocol, action, path),
  );
}

function* httpProtocol(protocol: string, { scheme, host = '' }: HTTPGetAction, path: string): Errors {
  const protocolPath = childPath(path, 'protocol');
  if (protocol !== 'HTTP1' && protocol !== 'HTTP2') {
    yield notSupportedField(protocolPath, protocol, ['HTTP1', 'HTTP2']);
  } else if (protocol === 'HTTP2' && scheme !== 'HTTP') {
    yield invalidField(protocolPath, protocol, 'is only supported with HTTP (H2C)');
  } else if (protocol === 'HTTP2' && host !== '') {
    yield invalidField(childPath(path, 'host'), host, 'must be empty when `protocol` is "HTTP2"');
  }
}

function tcpSocket({ port }: TCPSocketAction, path: string): Errors {
  return portOrName(port, childPath(path, 'port'));
}

function* grpc({ port, mode }: GRPCAction, path: string): Errors {
  yield* portOrName(port, childPath(path, 'port'));
  yield* oneOf(['Plaintext', 'TLS'])(mode, childPath(path, 'mode'));
}

function* sleep({ seconds = 0 }: SleepAction, path: string, gracePeriod: Count): Errors {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return;
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  yield invalidField(path, seconds, detail);
}

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;

const ways = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** Exactly one handler; additional ones are refused without validating them. */
function handler(value: Handler, path: string, gracePeriod: Count): Errors {
  const given = ways.filter((way) => value[way] !== undefined);
  if (given.length === 0) return [requiredField(path, 'must specify a handler type')];
  return findingsOfItems(given, (way, index) => {
    const wayPath = childPath(path, way);
    if (index > 0) return [forbiddenField(wayPath, 'may not specify more than 1 handler type')];
    if (value.exec) return exec(value.exec, wayPath);
    if (value.httpGet) return httpGet(value.httpGet, wayPath);
    if (value.tcpSocket) return tcpSocket(value.tcpSocket, wayPath);
    if (value.grpc) return grpc(value.grpc, wayPath);
    return value.sleep ? sleep(value.sleep, wayPath, gracePeriod) : [];
  });
}

const probeCounts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

const aboveZero = 'must be greater than 0';

function probe(value: Probe, path: string): Errors {
  const grace = value.terminationGracePeriodSeconds;
  const isTooShort = grace !== undefined && grace <= 0;
  return joined(
    handler(value, path, undefined),
    findingsOfItems(probeCounts, (name) => nonNegative(value[name], childPath(path, name))),
    isTooShort ? [invalidField(childPath(path, 'terminationGracePeriodSeconds'), grace, aboveZero)] : [],
  );
}

function onceSuccessful(value: Probe, path: string): Errors {
  const { successThreshold = 0 } = value;
  return joined(
    probe(value, path),
    successThreshold === 1 ? [] : [invalidField(childPath(path, 'successThreshold'), successThreshold, 'must be 1')],
  );
}

function readiness(value: Probe, path: string): Errors {
  const grace = value.terminationGracePeriodSeconds;
  const gracePath = childPath(path, 'terminationGracePeriodSeconds');
  return joined(
    probe(value, path),
    grace === undefined ? [] : [invalidField(gracePath, grace, 'must not be set for readinessProbes')],
  );
}

/** What the hooks of containers depend on in the pod. */
export interface HookScope {
  readonly gracePeriod: Count;
  readonly osName: string | undefined;
}

const windowsSignals = ['SIGKILL', 'SIGTERM'];
const realTimeSignals = [
  'SIGRTMAX',
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
  'SIGRTMIN',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
];
const linuxSignals = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP'.split(
    ' ',
  ),
  ...'TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'.split(' '),
]
  .map((name) => `SIG${name}`)
  .concat(realTimeSignals)
  .sort();

function* stopSignal(signal: string, path: string, osName: string | undefined): Errors {
  if (osName === undefined) yield forbiddenField(path, 'may not be set for containers with empty `spec.os.name`');
  else if (osName === 'windows') yield* oneOf(windowsSignals)(signal, path);
  else if (osName === 'linux') yield* oneOf(linuxSignals)(signal, path);
}

function* lifecycle(value: Lifecycle, path: string, { gracePeriod, osName }: HookScope): Errors {
  if (value.postStart) yield* handler(value.postStart, childPath(path, 'postStart'), gracePeriod);
  if (value.preStop) yield* handler(value.preStop, childPath(path, 'preStop'), gracePeriod);
  if (value.stopSignal !== undefined) yield* stopSignal(value.stopSignal, childPath(path, 'stopSignal'), osName);
}

/** Hooks and probes of a long-running container. */
export function hooks(container: Container, path: string, scope: HookScope): Errors {
  return joined(
    container.lifecycle ? lifecycle(container.lifecycle, childPath(path, 'lifecycle'), scope) : [],
    container.livenessProbe ? onceSuccessful(container.livenessProbe, childPath(path, 'livenessProbe')) : [],
    container.readinessProbe ? readiness(container.readinessProbe, childPath(path, 'readinessProbe')) : [],
    container.startupProbe ? onceSuccessful(container.startupProbe, childPath(path, 'startupProbe')) : [],
  );
}

/** Run-to-completion containers have none. */
export function* noHooks(container: Container, path: string): Errors {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[name] === undefined) continue;
    yield forbiddenField(childPath(path, name), 'may not be set for init containers without restartPolicy=Always');
  }
}
