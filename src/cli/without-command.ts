/** Answered by the program itself: its help and its version. */
const questions = new Set(['-h', '--help', '--version']);

const choosesAuthorization = /^--authorization-(?:mode|config)(?:=|$)/;

/** Whether normalized arguments name no command, and ask nothing: then Binnacle serves. */
export function isWithoutCommand(args: readonly string[]): boolean {
  const [first = '-'] = args;
  return first.startsWith('-') && !args.some((argument) => questions.has(argument));
}

/**
 * What serves without a command, to somebody who tries Binnacle. `serve` has the defaults of kube-apiserver, which
 * allows everything to every user (AlwaysAllow); here it is RBAC, unless flags choose.
 */
export function serveArguments(flags: readonly string[]): readonly string[] {
  const chosen = flags.some((argument) => choosesAuthorization.test(argument));
  return ['serve', ...flags, ...(chosen ? [] : ['--authorization-mode=RBAC'])];
}
