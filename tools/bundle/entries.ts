/** What a package.json says of files that are imported or run from outside. */
export interface EntryManifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The modules that a package's exports and commands name, as paths below `dist`. */
export function entriesOf(manifest: EntryManifest): string[] {
  const named = [
    ...Object.values(manifest.exports ?? {}).flatMap((target) =>
      typeof target === 'string' ? [] : [target['default'] ?? ''],
    ),
    ...Object.values(manifest.bin ?? {}),
  ];
  const entries = named
    .filter((file) => file.startsWith('./dist/') && file.endsWith('.js'))
    .map((file) => file.slice('./dist/'.length));
  return [...new Set(entries)];
}
