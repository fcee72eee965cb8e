import type { Command } from 'commander';
import { leafCommands } from './leaf-commands.ts';

const commandColumns = 24;

/** What `binnacle --help` prints: it fits a screen, and says where there is more. */
export function overview(program: Command, versionText: string): string {
  const rows = leafCommands(program).map(
    ({ usage, command }) => `  ${usage.padEnd(commandColumns)} ${command.summary()}`,
  );
  return `${versionText}: ${program.description()}

Usage: binnacle [flags]            serve, with the store in .binnacle and RBAC
       binnacle <command> [flags]

Commands:
${rows.join('\n')}

More:
  binnacle serve --help      all flags of the server
  binnacle <command> --help  what a command does, and its flags
  binnacle --version         the version

To use the server that binnacle, or npx binnacle, has started in this folder:
  kubectl --kubeconfig .binnacle/admin.kubeconfig get namespaces
To run the tests of a controller that is written in Go:
  export KUBEBUILDER_ASSETS=$(npx binnacle envtest)
`;
}
