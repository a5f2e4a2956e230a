import { parseArgs } from 'node:util';

/** How the site is built. */
export interface SiteOptions {
  /** The path under which it is served, with slashes at both ends. Default: `/`. */
  readonly base: string;
  /** Folder of the files, from the root of the repository. Default: `site/dist`. */
  readonly out: string;
  /** Where files of the repository can be looked at. Default: links to them become text. */
  readonly repository?: string | undefined;
  /** Whether the sites of earlier releases are built too, each into a folder of its tag. */
  readonly releases: boolean;
}

/** @throws on options that there are not, and on a base without slashes at both ends. */
export function siteOptions(args: readonly string[]): SiteOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string', default: '/' },
      out: { type: 'string', default: 'site/dist' },
      repository: { type: 'string' },
      releases: { type: 'boolean', default: false },
    },
  });
  if (!/^\/(?:[\w.~-]+\/)*$/.test(values.base)) {
    throw new Error(`site: --base ${values.base} must start and end with /, as in /apix/`);
  }
  return { ...values, repository: values.repository?.replace(/\/$/, '') };
}
