import type { AppFacts } from './app/app-facts.js';
import type { AppFiles } from './app/app-files.js';
import { PARTS, type Part, peersOf } from './app/parts.js';
import { protosOf } from './look/protos.js';
import type { Obstacle } from './look/obstacle.js';
import type { Plan } from './look/plan.js';
import { entryOf } from './texts/apix-module.js';

/** Adds what was left out to what remains to be done by hand. */
export function noteLeftOut(files: AppFiles, facts: AppFacts, plan: Plan, version: string): void {
  for (const [part, obstacle] of plan.leftOut) {
    const next =
      obstacle.isThere === true
        ? ''
        : `. To have it: ${remedyOf(part, obstacle, facts, plan, version)}`;
    files.left.push(`${PARTS[part]} was left out: ${obstacle.why}${next}`);
  }
  const { elsewhere } = protosOf(files);
  if (plan.parts.has('proto') && elsewhere.length > 0) {
    files.left.push(
      `${elsewhere.join(', ')}: compiled are the .proto files below proto/; move there what the app serves`,
    );
  }
}

function remedyOf(
  part: Part,
  { remedy }: Obstacle,
  facts: AppFacts,
  plan: Plan,
  version: string,
): string {
  const again = 'run `npx nest add @apix/start` again';
  if (remedy !== undefined) return `${remedy}, and ${again}`;
  const packages = [`@apix/${part}@${version}`, ...Object.keys(peersOf(part, facts))];
  return `\`${installCommand(facts)} ${packages.join(' ')}\`, and add \`${entryOf(part, facts, plan)}\` to its imports`;
}

function installCommand({ packageManager }: AppFacts): string {
  return packageManager === 'npm' ? 'npm install' : `${packageManager} add`;
}

/** What is good to know, after the lists. */
export function notesOf(facts: AppFacts, plan: Plan, isFirstRun: boolean): string[] {
  const start = `${facts.packageManager} start`;
  if (!plan.hasFirstService || !isFirstRun) return [`\`${start}\` starts the app`];
  return [
    `\`${start}\` serves HTTP and gRPC, by the policies in proto/`,
    "curl localhost:3000/v1/greetings/Bob -H 'authorization: Bearer dev-friend'",
    'before production: set AUTH_JWKS, AUTH_ISSUER and AUTH_AUDIENCE, and deploy gen/api.binpb with dist',
  ];
}
