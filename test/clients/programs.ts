import { join } from 'node:path';
import { clientNodeSteps } from './client-node-steps.ts';
import { missingGo } from './client-go.ts';
import { kubectlPath } from '../kubectl/kubectl.ts';
import { helmSteps } from './helm-steps.ts';
import { kubectlSteps } from './kubectl-steps.ts';
import { clientsDir, type ClientProgram, missingInstall, runSteps } from './program.ts';

const here = (...path: readonly string[]): string => join(import.meta.dirname, ...path);

const pythonClient: ClientProgram = {
  name: 'python',
  missing: () => missingInstall('python', here('python', 'requirements.txt')),
  run: ({ kubeconfigPath }, namespace) =>
    runSteps(join(clientsDir, 'python', 'bin', 'python'), [here('python', 'steps.py'), kubeconfigPath, namespace]),
};

function javaClient(name: string, file: string): ClientProgram {
  return {
    name,
    missing: () => missingInstall('java', here('java', 'pom.xml')),
    // One source file each, compiled as it starts.
    run: ({ kubeconfigPath }, namespace) =>
      runSteps('java', ['-cp', join(clientsDir, 'java', '*'), here('java', file), kubeconfigPath, namespace]),
  };
}

/** What is heard does not depend on the encoding: all are compared with the same record. */
function goClient(name: string, flags: readonly string[]): ClientProgram {
  return {
    name,
    ...(name === 'go' ? {} : { recordedAs: 'go' }),
    missing: missingGo,
    run: ({ kubeconfigPath }, namespace) =>
      runSteps('go', ['-C', here('go'), 'run', './steps', ...flags, kubeconfigPath, namespace]),
  };
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

const clientNode: ClientProgram = { name: 'client-node', missing: () => undefined, run: clientNodeSteps };

/** Clients that users have. */
export const programs: readonly ClientProgram[] = [
  kubectl,
  clientNode,
  pythonClient,
  javaClient('fabric8', 'Fabric8Client.java'),
  javaClient('java', 'OfficialClient.java'),
  helm,
  goClient('go', []),
  goClient('go in protobuf', ['--content-type', 'application/vnd.kubernetes.protobuf']),
];
