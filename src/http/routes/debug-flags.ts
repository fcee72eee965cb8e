import { uint64Problem } from '../../api/go-integer.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { PathHandler, PathRoutes } from './non-resource-routes.ts';

/** The verbosity of the log, which can be changed while the server runs. */
export interface ChangeableVerbosity {
  level: number;
}

const folder = '/debug/flags';

/** `PUT /debug/flags/v` changes `-v`; the page above lists it as the only flag that can be changed. */
export function debugFlagRoutes(
  verbosity: ChangeableVerbosity,
): Pick<PathRoutes, 'prefixes'> & { readonly exact: readonly [string, PathHandler][] } {
  return {
    exact: [
      [folder, showFlags],
      [`${folder}/v`, (context) => changeVerbosity(context, verbosity)],
    ],
    prefixes: [{ prefix: `${folder}/`, handle: showFlags }],
  };
}

const page = `<html>
<head>
<title>${folder}/</title>
</head>
<body>
${folder}/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`;

function showFlags(context: RequestContext): void {
  context.responseCode = 200;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  context.exchange.respond(200, { ...headers, ...context.commonHeaders }, page);
}

async function changeVerbosity(context: RequestContext, verbosity: ChangeableVerbosity): Promise<void> {
  if (context.exchange.method !== 'PUT') return answer(context, 406, 'unsupported http method');
  const text = (await context.readBody()).toString('utf8');
  const problem = problemOf(text);
  if (problem !== undefined) return answer(context, 400, problem);
  verbosity.level = Number(text);
  answer(context, 200, `successfully set klog.logging.verbosity to ${text}`);
}

const maxUint32 = 2 ** 32 - 1;
const maxInt32 = 2 ** 31 - 1;

/** The reference parses it as an unsigned integer first, and then as a signed one, both of 32 bits. */
function problemOf(text: string): string | undefined {
  const problem = uint64Problem(text) ?? (Number(text) > maxUint32 ? 'value out of range' : undefined);
  if (problem !== undefined) return `strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
  if (Number(text) <= maxInt32) return undefined;
  const signed = `strconv.ParseInt: parsing ${goQuote(text)}: value out of range`;
  return `failed set klog.logging.verbosity ${text}: ${signed}`;
}

function answer(context: RequestContext, code: number, text: string): void {
  context.responseCode = code;
  const headers = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' };
  context.exchange.respond(code, { ...headers, ...context.commonHeaders }, `${text}\n`);
}
