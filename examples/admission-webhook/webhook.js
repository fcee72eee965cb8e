export const teamLabel = 'shop.example.com/team';

/** The team that owns a namespace. */
const teamOf = (namespace) => namespace.split('-')[0];

/** Labels an object with its team, unless it is labelled. */
export function addTeam({ object, namespace }) {
  object.metadata.labels = { [teamLabel]: teamOf(namespace), ...object.metadata.labels };
}

/** Denies objects of other teams. */
export function checkTeam({ object, namespace }) {
  const team = object.metadata.labels?.[teamLabel];
  if (team !== teamOf(namespace)) throw new Error(`${team} has no place in ${namespace}`);
}
