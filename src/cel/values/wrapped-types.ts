const wrapped: { readonly [goType: string]: string } = {
  'cel.Quantity': '*resource.Quantity',
  'cel.URL': '*url.URL',
  'cel.IP': 'netip.Addr',
  'cel.CIDR': 'netip.Prefix',
  'cel.Semver': 'semver.Version',
};

/** The Go type of what a value of a library wraps; undefined for those that wrap nothing. */
export function wrappedTypeName(goType: string): string | undefined {
  return wrapped[goType.replace('*', '')];
}
