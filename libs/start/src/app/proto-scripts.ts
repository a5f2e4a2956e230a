import type { AppFacts } from './app-facts.js';

/** Compiles the .proto files into the descriptors that the app loads, and into its types. */
export const PROTO_SCRIPT =
  'buf build proto --as-file-descriptor-set -o gen/api.binpb && buf generate proto';

/** Scripts of an app that need the compiled .proto files. */
const AFTER_PROTO = [
  'build',
  'start',
  'start:debug',
  'start:dev',
  'test',
  'test:watch',
  'test:cov',
  'test:debug',
  'test:e2e',
];

/**
 * Adds the script `proto`, and has it run before those that need it: in their `pre` scripts, in front of what
 * these do already, or in front of the scripts themselves where the package manager runs no `pre` scripts.
 *
 * @returns the names of the scripts that are new or changed.
 */
export function addProtoScripts(scripts: Record<string, string>, facts: AppFacts): string[] {
  const before = { ...scripts };
  const run = facts.packageManager === 'npm' ? 'npm run proto' : `${facts.packageManager} proto`;
  scripts['proto'] ??= PROTO_SCRIPT;
  if (scripts['start:dev'] === 'nest start --watch') scripts['start:dev'] = 'apix-start dev';
  for (const name of AFTER_PROTO.filter((each) => Object.hasOwn(scripts, each))) {
    const where = facts.skipsPreScripts ? name : `pre${name}`;
    const own = scripts[where];
    if (own === undefined) scripts[where] = run;
    else if (!/\bproto\b/.test(own)) scripts[where] = `${run} && ${own}`;
  }
  return Object.keys(scripts).filter((name) => scripts[name] !== before[name]);
}
