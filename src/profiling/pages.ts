import { setTimeout as sleep } from 'node:timers/promises';
import { int64Problem } from '../api/go/go-integer.ts';
import { profileCpu } from './cpu-profile.ts';
import { profileHeap } from './heap-profile.ts';
import { type Profile, pprofOf, profileText } from './profile.ts';
import { profilesFolder } from './profiles-folder.ts';

/** A request for a page, whatever brought it. */
export interface PageRequest {
  readonly method: string;
  /** `/debug/pprof/heap` */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Aborts when the client is gone. */
  readonly left: AbortSignal;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

interface ProfilePage {
  readonly name: string;
  /** The sentence of the index. */
  readonly help: string;
  readonly respond: (request: PageRequest) => PageResponse | Promise<PageResponse>;
}

/** A day: timers of Node end at 25. */
const longestSeconds = 86_400;
const cpuSeconds = 30;
const heapSeconds = 5;

/** All profiles that Go's runtime has, under its names. */
const profilePages: readonly ProfilePage[] = [
  {
    name: 'allocs',
    help: 'What is allocated within some seconds (5, or ?seconds=), whether it is still in use or not.',
    respond: (request) => answerHeap('allocs', request),
  },
  {
    name: 'block',
    help: 'Not available: nothing blocks on locks.',
    respond: () => unavailable('JavaScript does not block on synchronization'),
  },
  {
    name: 'goroutine',
    help: 'Not available: there are no goroutines.',
    respond: () => unavailable('there are no goroutines, and V8 keeps no stacks of what waits'),
  },
  {
    name: 'heap',
    help:
      'What is allocated within some seconds (5, or ?seconds=) and still in use after them, by stack, and the size of ' +
      'all else that is. ?gc=1 collects garbage before it looks.',
    respond: (request) => answerHeap('heap', request),
  },
  {
    name: 'mutex',
    help: 'Not available: nothing waits for locks.',
    respond: () => unavailable('JavaScript has no mutexes to contend for'),
  },
  {
    name: 'profile',
    help: 'What each thread computes within some seconds (30, or ?seconds=). For go tool pprof.',
    respond: (request) => answerCpu(request),
  },
  {
    name: 'symbol',
    help: 'The functions at program counters: none, since profiles name functions themselves.',
    respond: () => ({ status: 200, headers: textHeaders, body: 'num_symbols: 1\n' }),
  },
  {
    name: 'threadcreate',
    help: 'Not available: V8 keeps no stacks of where threads were started.',
    respond: () => unavailable('V8 keeps no stacks of where threads were started'),
  },
  {
    name: 'trace',
    help: 'Not available: the trace that go tool trace reads is that of the runtime of Go.',
    respond: () => unavailable('the runtime of Go writes such traces; take a CPU profile'),
  },
];

const byName: ReadonlyMap<string, ProfilePage> = new Map(profilePages.map((page) => [page.name, page]));

const noSniffing = { 'x-content-type-options': 'nosniff' };
const pageHeaders = { 'content-type': 'text/html; charset=utf-8' };
const found = `<a href="${profilesFolder}">Found</a>.\n\n`;
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', ...noSniffing };

/** The page of the folder, or of a path below. */
export async function profilePage(request: PageRequest): Promise<PageResponse> {
  if (!request.path.startsWith(profilesFolder)) return redirectTo(request.method);
  const name = request.path.slice(profilesFolder.length);
  if (name === '') return { status: 200, headers: { ...pageHeaders, ...noSniffing }, body: index };
  const page = byName.get(name);
  return page === undefined ? failure(404, 'Unknown profile') : page.respond(request);
}

/** Only those who read are told in words. */
function redirectTo(method: string): PageResponse {
  const isRead = method === 'GET' || method === 'HEAD';
  const headers = isRead ? { ...pageHeaders, location: profilesFolder } : { location: profilesFolder };
  return { status: 302, headers, body: method === 'GET' ? found : '' };
}

/** A failure that go tool pprof shows. */
function failure(status: number, text: string): PageResponse {
  return { status, headers: { ...textHeaders, 'x-go-pprof': '1' }, body: `${text}\n` };
}

function unavailable(why: string): PageResponse {
  return failure(501, `This profile is not available: ${why}`);
}

/** Profilers that run: V8 has one of each sort. */
const running = new Set<'cpu' | 'heap'>();

async function answerCpu({ query, left }: PageRequest): Promise<PageResponse> {
  const requested = integerOf(query.get('seconds'));
  const seconds = Math.min(requested > 0 ? requested : cpuSeconds, longestSeconds);
  if (running.has('cpu')) return failure(500, 'Could not enable CPU profiling: cpu profiling already in use');
  const profile = await alone('cpu', () => profileCpu(passed(seconds, left), seconds));
  return pprofResponse('profile', profile);
}

async function answerHeap(name: 'heap' | 'allocs', { query, left }: PageRequest): Promise<PageResponse> {
  const given = query.get('seconds') ?? '';
  const requested = given === '' ? heapSeconds : integerOf(given);
  if (requested <= 0) return failure(400, 'invalid value for "seconds" - must be a positive integer');
  const asText = integerOf(query.get('debug')) !== 0;
  if (given !== '' && asText) return failure(400, 'seconds and debug params are incompatible');
  if (running.has('heap')) return failure(500, 'Could not sample the heap: it is being sampled already');
  const collectsGarbage = name === 'heap' && integerOf(query.get('gc')) > 0;
  const until = passed(Math.min(requested, longestSeconds), left);
  const profile = await alone('heap', () => profileHeap(until, { ofAll: name === 'allocs', collectsGarbage }));
  if (asText) return { status: 200, headers: textHeaders, body: profileText(profile) };
  return pprofResponse(given === '' ? name : `${name}-delta`, profile);
}

async function alone(sort: 'cpu' | 'heap', take: () => Promise<Profile>): Promise<Profile> {
  running.add(sort);
  try {
    return await take();
  } finally {
    running.delete(sort);
  }
}

async function pprofResponse(name: string, profile: Profile): Promise<PageResponse> {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  };
  return { status: 200, headers: { ...headers, ...noSniffing }, body: await pprofOf(profile) };
}

/** A parameter that is missing or no integer is 0. */
function integerOf(text: string | null): number {
  return text === null || int64Problem(text) !== undefined ? 0 : Number(text);
}

/** Resolves after so many seconds, or when the client is gone. */
async function passed(seconds: number, left: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: left }).catch((error: unknown) => {
    if (!left.aborted) throw error;
  });
}

const listed = profilePages.map(({ name }) => `<tr><td><a href='${name}?debug=1'>${name}</a></td></tr>`).join('\n');
const described = profilePages.map(({ name, help }) => `<li>${name}: ${help}</li>`).join('\n');
const index = `<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
/debug/pprof/
<br>
<p>debug=1 as a query parameter shows heap and allocs as text</p>
<table>
<thead><td>Profile</td></thead>
${listed}
</table>
<ul>
${described}
</ul>
</body>
</html>`;
