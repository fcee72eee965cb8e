import { etcdHelp } from './etcd-arguments.ts';
import { parentVariable } from './orphan.ts';

/** What tests start, as a script that starts Node. */
export interface ProgramScript {
  readonly name: 'etcd' | 'kube-apiserver';
  /** Arguments of Node: a script, and what comes before the flags. */
  readonly command: readonly string[];
  readonly help: string;
  readonly version: string;
}

export interface ScriptParts {
  /** The Node that runs the programs. */
  readonly node: string;
  /** The script of the command, in the folder of the release. */
  readonly launcher: string;
  readonly etcdScript: string;
  readonly serverHelp: string;
  readonly kubernetesVersion: string;
  readonly etcdVersion: string;
}

export function programScripts(parts: ScriptParts): readonly ProgramScript[] {
  return [
    {
      name: 'etcd',
      command: [parts.node, parts.etcdScript],
      help: etcdHelp,
      version: `etcd Version: ${parts.etcdVersion}`,
    },
    {
      name: 'kube-apiserver',
      command: [parts.node, parts.launcher, 'kube-apiserver'],
      help: parts.serverHelp,
      version: `Kubernetes v${parts.kubernetesVersion}`,
    },
  ];
}

/** envtest asks for the help of each program before it starts it: a shell answers at once. */
export function scriptText({ command, help, version }: ProgramScript): string {
  return `#!/bin/sh
# Written by \`binnacle envtest\`.
for argument do
  case $argument in
  -h | -help | --help)
    exec cat <<'END_OF_HELP'
${help.trimEnd()}
END_OF_HELP
    ;;
  --version | --version=true)
    echo ${shellQuoted(version)}
    exit
    ;;
  esac
done
${parentVariable}=$PPID
export ${parentVariable}
exec ${command.map(shellQuoted).join(' ')} "$@"
`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
