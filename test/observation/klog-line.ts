/** A line of klog's format, which may continue on lines that follow. */
export interface KlogLine {
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  /** Without quotes. */
  readonly message: string;
  /** In their order. */
  readonly values: readonly (readonly [key: string, value: string])[];
}

const head = /^([IWE])(\d{4}) (\d\d):(\d\d):(\d\d)\.(\d{6}) +(\d+) ([\w.-]+):(\d+)\] /;

/** All lines of a log. Throws for text that is not of the format. */
export function klogLines(text: string): KlogLine[] {
  const entries: string[] = [];
  for (const line of text.split('\n')) {
    if (head.test(line)) entries.push(line);
    else if (line !== '' || entries.length > 0) entries[entries.length - 1] = `${entries.at(-1)}\n${line}`;
  }
  return entries.map((entry) => klogLine(entry.replace(/\n$/, '')));
}

function klogLine(entry: string): KlogLine {
  const [whole = '', severity = '', , , , , , , file = '', line] = head.exec(entry) ?? [];
  if (whole === '') throw new Error(`no line of klog: ${entry}`);
  const rest = entry.slice(whole.length);
  const where = { severity, file, line: Number(line) };
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0];
  if (quoted === undefined) return { ...where, message: rest, values: [] };
  return { ...where, message: JSON.parse(quoted) as string, values: valuesOf(rest.slice(quoted.length)) };
}

/** ` key="text" key=1 key=<\n\tline\n >` */
function valuesOf(text: string): [string, string][] {
  const one = / ([\w-]+)=(<\n(?:\t[^\n]*\n)* >|"(?:[^"\\]|\\.)*"|[^\s"<]+)/y;
  const values: [string, string][] = [];
  while (one.lastIndex < text.length) {
    const at = one.lastIndex;
    const [, key, value] = one.exec(text) ?? [];
    if (key === undefined || value === undefined) throw new Error(`no values of klog: ${text.slice(at)}`);
    values.push([key, value]);
  }
  return values;
}
