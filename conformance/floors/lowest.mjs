// The lowest versions that peer ranges allow.

const RANGE = /^(?:\^|~|>=)?(\d+\.\d+\.\d+)(?: <\d+\.\d+\.\d+)?$/;

/** The lowest version in a range; throws for one of a form that it does not know. */
export function lowestOf(range) {
  const versions = range.split(' || ').map((part) => {
    const [, version] = RANGE.exec(part) ?? [];
    if (version === undefined) throw new Error(`the lowest version of ${range} cannot be read`);
    return version;
  });
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0];
}

/** The lowest version of every peer of a package, optional ones included, by name. */
export function floorsOf({ peerDependencies = {} }) {
  return Object.fromEntries(
    Object.entries(peerDependencies).map(([peer, range]) => [peer, lowestOf(range)]),
  );
}

/** The lowest versions of the peers of all packages; throws where they disagree. */
export function sharedFloors(manifests) {
  const shared = {};
  for (const manifest of manifests) {
    for (const [peer, version] of Object.entries(floorsOf(manifest))) {
      if ((shared[peer] ??= version) !== version) {
        throw new Error(
          `the packages disagree on ${peer}: ${manifest.name} allows ${version}, others ${shared[peer]}`,
        );
      }
    }
  }
  return shared;
}
