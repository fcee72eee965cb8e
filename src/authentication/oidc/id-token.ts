import { goQuote } from '../../api/go/go-quote.ts';
import { goInt64 } from '../../api/time/go-time.ts';
import { JsonMembers, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { goList, goMap, goOwn, goPointer, type GoStruct, goStruct, goText } from '../../codec/go/go-types.ts';
import { decodeGo, GoDecodeError, type GoDecoding, goDialects } from '../../codec/go/go-values.ts';

const text = goText();

/** A single audience is a list of one. */
const audience = goOwn<readonly string[]>('oidc.audience', [], (tree, decoding) => {
  if (typeof tree === 'string' || tree === null) return [tree ?? ''];
  return decoding.value(goList(text), tree);
});

/** Seconds since the epoch, also in a string; what exceeds 64 bits is the least integer. */
const time = goOwn<bigint | undefined>('oidc.jsonTime', undefined, secondsOf);

const fields = {
  iss: text,
  sub: text,
  aud: audience,
  exp: time,
  iat: time,
  nbf: goPointer(time),
  nonce: text,
  at_hash: text,
  _claim_names: goMap(text),
  _claim_sources: goMap(
    goStruct('oidc.claimSource', {
      endpoint: text,
      access_token: text,
    }),
  ),
} as const;

const idToken = goStruct('oidc.idToken', fields);

/** What go-oidc reads of an ID token (OpenID Connect Core 1.0, section 2). */
export type IdToken = GoStruct<typeof fields>;

/** Throws a GoDecodeError. */
export function readIdToken(payload: JsonTree): IdToken {
  const token = decodeGo(idToken, payload, goDialects.standard);
  for (const source of token._claim_names.values()) {
    if (source === '') throw new GoDecodeError('oidc: failed to obtain source from claim name');
    if (!token._claim_sources.has(source)) throw new GoDecodeError('oidc: source does not exist');
  }
  return token;
}

function secondsOf(tree: JsonTree, decoding: GoDecoding): bigint | undefined {
  const written = writtenNumber(tree, decoding);
  if (written === undefined) return undefined;
  if (/^-?\d+$/.test(written) && written.length <= maxInt64Characters) return goInt64Text(written);
  if (written === '') throw new GoDecodeError('strconv.ParseFloat: parsing "": invalid syntax');
  const seconds = Number(written);
  if (!Number.isFinite(seconds)) {
    throw new GoDecodeError(`strconv.ParseFloat: parsing ${goQuote(written)}: value out of range`);
  }
  return goInt64(seconds);
}

/** Including the sign. */
const maxInt64Characters = 20;

/** An integer, read exactly if it fits. */
function goInt64Text(text: string): bigint {
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : goInt64(Number(text));
}

/** A `json.Number`; undefined after a mismatch. */
function writtenNumber(tree: JsonTree, decoding: GoDecoding): string | undefined {
  if (tree instanceof JsonNumber) return tree.text;
  if (tree === null) return '';
  if (typeof tree !== 'string') {
    decoding.mismatch('json.Number', tree);
    if (tree instanceof JsonMembers || Array.isArray(tree)) return undefined;
    throw new GoDecodeError(decoding.problem ?? '');
  }
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(tree)) return tree;
  throw new GoDecodeError(
    `json: invalid number literal, trying to unmarshal ${goQuote(JSON.stringify(tree))} into Number`,
  );
}
