const FILES = /\/(?:-\/)?(?:blob|tree|src)\/.*$/;

/**
 * Where the repository itself can be looked at.
 *
 * @param files where its files are, as in `https://example.org/apix/blob/main`.
 * @param published the repository that the packages name, as npm has it.
 */
export function repositoryHome(
  files: string | undefined,
  published: string | null,
): string | undefined {
  if (files !== undefined) return files.replace(FILES, '');
  return published?.replace(/^git\+/, '').replace(/\.git$/, '');
}
