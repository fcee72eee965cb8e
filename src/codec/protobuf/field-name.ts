/** Words that Go names capitalise. */
const capitals =
  /^(?:api|aws|ca|cel|cidrs?|csi|dns|fc|fs|gce|gid|grpc|http|id|ips?|iqn|iscsi|json|nfs|os|rbd|tcp|tls|tty|uid|url)(?![a-z])/;

/** The Go name of a field, as in errors: `ObjectMeta`, `FSGroup`, `Name`. */
export function fieldName(name: string, goType: string): string {
  if (name === 'metadata') return goType.slice(goType.indexOf('.') + 1);
  const upper = name.replace(capitals, (word) => word.toUpperCase().replace(/(IP|CIDR)S$/, '$1s'));
  return upper.charAt(0).toUpperCase() + upper.slice(1);
}
