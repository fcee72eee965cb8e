import { join } from 'node:path';
import { withShips } from './custom-programs.ts';
import { clientNodeSteps } from './client-node-steps.ts';
import { missingGo, preferCbor } from './client-go.ts';
import { kubectlPath } from '../kubectl/kubectl.ts';
import { helmDefinitionSteps, helmSteps } from './helm-steps.ts';
import { kubectlShipSteps } from './kubectl-ship-steps.ts';
import { kubectlSteps } from './kubectl-steps.ts';
import { clientsDir, type ClientProgram, missingInstall, runSteps, type Steps } from './program.ts';

const here = (...path: readonly string[]): string => join(import.meta.dirname, ...path);

const protobuf = 'application/vnd.kubernetes.protobuf';

function pythonClient(name: string, file: string): ClientProgram {
  return {
    name,
    missing: () => missingInstall('python', here('python', 'requirements.txt')),
    run: ({ kubeconfigPath }, namespace) =>
      runSteps(join(clientsDir, 'python', 'bin', 'python'), [here('python', file), kubeconfigPath, namespace]),
  };
}

/** For a program of a few seconds the optimizing compiler is not worthwhile: half the work. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

function javaClient(name: string, file: string): ClientProgram {
  return {
    name,
    missing: () => missingInstall('java', here('java', 'pom.xml')),
    // Single-file programs, compiled on start.
    run: ({ kubeconfigPath }, namespace) =>
      runSteps('java', [
        ...quickStart,
        '-cp',
        join(clientsDir, 'java', '*'),
        here('java', file),
        kubeconfigPath,
        namespace,
      ]),
  };
}

const goClient: ClientProgram = {
  name: 'go',
  missing: missingGo,
  run: ({ kubeconfigPath }, namespace) => goSteps(['./steps', kubeconfigPath, namespace]),
};

/** The results do not depend on the encoding. */
const goInProtobuf: ClientProgram = {
  ...goClient,
  name: 'go in protobuf',
  recordedAs: 'go',
  run: ({ kubeconfigPath }, namespace) => goSteps(['./steps', '--content-type', protobuf, kubeconfigPath, namespace]),
};

const goInCbor: ClientProgram = {
  ...goClient,
  name: 'go in CBOR',
  recordedAs: 'go',
  gates: ['CBORServingAndStorage'],
  run: ({ kubeconfigPath }, namespace) =>
    goSteps(['./steps', '--content-type', 'application/cbor', kubeconfigPath, namespace], preferCbor),
};

const goWithShips: ClientProgram = {
  ...goClient,
  run: ({ kubeconfigPath }, namespace) => goSteps(['./custom', kubeconfigPath, namespace]),
};

function goSteps(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Steps> {
  return runSteps('go', ['-C', here('go'), 'run', ...args], env);
}

const helm: ClientProgram = {
  name: 'helm',
  missing: () => missingInstall('helm', here('helm.version')),
  run: helmSteps,
};

const kubectl: ClientProgram = {
  name: 'kubectl',
  missing: () => (kubectlPath === undefined ? 'there is no kubectl 1.37' : undefined),
  run: kubectlSteps,
};

const kubectlInCbor: ClientProgram = {
  ...kubectl,
  name: 'kubectl-cbor',
  gates: ['CBORServingAndStorage'],
  run: (server, namespace) => kubectlSteps(server, namespace, preferCbor),
};

const clientNode: ClientProgram = { name: 'client-node', missing: () => undefined, run: clientNodeSteps };

/** Clients that users have. */
export const programs: readonly ClientProgram[] = [
  kubectl,
  kubectlInCbor,
  clientNode,
  pythonClient('python', 'steps.py'),
  javaClient('fabric8', 'Fabric8Client.java'),
  javaClient('java', 'OfficialClient.java'),
  helm,
  goClient,
  goInProtobuf,
  goInCbor,
  { ...helm, name: 'helm-definitions', run: helmDefinitionSteps },
  withShips('kubectl-ships', { ...kubectl, run: kubectlShipSteps }),
  withShips('python-ships', pythonClient('python', 'custom.py')),
  withShips('fabric8-ships', javaClient('fabric8', 'CustomResources.java')),
  withShips('go-ships', goWithShips),
];
