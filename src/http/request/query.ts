/** The parameters of a query as Go reads them: what has a semicolon or a broken escape in it counts as if it were not there. */
export function parseQuery(text: string): URLSearchParams {
  if (text === '') return noParameters;
  if (!isBroken(text)) return new URLSearchParams(text);
  const parts = text.split('&').filter((part) => !isBroken(part));
  return new URLSearchParams(parts.join('&'));
}

/** Nobody changes the parameters of a request. */
const noParameters = new URLSearchParams();

function isBroken(text: string): boolean {
  return text.includes(';') || /%(?![0-9a-f]{2})/i.test(text);
}
