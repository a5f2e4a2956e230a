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

/** The same, but of Nest's packages the lowest of the newest line that is allowed. */
export function newestFloorsOf({ peerDependencies = {} }) {
  return Object.fromEntries(
    Object.entries(peerDependencies).map(([peer, range]) => [
      peer,
      lowestOf(peer.startsWith('@nestjs/') ? range.split(' || ').at(-1) : range),
    ]),
  );
}

/**
 * The lowest versions of the peers of all packages; throws where they disagree.
 *
 * @param floors of one manifest
 */
export function sharedFloors(manifests, floors = floorsOf) {
  const shared = {};
  for (const manifest of manifests) {
    for (const [peer, version] of Object.entries(floors(manifest))) {
      if ((shared[peer] ??= version) !== version) {
        throw new Error(
          `the packages disagree on ${peer}: ${manifest.name} allows ${version}, others ${shared[peer]}`,
        );
      }
    }
  }
  return shared;
}
