import { goQuote } from '../../api/go/go-quote.ts';
import { hugeNumberIn, JsonMembers, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { goFlag, goList, goMap, goRaw, goText } from '../../codec/go/go-types.ts';
import { GoDecodeError } from '../../codec/go/go-values.ts';
import { asJose, decodeJose, JoseError, treeOf } from './jose-values.ts';
import { parseCertificateChain, readJwk } from './jwk.ts';

/** The header of a token (RFC 7515, section 4). */
export interface JwsHeader {
  readonly algorithm: string;
  readonly keyId: string;
  /** The payload is signed as it is (RFC 7797). */
  readonly isUnencoded: boolean;
  /** Why no signature counts, whatever the key; an empty text stands for a failed verification. */
  readonly problem: string | undefined;
}

const rawHeader = goMap(goRaw, 'jose.rawHeader');
const text = goText();

type Read = (tree: JsonTree, header: { [name in 'alg' | 'kid']: string }) => void;

/** What is read of each field; of others, that they are JSON without repeated keys. */
const readers: ReadonlyMap<string, { readonly what: string; readonly read: Read }> = new Map([
  ['alg', { what: 'algorithm', read: (tree, header) => (header.alg = decodeJose(text, tree)) }],
  ['kid', { what: 'key ID', read: (tree, header) => (header.kid = decodeJose(text, tree)) }],
  ['nonce', { what: 'nonce', read: (tree) => decodeJose(text, tree) }],
  ['jwk', { what: 'JWK', read: (tree) => readJwk(tree) }],
  ['x5c', { what: 'x5c header', read: (tree) => parseCertificateChain(decodeJose(goList(text), tree), (why) => why) }],
]);

/** Throws a JoseError, a GoDecodeError or a JsonSyntaxError. */
export function readHeader(bytes: Buffer): JwsHeader {
  const members = bytes.length === 0 ? new Map<string, JsonTree | undefined>() : decodeJose(rawHeader, treeOf(bytes));
  const header = { alg: '', kid: '' };
  for (const [name, tree = null] of members) {
    if (tree === null) continue;
    const { what, read } = readers.get(name) ?? { what: 'value', read: checkAny };
    asJose(
      () => read(tree, header),
      (why) => `failed to unmarshal ${what}: ${why}: ${goQuote(jsonText(tree))}`,
    );
  }
  checkEmbeddedKey(members.get('jwk') ?? null);
  return {
    algorithm: header.alg,
    keyId: header.kid,
    isUnencoded: !encodes(members.get('b64') ?? null),
    problem: criticalProblem(members.get('crit') ?? null),
  };
}

function checkEmbeddedKey(tree: JsonTree): void {
  const jwk = readJwk(tree);
  if (jwk === undefined || jwk.isPublic) return;
  throw new JoseError('go-jose/go-jose: invalid embedded jwk, must be public key');
}

/** Anything but repeated keys and numbers beyond doubles, at any depth. */
function checkAny(root: JsonTree): void {
  const huge = hugeNumberIn(root);
  if (huge !== undefined) {
    throw new GoDecodeError(`json: cannot unmarshal number ${huge} into Go value of type float64`);
  }
  for (const open = [root]; open.length > 0;) {
    const tree = open.pop() ?? null;
    if (Array.isArray(tree)) for (const item of tree) open.push(item);
    if (!(tree instanceof JsonMembers)) continue;
    const seen = new Set<string>();
    for (const key of tree.keys) {
      if (seen.has(key)) throw new GoDecodeError(`json: duplicate key '${key}' in object`);
      seen.add(key);
    }
    for (const item of tree.values) open.push(item);
  }
}

/** Extensions that must be understood (RFC 7515, section 4.1.11): that of RFC 7797 is. */
function criticalProblem(tree: JsonTree): string | undefined {
  try {
    return decodeJose(goList(text), tree).every((name) => name === 'b64') ? undefined : '';
  } catch (error) {
    if (error instanceof GoDecodeError) return error.message;
    throw error;
  }
}

function encodes(tree: JsonTree): boolean {
  try {
    return tree === null || decodeJose(goFlag, tree);
  } catch (error) {
    if (error instanceof GoDecodeError) return true;
    throw error;
  }
}

/** As written, where errors show it. */
function jsonText(tree: JsonTree): string {
  if (tree instanceof JsonMembers) return tree.text ?? '{}';
  if (tree instanceof JsonNumber) return tree.text;
  return Array.isArray(tree) ? `[${tree.map(jsonText).join(',')}]` : JSON.stringify(tree);
}
