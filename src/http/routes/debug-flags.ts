import { uint64Problem } from '../../api/go/go-integer.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { PathHandler, PathRoutes } from './non-resource-routes.ts';

/** The verbosity of the log, which can be changed while the server runs. */
export interface ChangeableVerbosity {
  level: number;
}

const folder = '/debug/flags';

/** A request for a page of flags, whatever brought it. */
export interface FlagRequest {
  readonly method: string;
  readonly path: string;
  readonly body: () => Promise<string>;
}

export interface FlagResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `PUT /debug/flags/v` changes `-v`; the page above lists it as the only flag that can be changed. */
export function debugFlagRoutes(
  verbosity: ChangeableVerbosity,
): Pick<PathRoutes, 'prefixes'> & { readonly exact: readonly [string, PathHandler][] } {
  const handle: PathHandler = async (context) => {
    const { path } = context;
    const { method } = context.exchange;
    const body = async (): Promise<string> => (await context.readBody()).toString('utf8');
    const response = await flagPage({ method, path, body }, verbosity);
    context.exchange.respond(response.status, { ...response.headers, ...context.commonHeaders }, response.body);
  };
  return { exact: [[folder, handle]], prefixes: [{ prefix: `${folder}/`, handle }] };
}

/** Whether the path is of such a page. */
export function isFlagPath(path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Changes the verbosity, if that is asked for. */
export async function flagPage(
  { method, path, body }: FlagRequest,
  verbosity: ChangeableVerbosity,
): Promise<FlagResponse> {
  if (path !== `${folder}/v`) {
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page };
  }
  if (method !== 'PUT') return plain(406, 'unsupported http method');
  const text = await body();
  const problem = problemOf(text);
  if (problem !== undefined) return plain(400, problem);
  verbosity.level = Number(text);
  return plain(200, `successfully set klog.logging.verbosity to ${text}`);
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

function plain(status: number, text: string): FlagResponse {
  return { status, headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }, body: `${text}\n` };
}
